// How the gateway speaks with one MCP server: finds out its revision, keeps a session with it where it wants one, sends
// one request and gives the messages that come back. Nothing of the client's credentials goes there.
import type { Sealer } from '../../../platform/crypto/seal.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isObject } from '../../../platform/http/json.ts';
import type { OpenedAnswer, Outbound } from '../../../platform/http/outbound.ts';
import { type Id, RPC, type Rpc, RpcError } from './messages.ts';
import { type Era, enveloped, LEGACY, MODERN, unenveloped, upstreamHeaders } from './revisions.ts';
import { eventsOf } from './sse.ts';
import { selectUpstreamSession, sessionPlace, storeUpstreamSession } from './store.ts';

export interface Target {
  tenantId: string;
  backendId: string;
  slug: string;
  name: string;
  url: string;
  version: number;
  /** What the gateway sends to be let in, opened when it is needed. Throws KeyMissing where the person has to give it. */
  credentials(): Promise<Record<string, string>>;
  /** What to send instead of what the server refused with 401. Throws RpcError where there is nothing. */
  credentialsAfter?(refused: Record<string, string>): Promise<Record<string, string>>;
}

/** Whose session with the upstream it is: a client's session, or its token. */
export interface Owner {
  hash: Buffer;
  capabilities: Record<string, unknown>;
}

export interface UpstreamLimits {
  /** Until the answer begins, and between its parts. */
  timeoutMs: number;
  maxChars: number;
}

export const LIMITS: UpstreamLimits = { timeoutMs: 60_000, maxChars: 16 * 1024 * 1024 };
const CLIENT = { name: 'gatewarden', version: '1' };
/** A server that was updated is asked again. */
const ERA_MS = 10 * 60_000;

export interface Upstreams {
  /** The server's messages, the answer to this request last. Throws RpcError where there is none. */
  call(
    target: Target,
    owner: Owner,
    request: { id: Id; method: string; params: Record<string, unknown> | undefined },
    signal: AbortSignal,
  ): AsyncGenerator<Rpc>;
  /** A notification, or the client's answer to the server's own request. */
  tell(target: Target, owner: Owner, message: Rpc, signal: AbortSignal): Promise<void>;
}

interface Session {
  id: string | null;
  version: string;
}

export function createUpstreams(deps: {
  db: Db;
  sealer: Sealer;
  outbound: Outbound;
  limits?: UpstreamLimits;
}): Upstreams {
  const { db, sealer, outbound } = deps;
  const limits = deps.limits ?? LIMITS;
  const eras = new Map<string, { version: number; era: Promise<Era>; until: number }>();
  const sessions = new Map<string, Promise<Session>>();

  const post = async (
    target: Target,
    message: object,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<OpenedAnswer> => {
    let credentials = await target.credentials();
    for (;;) {
      const answer = await postAs(target, credentials, message, headers, signal);
      if (answer.status !== 401 || target.credentialsAfter === undefined) return answer;
      answer.body.destroy();
      credentials = await target.credentialsAfter(credentials);
    }
  };

  const postAs = (
    target: Target,
    credentials: Record<string, string>,
    message: object,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<OpenedAnswer> =>
    outbound
      .open(target.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'user-agent': 'gatewarden-mcp-gateway',
          ...credentials,
          ...headers,
        },
        body: JSON.stringify(message),
        signal,
        timeoutMs: limits.timeoutMs,
      })
      .catch((error: Error) => {
        if (signal.aborted) throw error;
        throw unreachable(
          target,
          error.name === 'HeadersTimeoutError' ? 'it did not answer in time' : null,
        );
      });

  function eraOf(target: Target, signal: AbortSignal): Promise<Era> {
    const { backendId, version } = target;
    const known = eras.get(backendId);
    if (known?.version === version && known.until > Date.now()) return known.era;
    const era = probe(target, signal);
    eras.set(backendId, { version, era, until: Date.now() + ERA_MS });
    era.catch(() => eras.delete(backendId));
    return era;
  }

  async function probe(target: Target, signal: AbortSignal): Promise<Era> {
    const params = enveloped({}, CLIENT, {});
    const message = { jsonrpc: '2.0', id: 'discover', method: 'server/discover', params };
    const answer = await post(target, message, upstreamHeaders('server/discover', params), signal);
    if (answer.status !== 200) {
      answer.body.destroy();
      if (answer.status >= 500) throw unreachable(target, `it answered ${answer.status}`);
      return 'legacy';
    }
    for await (const one of messagesOf(target, answer)) {
      if (one.id !== 'discover') continue;
      const versions = one.result?.supportedVersions;
      return Array.isArray(versions) && versions.includes(MODERN) ? 'modern' : 'legacy';
    }
    return 'legacy';
  }

  function sessionOf(target: Target, owner: Owner, signal: AbortSignal): Promise<Session> {
    const key = keyOf(target, owner);
    let known = sessions.get(key);
    if (known === undefined) {
      known = storedSession(target, owner).then((one) => one ?? begin(target, owner, signal));
      sessions.set(key, known);
      known.catch(() => sessions.delete(key));
      for (const oldest of sessions.keys()) {
        if (sessions.size <= SESSIONS_MAX) break;
        sessions.delete(oldest);
      }
    }
    return known;
  }

  async function storedSession(target: Target, owner: Owner): Promise<Session | null> {
    const found = await selectUpstreamSession(db, owner.hash, target.backendId);
    if (found === null) return null;
    const place = sessionPlace(owner.hash, target.backendId);
    const id = found.sealed_session === null ? null : sealer.unseal(found.sealed_session, place);
    return { id, version: found.protocol_version };
  }

  async function begin(target: Target, owner: Owner, signal: AbortSignal): Promise<Session> {
    const message = {
      jsonrpc: '2.0',
      id: 'initialize',
      method: 'initialize',
      params: { protocolVersion: LEGACY, capabilities: owner.capabilities, clientInfo: CLIENT },
    };
    const answer = await post(target, message, {}, signal);
    if (answer.status !== 200) {
      answer.body.destroy();
      throw unreachable(target, `it answered ${answer.status} to initialize`);
    }
    let version = LEGACY;
    for await (const one of messagesOf(target, answer)) {
      if (one.id !== 'initialize') continue;
      if (one.error !== undefined) throw unreachable(target, 'it refused to initialize');
      if (typeof one.result?.protocolVersion === 'string') version = one.result.protocolVersion;
      break;
    }
    const header = answer.headers['mcp-session-id'];
    const session = { id: typeof header === 'string' ? header : null, version };
    const sealed =
      session.id === null
        ? null
        : sealer.seal(session.id, sessionPlace(owner.hash, target.backendId));
    await storeUpstreamSession(db, owner.hash, target.backendId, {
      sealed_session: sealed,
      protocol_version: version,
    });
    const told = await post(
      target,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      sessionHeaders(session),
      signal,
    );
    told.body.destroy();
    return session;
  }

  async function send(
    target: Target,
    owner: Owner,
    message: Rpc,
    signal: AbortSignal,
  ): Promise<OpenedAnswer> {
    if ((await eraOf(target, signal)) === 'modern') {
      if (message.method === undefined) {
        throw new RpcError(RPC.invalidRequest, 'This server asks nothing that way.');
      }
      const params = enveloped(message.params, CLIENT, owner.capabilities);
      return post(target, { ...message, params }, upstreamHeaders(message.method, params), signal);
    }
    const params = unenveloped(message.params);
    const { params: _params, ...rest } = message;
    const plain = params === undefined ? rest : { ...rest, params };
    for (let tried = 1; ; tried++) {
      const session = await sessionOf(target, owner, signal);
      const answer = await post(target, plain, sessionHeaders(session), signal);
      // The server forgot the session: a new one, once.
      if (answer.status !== 404 || session.id === null || tried === 2) return answer;
      answer.body.destroy();
      const begun = begin(target, owner, signal);
      sessions.set(keyOf(target, owner), begun);
      begun.catch(() => sessions.delete(keyOf(target, owner)));
    }
  }

  /** Only JSON and event streams come back from a server, whatever else it sends. */
  async function* messagesOf(target: Target, answer: OpenedAnswer): AsyncGenerator<Rpc> {
    const type = String(answer.headers['content-type'] ?? '').toLowerCase();
    try {
      if (type.startsWith('text/event-stream')) {
        yield* eventsOf(answer.body, limits.maxChars);
        return;
      }
      if (!type.startsWith('application/json')) throw unreachable(target, 'it answered no JSON');
      const parsed: unknown = JSON.parse(await textOf(answer, limits.maxChars));
      if (isObject(parsed)) yield parsed as unknown as Rpc;
    } catch (error) {
      if (error instanceof RpcError) throw error;
      throw unreachable(target, 'its answer broke off or could not be read');
    } finally {
      answer.body.destroy();
    }
  }

  return {
    async *call(target, owner, { id, method, params }, signal) {
      const answer = await send(
        target,
        owner,
        { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) },
        signal,
      );
      if (answer.status !== 200 && !isJson(answer)) {
        answer.body.destroy();
        throw unreachable(target, `it answered ${answer.status}`);
      }
      for await (const message of messagesOf(target, answer)) {
        yield message;
        if (message.method === undefined && message.id === id) return;
      }
      throw unreachable(target, 'it gave no answer');
    },
    async tell(target, owner, message, signal) {
      const answer = await send(target, owner, message, signal);
      answer.body.destroy();
    },
  };
}

const SESSIONS_MAX = 50_000;
const keyOf = (target: Target, owner: Owner) =>
  `${owner.hash.toString('hex')} ${target.backendId} ${target.version}`;
const sessionHeaders = ({ id, version }: Session): Record<string, string> => ({
  'mcp-protocol-version': version,
  ...(id === null ? {} : { 'mcp-session-id': id }),
});
const isJson = ({ headers }: OpenedAnswer) =>
  String(headers['content-type'] ?? '').startsWith('application/json');

async function textOf({ body }: OpenedAnswer, max: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > max) throw new Error('the answer is too long');
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The person has to give something first, or again: no fault of the server. */
export class KeyMissing extends RpcError {
  /** Without the address. */
  readonly words: string;
  /** Where the person does it; null where it is nobody's who signed in. */
  readonly url: string | null;

  constructor(words: string, url: string | null) {
    super(
      RPC.upstream,
      url === null ? words : `${words} Open ${url}`,
      url === null ? {} : { data: { url } },
    );
    this.words = words;
    this.url = url;
  }
}

/** The server refuses the client's own token: the client has to be told as if it were asked itself. */
export class TokenRefused extends RpcError {
  constructor() {
    super(RPC.upstream, 'The server does not accept the token.', { status: 401 });
  }
}

/** What a client is told of a server that does not do its part: which one, never what it said. */
export function unreachable(target: Pick<Target, 'name'>, why: string | null): RpcError {
  const reason = why ?? 'it cannot be reached';
  return new RpcError(RPC.upstream, `The MCP server "${target.name}" is not available: ${reason}.`);
}
