// How the gateway speaks with one MCP server: finds out its revision, sends one request and gives the messages that come
// back, or listens to what the server says of its own accord. Nothing of the client's credentials goes there.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { textWithDigits } from '../../../platform/http/digits.ts';
import { isObject } from '../../../platform/http/json.ts';
import type { OpenedAnswer, Outbound } from '../../../platform/http/outbound.ts';
import { bounded, noted, textOf } from './bodies.ts';
import { type Id, isMessage, parsedJson, RPC, type Rpc, RpcError } from './messages.ts';
import { type Era, enveloped, MODERN, unenveloped, upstreamHeaders } from './revisions.ts';
import type { Filter } from './server-messages.ts';
import { eventsOf, type Place } from './sse.ts';
import {
  late,
  type Owner,
  refusedWith,
  type ServerCapabilities,
  type Target,
  TooLate,
  unreachable,
} from './targets.ts';
import { onItsOwn, waited } from './together.ts';
import { CLIENT, createUpstreamSessions, type SessionDeps } from './upstream-sessions.ts';

export interface UpstreamLimits {
  /** Until the answer begins, and between its parts. */
  timeoutMs: number;
  /** The same while the server waits for what it asked the client. */
  askedMs: number;
  maxChars: number;
}

export const LIMITS: UpstreamLimits = {
  timeoutMs: 60_000,
  askedMs: 10 * 60_000,
  maxChars: 16 * 1024 * 1024,
};
/** A server that was updated is asked again. */
const ERA_MS = 10 * 60_000;

export interface UpstreamRequest {
  id: Id;
  method: string;
  params: Record<string, unknown> | undefined;
  /** Of the newest revision: sent along. */
  headers?: Record<string, string>;
}

export interface Upstreams {
  /** The server's messages, the answer to this request last. Throws RpcError where there is none. */
  call(
    target: Target,
    owner: Owner,
    request: UpstreamRequest,
    signal: AbortSignal,
  ): AsyncGenerator<Rpc>;
  /** A notification, or the client's answer to the server's own request. */
  tell(target: Target, owner: Owner, message: Rpc, signal: AbortSignal): Promise<void>;
  /** The owner's session with the server is over. */
  end(target: Target, owner: Owner): Promise<void>;
  eraOf(target: Target, signal: AbortSignal): Promise<Era>;
  /** Begins a session where there is none yet. */
  capabilitiesOf(target: Target, owner: Owner, signal: AbortSignal): Promise<ServerCapabilities>;
  /**
   * What the server says of its own accord, until it ends the stream: of the newest revision what `filter` names. Gives
   * false where it offers no such stream. `place`: where an earlier one broke off.
   */
  follow(
    target: Target,
    owner: Owner,
    ask: { filter: Filter; place: Place },
    signal: AbortSignal,
  ): Promise<AsyncGenerator<Rpc> | false>;
}

export function createUpstreams(
  deps: Omit<SessionDeps, 'post' | 'messagesOf' | 'timeoutMs'> & {
    outbound: Outbound;
    limits?: UpstreamLimits;
  },
): Upstreams {
  const { outbound } = deps;
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

  async function request(
    target: Target,
    method: 'GET' | 'POST' | 'DELETE',
    headers: Record<string, string>,
    signal: AbortSignal,
    body?: string,
  ): Promise<OpenedAnswer> {
    // They may have to be fetched from a login that does not answer, and the client may go meanwhile.
    let credentials = await waited(target.credentials(), signal);
    for (let times = 0; ; times++) {
      const answer = await requestAs(target, credentials, method, headers, signal, body);
      const after = times < RENEWED_MAX ? target.credentialsAfter : undefined;
      if (answer.status !== 401 || after === undefined) return answer;
      answer.body.destroy();
      credentials = await waited(after(credentials), signal);
    }
  }

  function requestAs(
    target: Target,
    credentials: Record<string, string>,
    method: 'GET' | 'POST' | 'DELETE',
    headers: Record<string, string>,
    signal: AbortSignal,
    body: string | undefined,
  ): Promise<OpenedAnswer> {
    return outbound
      .open(target.url, {
        method,
        headers: {
          accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
          // Nothing here unpacks an answer.
          'accept-encoding': 'identity',
          'user-agent': 'gatewarden-mcp-gateway',
          ...credentials,
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
        signal,
        timeoutMs: limits.timeoutMs,
      })
      .catch((error: Error) => {
        if (signal.aborted) throw error;
        throw error.name === 'HeadersTimeoutError'
          ? new TooLate(target)
          : unreachable(target, null);
      });
  }

  function post(
    target: Target,
    message: object,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<OpenedAnswer> {
    const all = { 'content-type': 'application/json', ...headers };
    return request(target, 'POST', all, signal, textWithDigits(message));
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
      if (answer.status >= 500) throw unreachable(target, `it answered ${answer.status}`);
      return { ...OLD, isSure: !UNTOLD.has(answer.status) };
    }
    for await (const one of messagesOf(target, answer)) {
      if (one.id !== 'discover') continue;
      const versions = one.result?.supportedVersions;
      if (!Array.isArray(versions) || !versions.includes(MODERN)) break;
      const { capabilities } = one.result ?? {};
      return {
        era: 'modern',
        capabilities: isObject(capabilities) ? capabilities : null,
        isSure: true,
      };
    }
    return OLD;
  }

  async function send(
    target: Target,
    owner: Owner,
    message: Rpc,
    signal: AbortSignal,
    more: Record<string, string> = {},
    /** Called where the server may hear of it only by another message that nobody waits any more. */
    onSent: () => void = () => undefined,
  ): Promise<OpenedAnswer> {
    if ((await probed(target, signal)).era === 'modern') {
      if (message.method === undefined) {
        throw new RpcError(RPC.invalidRequest, 'This server asks nothing that way.');
      }
      const params = enveloped(message.params, CLIENT, owner.capabilities, owner.logLevel);
      const headers = { ...more, ...upstreamHeaders(message.method, params) };
      return post(target, { ...message, params }, headers, signal);
    }
    const params = unenveloped(message.params);
    const { params: _params, ...rest } = message;
    const plain = params === undefined ? rest : { ...rest, params };
    return sessions.within(target, owner, signal, (headers) => {
      onSent();
      return post(target, plain, headers, signal);
    });
  }

  /** Only JSON and event streams come back from a server, whatever else it sends. */
  async function* messagesOf(
    target: Target,
    answer: OpenedAnswer,
    place?: Place,
  ): AsyncGenerator<Rpc> {
    const type = String(answer.headers['content-type'] ?? '').toLowerCase();
    const pause = bounded(answer.body, limits.timeoutMs);
    try {
      if (type.startsWith('text/event-stream')) {
        for await (const one of eventsOf(noted(answer.body, pause), limits.maxChars, place)) {
          // A person may be asked, who takes longer than a server.
          if (one.method !== undefined && one.id != null) pause.set(limits.askedMs);
          yield one;
        }
        return;
      }
      if (!type.startsWith('application/json')) throw unreachable(target, 'it answered no JSON');
      const parsed = parsedJson(await textOf(answer.body, limits.maxChars, pause));
      if (isMessage(parsed)) yield parsed;
    } catch (error) {
      if (error instanceof RpcError) throw error;
      throw unreachable(target, 'its answer broke off or could not be read');
    } finally {
      pause.end();
      answer.body.destroy();
    }
  }

  /** A server of the older revision may end the stream and be asked for the rest of it. */
  async function resumed(
    target: Target,
    owner: Owner,
    place: Place,
    signal: AbortSignal,
  ): Promise<OpenedAnswer | null> {
    await sleep(place.retryMs ?? 1_000, undefined, { signal });
    const answer = await sessions.within(target, owner, signal, (headers) =>
      request(target, 'GET', { ...headers, 'last-event-id': place.lastId ?? '' }, signal),
    );
    if (answer.status === 200) return answer;
    answer.body.destroy();
    return null;
  }

  function cancel(target: Target, owner: Owner, id: Id): void {
    const message: Rpc = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id, reason: 'Nobody waits for it any more.' },
    };
    // Whoever gave up waits for nothing.
    send(target, owner, message, AbortSignal.timeout(10_000)).then(
      (answer) => answer.body.destroy(),
      () => undefined,
    );
  }

  return {
    async *call(target, owner, { id, method, params, headers }, signal) {
      // Clients number theirs alike, and several may share a session with the server.
      const own = `${prefix}-${++numbered}`;
      const sent: Rpc = {
        jsonrpc: '2.0',
        id: own,
        method,
        ...(params === undefined ? {} : { params }),
      };
      let [isSent, isBegun, isOver] = [false, false, false];
      try {
        const place: Place = { lastId: null, retryMs: null };
        let answer: OpenedAnswer | null = await send(target, owner, sent, signal, headers, () => {
          isSent = true;
        });
        const { status } = answer;
        if (status !== 200 && (isRedirect(status) || !isJson(answer))) {
          answer.body.destroy();
          throw refusedWith(target, status);
        }
        isBegun = true;
        for (let times = 0; answer !== null && times < RESUMED_MAX; times++) {
          place.lastId = null;
          for await (const message of messagesOf(target, answer, place)) {
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
        throw unreachable(target, 'it gave no answer');
      } catch (error) {
        // What broke off because it was given up is no fault of the server.
        signal.throwIfAborted();
        // It was not taken, or never came.
        isOver ||= !isBegun && !(error instanceof TooLate);
        throw error;
      } finally {
        if (isSent && !isOver) cancel(target, owner, own);
      }
    },
    async tell(target, owner, message, signal) {
      const answer = await send(target, owner, message, signal);
      answer.body.destroy();
    },
    async end(target, owner) {
      const signal = AbortSignal.timeout(10_000);
      await sessions.end(target, owner, async (headers) => {
        (await request(target, 'DELETE', headers, signal)).body.destroy();
      });
    },
    eraOf: async (target, signal) => (await probed(target, signal)).era,
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
          throw unreachable(target, `it answered ${answer.status}`);
        }
        return false;
      }
      return eventsOf(answer.body, limits.maxChars, place);

      function listening(headers: Record<string, string>): Promise<OpenedAnswer> {
        const from = place.lastId === null ? {} : { 'last-event-id': place.lastId };
        return request(target, 'GET', { ...headers, ...from }, signal);
      }

      function listen(asked: Filter): Promise<OpenedAnswer> {
        const params = enveloped({ notifications: asked }, CLIENT, owner.capabilities, null);
        const message = { jsonrpc: '2.0', id: 'listen', method: 'subscriptions/listen', params };
        const headers = upstreamHeaders('subscriptions/listen', params);
        return post(target, message, headers, signal);
      }
    },
  };
}

interface Probed {
  era: Era;
  capabilities: ServerCapabilities;
  /** False where the answer says nothing of the revision: it is asked again. */
  isSure: boolean;
}
const OLD: Probed = { era: 'legacy', capabilities: null, isSure: true };
/** Whom the server refuses, or when, says nothing of what it is for others, or later. */
const UNTOLD = new Set([401, 402, 403, 407, 408, 409, 421, 423, 425, 429]);
interface EraEntry {
  version: number;
  probed: Promise<Probed>;
  until: number;
}

const RESUMED_MAX = 20;
/** A login may give tokens without end that its server never takes. */
const RENEWED_MAX = 2;
/** Such as 409 while the server holds a stream for open that was just closed. */
const NOT_NOW = new Set([408, 409, 425, 429]);
/** Whatever else it says: the answer is elsewhere, and nobody goes there. */
const isRedirect = (status: number) => status >= 300 && status < 400;
const isJson = ({ headers }: OpenedAnswer) =>
  String(headers['content-type'] ?? '').startsWith('application/json');
