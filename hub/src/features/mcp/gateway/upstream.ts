// How the gateway speaks with one MCP server: finds out its revision, sends one request and gives the messages that come
// back, or listens to what the server says of its own accord. Nothing of the client's credentials goes there.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import type { OpenResponse, Outbound } from '../../../platform/http/outbound/outbound.ts';
import { BodyTooLarge, bounded, noted, type Pause, textOf } from './bodies.ts';
import { type CallClock, startCallClock } from './call-clock.ts';
import { type Id, isMessage, isRequest, parsedJson, RPC, type Rpc, RpcError } from './messages.ts';
import { type Era, enveloped, MODERN, unenveloped, upstreamHeaders } from './revisions.ts';
import type { Filter } from './server-messages.ts';
import { eventsOf, type Place } from './sse.ts';
import { withLegacySse } from './sse-upstreams.ts';
import {
  AnswerTooLarge,
  BadAnswer,
  late,
  type Owner,
  refusedWith,
  type ServerCapabilities,
  type Target,
  unavailable,
} from './targets.ts';
import { onItsOwn, waited } from './together.ts';
import { createUpstreamHttp } from './upstream-http.ts';
import {
  CLIENT,
  createUpstreamSessions,
  type SessionDeps,
  textOrNull,
} from './upstream-sessions.ts';
import type { UpstreamLimits, Upstreams } from './upstreams.ts';

const LIMITS: UpstreamLimits = {
  timeoutMs: 60_000,
  askedMs: 10 * 60_000,
  maxBytes: 16 * 1024 * 1024,
};
/** A server that was updated is asked again. */
const ERA_MS = 10 * 60_000;

export function createUpstreams(
  deps: Omit<SessionDeps, 'post' | 'messagesOf' | 'timeoutMs'> & {
    outbound: Outbound;
    limits?: UpstreamLimits;
  },
): Upstreams {
  const http = createUpstreamHttp(deps.outbound);
  const limits = deps.limits ?? LIMITS;
  const eras = new Map<string, EraEntry>();
  const sessions = createUpstreamSessions({
    ...deps,
    post,
    messagesOf,
    timeoutMs: limits.timeoutMs,
  });
  const prefix = randomBytes(6).toString('base64url');
  let numbered = 0;

  function post(
    target: Target,
    message: object,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<OpenResponse> {
    return http.post(target, message, { headers, signal, headMs: limits.timeoutMs });
  }

  function probed(target: Target, signal: AbortSignal): Promise<Probed> {
    const { backendId, version } = target;
    const known = eras.get(backendId);
    if (known?.version === version && known.until > Date.now()) {
      return waited(known.probed, signal);
    }
    const found = onItsOwn(limits.timeoutMs, late(target), (own) => probe(target, own));
    const entry = { version, probed: found, until: Date.now() + ERA_MS };
    eras.set(backendId, entry);
    const forget = () => {
      if (eras.get(backendId) === entry) eras.delete(backendId);
    };
    found.then(({ isSure }) => isSure || forget(), forget);
    return waited(found, signal);
  }

  async function probe(target: Target, signal: AbortSignal): Promise<Probed> {
    const params = enveloped({}, CLIENT, {});
    const message = { jsonrpc: '2.0', id: 'discover', method: 'server/discover', params };
    const answer = await post(target, message, upstreamHeaders('server/discover', params), signal);
    if (answer.status !== 200) {
      answer.body.destroy();
      if (answer.status >= 500) throw refusedWith(target, answer.status);
      return { ...OLD, isSure: !UNTOLD.has(answer.status) };
    }
    for await (const one of messagesOf(target, answer)) {
      if (one.id !== 'discover') continue;
      const versions = one.result?.supportedVersions;
      if (!Array.isArray(versions) || !versions.includes(MODERN)) break;
      const { capabilities, instructions } = one.result ?? {};
      return {
        era: 'modern',
        capabilities: isObject(capabilities) ? capabilities : null,
        instructions: textOrNull(instructions),
        isSure: true,
      };
    }
    return OLD;
  }

  async function send(
    target: Target,
    owner: Owner,
    message: Rpc,
    { signal, headMs = limits.timeoutMs }: { signal: AbortSignal; headMs?: number },
    more: Record<string, string> = {},
    /** Called where the server may hear of it only by another message that nobody waits any more. */
    onSent: () => void = () => undefined,
  ): Promise<OpenResponse> {
    if ((await probed(target, signal)).era === 'modern') {
      if (message.method === undefined) {
        throw new RpcError(RPC.invalidRequest, "This server doesn't send requests that way.");
      }
      const params = enveloped(message.params, CLIENT, owner.capabilities, owner.logLevel);
      const headers = { ...more, ...upstreamHeaders(message.method, params) };
      return http.post(target, { ...message, params }, { headers, signal, headMs });
    }
    const params = unenveloped(message.params);
    const { params: _params, ...rest } = message;
    const plain = params === undefined ? rest : { ...rest, params };
    return sessions.within(target, owner, signal, (headers) => {
      onSent();
      return http.post(target, plain, { headers, signal, headMs });
    });
  }

  /** Only JSON and event streams come back from a server, whatever else it sends. */
  async function* messagesOf(
    target: Target,
    answer: OpenResponse,
    call?: { clock: CallClock; place: Place },
  ): AsyncGenerator<Rpc> {
    const type = String(answer.headers['content-type'] ?? '').toLowerCase();
    const pause = call === undefined ? bounded(answer.body, limits.timeoutMs) : null;
    const bytes = call?.clock ?? (pause as Pause);
    try {
      if (type.startsWith('text/event-stream')) {
        const body = noted(answer.body, bytes);
        for await (const message of eventsOf(body, limits.maxBytes, call?.place)) {
          if (isRequest(message)) call?.clock.awaitClient();
          yield message;
        }
        return;
      }
      if (!type.startsWith('application/json')) throw new BadAnswer(target, 'it sent no JSON');
      const parsed = parsedJson(await textOf(answer.body, limits.maxBytes, bytes));
      if (isMessage(parsed)) yield parsed;
    } catch (error) {
      if (error instanceof RpcError) throw error;
      if (error instanceof BodyTooLarge) throw new AnswerTooLarge(target, error);
      throw unavailable(target, 'its response was interrupted or unreadable');
    } finally {
      pause?.end();
      answer.body.destroy();
    }
  }

  /** A server of the older revision may end the stream and be asked for the rest of it. */
  async function resumed(
    target: Target,
    owner: Owner,
    place: Place,
    signal: AbortSignal,
  ): Promise<OpenResponse | null> {
    await sleep(place.retryMs ?? 1_000, undefined, { signal });
    const answer = await sessions.within(target, owner, signal, (headers) => {
      const from = { ...headers, 'last-event-id': place.lastId ?? '' };
      return http.request(target, { method: 'GET', headers: from, signal, headMs: 0 });
    });
    if (answer.status === 200) return answer;
    answer.body.destroy();
    return null;
  }

  /** Ends the session that these headers name. */
  const endedBy = (target: Target) => async (headers: Record<string, string>) => {
    const signal = AbortSignal.timeout(10_000);
    const spec = { method: 'DELETE', headers, signal, headMs: limits.timeoutMs } as const;
    (await http.request(target, spec)).body.destroy();
  };

  function cancel(target: Target, owner: Owner, id: Id): void {
    const message: Rpc = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id, reason: 'The client canceled the request.' },
    };
    // Whoever gave up waits for nothing.
    send(target, owner, message, { signal: AbortSignal.timeout(10_000) }).then(
      (answer) => answer.body.destroy(),
      () => undefined,
    );
  }

  const upstreams: Upstreams = {
    async *call(target, owner, { id, method, params, headers }, caller) {
      // Clients number theirs alike, and several may share a session with the server.
      const own = `${prefix}-${++numbered}`;
      const sent: Rpc = {
        jsonrpc: '2.0',
        id: own,
        method,
        ...(params === undefined ? {} : { params }),
      };
      const clock = startCallClock(target, caller, limits.askedMs);
      const { signal } = clock;
      let [isSent, isBegun, isOver] = [false, false, false];
      try {
        const place: Place = { lastId: null, retryMs: null };
        const onSent = () => {
          isSent = true;
          clock.came();
        };
        const bounds = { signal, headMs: 0 };
        let answer: OpenResponse | null = await send(target, owner, sent, bounds, headers, onSent);
        const { status } = answer;
        if (status !== 200 && (isRedirect(status) || !isJson(answer))) {
          answer.body.destroy();
          throw refusedWith(target, status);
        }
        isBegun = true;
        for (let times = 0; answer !== null && times < RESUMED_MAX; times++) {
          clock.came();
          place.lastId = null;
          for await (const message of messagesOf(target, answer, { clock, place })) {
            if (message.method !== undefined || message.id !== own) {
              // The answer to something else is nobody's.
              if (message.method !== undefined) yield message;
              continue;
            }
            isOver = true;
            yield { ...message, id };
            return;
          }
          answer = place.lastId === null ? null : await resumed(target, owner, place, signal);
        }
        isOver = true;
        if (status !== 200) throw refusedWith(target, status);
        throw unavailable(target, "it didn't respond");
      } catch (error) {
        // What broke off because it was given up is no fault of the server.
        caller.throwIfAborted();
        const timedOut = clock.expired();
        // It was not taken, or never came.
        isOver ||= !isBegun && timedOut === null;
        throw timedOut ?? error;
      } finally {
        clock.stop();
        if (isSent && !isOver) cancel(target, owner, own);
      }
    },
    async tell(target, owner, message, signal) {
      const answer = await send(target, owner, message, { signal });
      answer.body.destroy();
    },
    end: (target, owner) => sessions.end(target, owner, endedBy(target)),
    eraOf: async (target, signal) => (await probed(target, signal)).era,
    async instructionsOf(target, owner, signal) {
      const { era } = await probed(target, signal);
      if (era === 'modern') return (await probe(target, signal)).instructions;
      return sessions.instructionsOf(target, owner, signal, endedBy(target));
    },
    async capabilitiesOf(target, owner, signal) {
      const { era, capabilities } = await probed(target, signal);
      if (era === 'modern') return capabilities;
      return sessions.capabilitiesOf(target, owner, signal);
    },
    async follow(target, owner, { filter, place }, signal) {
      const isModern = (await probed(target, signal)).era === 'modern';
      const answer = isModern
        ? await listen(filter)
        : await sessions.within(target, owner, signal, listening, false);
      const type = String(answer.headers['content-type'] ?? '');
      if (answer.status !== 200 || !type.startsWith('text/event-stream')) {
        answer.body.destroy();
        if (answer.status >= 500 || NOT_NOW.has(answer.status)) {
          throw unavailable(target, `it responded with ${answer.status}`);
        }
        return false;
      }
      return eventsOf(answer.body, limits.maxBytes, place);

      function listening(headers: Record<string, string>): Promise<OpenResponse> {
        const from = place.lastId === null ? {} : { 'last-event-id': place.lastId };
        return http.request(target, {
          method: 'GET',
          headers: { ...headers, ...from },
          signal,
          headMs: limits.timeoutMs,
        });
      }

      function listen(asked: Filter): Promise<OpenResponse> {
        const params = enveloped({ notifications: asked }, CLIENT, owner.capabilities, null);
        const message = { jsonrpc: '2.0', id: 'listen', method: 'subscriptions/listen', params };
        const headers = upstreamHeaders('subscriptions/listen', params);
        return post(target, message, headers, signal);
      }
    },
  };
  return withLegacySse(upstreams, { http, limits });
}

interface Probed {
  era: Era;
  capabilities: ServerCapabilities;
  /** Of a server of the newest revision. */
  instructions: string | null;
  /** False where the answer says nothing of the revision: it is asked again. */
  isSure: boolean;
}
const OLD: Probed = { era: 'legacy', capabilities: null, instructions: null, isSure: true };
/** Whom the server refuses, or when, says nothing of what it is for others, or later. */
const UNTOLD = new Set([401, 402, 403, 407, 408, 409, 421, 423, 425, 429]);
interface EraEntry {
  version: number;
  probed: Promise<Probed>;
  until: number;
}

/** The timeouts of the call bound how long it is resumed; this bounds a server that ends every stream at once. */
const RESUMED_MAX = 5_000;
/** Such as 409 while the server holds a stream for open that was just closed. */
const NOT_NOW = new Set([408, 409, 425, 429]);
/** Whatever else it says: the answer is elsewhere, and nobody goes there. */
const isRedirect = (status: number) => status >= 300 && status < 400;
const isJson = ({ headers }: OpenResponse) =>
  String(headers['content-type'] ?? '').startsWith('application/json');
