// Sessions that the gateway has with servers of the older revision: one for each owner and server, as rows, so that any
// hub process goes on with them.

import { Readable } from 'node:stream';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import type { Db } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import type { OpenResponse } from '../../../platform/http/outbound/outbound.ts';
import { bounded, textOf } from './bodies.ts';
import type { Rpc } from './messages.ts';
import { LEGACY } from './revisions.ts';
import { selectUpstreamSession, sessionPlace, storeUpstreamSession } from './store.ts';
import {
  ConnectionLost,
  InitializeRefused,
  late,
  type Owner,
  refusedWith,
  type ServerCapabilities,
  ServerUnreachable,
  type Target,
  unavailable,
} from './targets.ts';
import { onItsOwn, waited } from './together.ts';

export const CLIENT = { name: 'gatewarden', version: '1' };
/** Told with the owner's hash when a session was begun, so that its streams can be followed. */
export const BEGUN = 'mcp-upstream-session';
const SESSIONS_MAX = 50_000;

interface Session {
  id: string | null;
  version: string;
  capabilities: ServerCapabilities;
  instructions: string | null;
  /** Resolves once what the server asks besides its answers reaches the client. */
  heard: Promise<void>;
}

export interface SessionDeps {
  db: Db;
  sealer: Sealer;
  post(
    target: Target,
    message: object,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<OpenResponse>;
  messagesOf(target: Target, answer: OpenResponse): AsyncGenerator<Rpc>;
  /** Resolves once the server is followed for the owner's client, where it can be. */
  followed(owner: Owner, target: Target): Promise<void>;
  /** How long the beginning of a session may take. */
  timeoutMs: number;
}

type Send = (headers: Record<string, string>) => Promise<OpenResponse>;

export interface UpstreamSessions {
  /** Sends within the owner's session; a server that forgot it gets a new one, once. */
  within(
    target: Target,
    owner: Owner,
    signal: AbortSignal,
    send: Send,
    /** False where it is sent in order to hear what the server says. */
    heard?: boolean,
  ): Promise<OpenResponse>;
  capabilitiesOf(target: Target, owner: Owner, signal: AbortSignal): Promise<ServerCapabilities>;
  /** Asks in a session of its own, for a server says it at the beginning only. `tell` ends that session. */
  instructionsOf(
    target: Target,
    owner: Owner,
    signal: AbortSignal,
    tell: (headers: Record<string, string>) => Promise<void>,
  ): Promise<string | null>;
  /** `tell` is called where the server gave the session a name. The row is the caller's. */
  end(
    target: Target,
    owner: Owner,
    tell: (headers: Record<string, string>) => Promise<void>,
  ): Promise<void>;
}

export function createUpstreamSessions(deps: SessionDeps): UpstreamSessions {
  const { db, sealer, post, messagesOf, timeoutMs } = deps;
  const sessions = new Map<string, Promise<Session>>();

  function remember(key: string, session: Promise<Session>): Promise<Session> {
    sessions.set(key, session);
    session.catch(() => {
      if (sessions.get(key) === session) sessions.delete(key);
    });
    for (const oldest of sessions.keys()) {
      if (sessions.size <= SESSIONS_MAX) break;
      sessions.delete(oldest);
    }
    return session;
  }

  function sessionOf(target: Target, owner: Owner): Promise<Session> {
    const key = keyOf(target, owner);
    return (
      sessions.get(key) ??
      remember(
        key,
        stored(target, owner).then((one) => one ?? begun(target, owner)),
      )
    );
  }

  const begun = (target: Target, owner: Owner) =>
    onItsOwn(timeoutMs, late(target), (signal) => begin(target, owner, signal));

  async function stored(target: Target, owner: Owner): Promise<Session | null> {
    const found = await selectUpstreamSession(db, owner.hash, target.backendId);
    if (found === null) return null;
    const place = sessionPlace(owner.hash, target.backendId);
    const id = found.sealed_session === null ? null : sealer.unseal(found.sealed_session, place);
    return {
      ...{ id, version: found.protocol_version, capabilities: null, instructions: null },
      heard: Promise.resolve(),
    };
  }

  async function begin(target: Target, owner: Owner, signal: AbortSignal): Promise<Session> {
    const session = await initialize(target, owner, signal);
    const { id } = session;
    const place = sessionPlace(owner.hash, target.backendId);
    await storeUpstreamSession(db, owner.hash, target.backendId, {
      sealed_session: id === null ? null : sealer.seal(id, place),
      protocol_version: session.version,
    });
    const headers = headersOf(session);
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    (await post(target, initialized, headers, signal)).body.destroy();
    if (owner.logLevel !== null && isObject(session.capabilities?.logging)) {
      const params = { level: owner.logLevel };
      const message = { jsonrpc: '2.0', id: 'level', method: 'logging/setLevel', params };
      (await post(target, message, headers, signal)).body.destroy();
    }
    // A server may ask besides its answer, as soon as it is called: a question that nobody hears is lost.
    session.heard = deps.followed(owner, target);
    await notify(db, { kind: 'forget', cache: BEGUN, keys: [owner.hash.toString('hex')] });
    return session;
  }

  async function initialize(target: Target, owner: Owner, signal: AbortSignal): Promise<Session> {
    const message = {
      jsonrpc: '2.0',
      id: 'initialize',
      method: 'initialize',
      params: { protocolVersion: LEGACY, capabilities: owner.capabilities, clientInfo: CLIENT },
    };
    const answer = await post(target, message, {}, signal).catch((error: unknown) => {
      throw error instanceof ConnectionLost ? new ServerUnreachable(target) : error;
    });
    if (answer.status !== 200) {
      answer.body.destroy();
      const words = `it responded with ${answer.status} to initialize`;
      throw OF_SSE.has(answer.status)
        ? new InitializeRefused(target, words)
        : refusedWith(target, answer.status, words);
    }
    const header = answer.headers['mcp-session-id'];
    const session: Session = {
      // It goes into a header again: what does not fit there is none.
      id: typeof header === 'string' && /^[\x21-\x7e]{1,1000}$/.test(header) ? header : null,
      version: LEGACY,
      capabilities: null,
      instructions: null,
      heard: Promise.resolve(),
    };
    for await (const one of messagesOf(target, answer)) {
      if (one.id !== 'initialize') continue;
      if (one.error !== undefined) throw unavailable(target, 'it rejected initialize');
      const { protocolVersion, capabilities, instructions } = one.result ?? {};
      if (typeof protocolVersion === 'string' && /^[\w.-]{1,40}$/.test(protocolVersion)) {
        session.version = protocolVersion;
      }
      session.capabilities = isObject(capabilities) ? capabilities : {};
      session.instructions = textOrNull(instructions);
      break;
    }
    return session;
  }

  return {
    async within(target, owner, signal, send, heard = true) {
      const used = sessionOf(target, owner);
      const session = await waited(used, signal);
      if (heard) await waited(session.heard, signal);
      const answer = await withHead(await send(headersOf(session)), timeoutMs);
      if (session.id === null || !isForgotten(answer)) return answer;
      answer.body.destroy();
      const key = keyOf(target, owner);
      // Many calls learn of it together: the first of them begins the next one, for all.
      const now = sessions.get(key);
      const next = now === undefined || now === used ? remember(key, begun(target, owner)) : now;
      const again = await waited(next, signal);
      if (heard) await waited(again.heard, signal);
      return send(headersOf(again));
    },
    async end(target, owner, tell) {
      const key = keyOf(target, owner);
      const session = await (sessions.get(key) ?? stored(target, owner));
      sessions.delete(key);
      if (session !== null && session.id !== null) await tell(headersOf(session));
    },
    async instructionsOf(target, owner, signal, tell) {
      const session = await initialize(target, owner, signal);
      // A server that cannot be told keeps it for as long as it likes.
      if (session.id !== null) void tell(headersOf(session)).catch(() => undefined);
      return session.instructions;
    },
    capabilitiesOf: async (target, owner, signal) =>
      (await waited(sessionOf(target, owner), signal)).capabilities,
  };
}

/** By these a server may say that it speaks HTTP+SSE only. */
const OF_SSE = new Set([400, 404, 405]);

/** So much of an answer tells whether it is about the session. */
const HEAD_BYTES = 64 * 1024;

/** Of an answer that may be about the session what it says; it can be read all the same. */
async function withHead(
  answer: OpenResponse,
  timeoutMs: number,
): Promise<OpenResponse & { head?: string }> {
  if (answer.status !== 400) return answer;
  const pause = bounded(answer.body, timeoutMs);
  const head = await textOf(answer.body, HEAD_BYTES, pause).catch(() => '');
  pause.end();
  answer.body.destroy();
  return { ...answer, head, body: Readable.from(head === '' ? [] : [Buffer.from(head)]) };
}

/** The protocol says 404; many servers, the SDK's examples among them, answer 400 and say that the session is none. */
const isForgotten = ({ status, head = '' }: { status: number; head?: string }) =>
  status === 404 || (status === 400 && /session/i.test(head));

export const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

const keyOf = (target: Target, owner: Owner) =>
  `${owner.hash.toString('hex')} ${target.backendId} ${target.version}`;
const headersOf = ({ id, version }: Session): Record<string, string> => ({
  'mcp-protocol-version': version,
  ...(id === null ? {} : { 'mcp-session-id': id }),
});
