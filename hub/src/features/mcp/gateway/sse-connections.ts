// Connections with servers of the revision 2024-11-05 (HTTP+SSE): one event stream for each owner and server, on which all
// answers come, and an address for messages that the server names as the first event. In the memory of one hub process: such
// a connection is the session, and no other process can use it.
import type { OpenResponse } from '../../../platform/http/outbound/outbound.ts';
import { BodyTooLarge, noted } from './bodies.ts';
import { type Id, isRequest, RPC, type Rpc } from './messages.ts';
import { unenveloped } from './revisions.ts';
import { eventsOf } from './sse.ts';
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
import { onItsOwn } from './together.ts';
import type { UpstreamHttp } from './upstream-http.ts';
import { CLIENT, textOrNull } from './upstream-sessions.ts';

const VERSION = '2024-11-05';
const CONNECTIONS_MAX = 1_000;
/** Without a call, after which a connection is closed. */
const UNUSED_MS = 60_000;
/** Until a server has named its address and answered: what keeps a stream open without that is no such server. */
const OPENING_MS = 10_000;
const INITIALIZE = 'initialize';
/** Of one call: a server that sends faster than its client reads is given up. */
const UNREAD_MAX = 1_000;

export interface SseInbox {
  /** The next message of the call. Throws RpcError where there will be none. */
  next(signal: AbortSignal): Promise<Rpc>;
  close(): void;
}

export interface SseConnection {
  capabilities: ServerCapabilities;
  instructions: string | null;
  /** What comes for the request with this id, and what the server sends meanwhile; `came` is called with every byte. */
  inbox(id: string, came: () => void): SseInbox;
  post(message: Rpc, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface SseConnections {
  /** Opens a connection where there is none. Throws RpcError. */
  of(target: Target, owner: Owner): Promise<SseConnection>;
  end(target: Target, owner: Owner): void;
}

interface OpenInbox {
  messages: Rpc[];
  failure: Error | null;
  wake: () => void;
  came: () => void;
}

export function createSseConnections(deps: {
  http: UpstreamHttp;
  timeoutMs: number;
  maxBytes: number;
}): SseConnections {
  const { http, timeoutMs, maxBytes } = deps;
  const connections = new Map<string, Promise<SseConnection>>();

  /** Reads the stream until it ends; resolves once the server has named its address for messages. */
  function connect(
    target: Target,
    answer: OpenResponse,
    onEnd: () => void,
  ): Promise<Omit<SseConnection, 'capabilities' | 'instructions'>> {
    const inboxes = new Map<string, OpenInbox>();
    const endpoint = Promise.withResolvers<Target>();
    let unused: NodeJS.Timeout | undefined;
    const fail = (error: Error) => {
      clearTimeout(unused);
      answer.body.destroy();
      endpoint.reject(error);
      for (const inbox of inboxes.values()) {
        inbox.failure = error;
        inbox.wake();
      }
      onEnd();
    };
    const post = async (message: Rpc, signal: AbortSignal) => {
      const spec = { headers: {}, signal, headMs: timeoutMs };
      const { status, body } = await http.post(await endpoint.promise, message, spec);
      body.destroy();
      if (status >= 300) throw refusedWith(target, status);
    };
    const push = (inbox: OpenInbox, message: Rpc) => {
      if (inbox.messages.push(message) > UNREAD_MAX) {
        inbox.failure = new BadAnswer(target, 'it sends more than its client reads');
      }
      inbox.wake();
    };
    const dispatch = (message: Rpc) => {
      if (message.method === undefined) {
        const inbox = inboxes.get(String(message.id));
        if (inbox !== undefined) push(inbox, message);
        return;
      }
      // Nothing says to which call it belongs: the newest has its client there most likely.
      const newest = [...inboxes.values()].at(-1);
      if (newest !== undefined && message.method !== 'ping') return push(newest, message);
      if (!isRequest(message)) return;
      const id = message.id as Id;
      const error = { code: RPC.methodNotFound, message: 'No client is connected to respond.' };
      const reply: Rpc = {
        jsonrpc: '2.0',
        id,
        ...(message.method === 'ping' ? { result: {} } : { error }),
      };
      void post(reply, AbortSignal.timeout(timeoutMs)).catch(() => undefined);
    };
    const onOther = (event: string) => {
      const path = /^data: ?(.+)$/m.exec(event)?.[1];
      if (path === undefined || !/^event: ?endpoint$/m.test(event)) return;
      const url = URL.canParse(path, target.url) ? new URL(path, target.url) : null;
      // The credential goes to where the administrator said, and nowhere else.
      if (url?.origin === new URL(target.url).origin)
        endpoint.resolve({ ...target, url: url.href });
      else fail(new BadAnswer(target, 'its address for messages is at another origin'));
    };
    const read = async () => {
      const came = () => {
        for (const inbox of inboxes.values()) inbox.came();
      };
      const body = noted(answer.body, { came });
      for await (const message of eventsOf(body, maxBytes, undefined, onOther)) dispatch(message);
    };
    const close = () => fail(unavailable(target, 'its connection ended'));
    read().then(close, (error: unknown) =>
      fail(error instanceof BodyTooLarge ? new AnswerTooLarge(target, error) : broken(target)),
    );
    const connection = {
      post,
      close,
      inbox(id: string, came: () => void): SseInbox {
        clearTimeout(unused);
        const inbox: OpenInbox = { messages: [], failure: null, wake: () => undefined, came };
        inboxes.set(id, inbox);
        return {
          async next(signal) {
            for (;;) {
              const message = inbox.messages.shift();
              if (message !== undefined) return message;
              if (inbox.failure !== null) throw inbox.failure;
              signal.throwIfAborted();
              await new Promise<void>((resolve) => {
                inbox.wake = resolve;
                signal.addEventListener('abort', () => resolve(), { once: true });
              });
            }
          },
          close() {
            inboxes.delete(id);
            if (inboxes.size === 0) unused = setTimeout(close, UNUSED_MS).unref();
          },
        };
      },
    };
    return endpoint.promise.then(() => connection);
  }

  async function open(
    target: Target,
    owner: Owner,
    signal: AbortSignal,
    onEnd: () => void,
  ): Promise<SseConnection> {
    const answer = await http.request(target, {
      method: 'GET',
      headers: {},
      // The stream outlives the opening: only until its head the signal counts.
      signal: new AbortController().signal,
      headMs: timeoutMs,
    });
    const type = String(answer.headers['content-type'] ?? '');
    if (answer.status !== 200 || !type.startsWith('text/event-stream')) {
      answer.body.destroy();
      throw refusedWith(target, answer.status);
    }
    const giveUp = () => answer.body.destroy();
    signal.addEventListener('abort', giveUp, { once: true });
    const connection = await connect(target, answer, onEnd);
    const inbox = connection.inbox(INITIALIZE, () => undefined);
    try {
      const params = {
        protocolVersion: VERSION,
        capabilities: owner.capabilities,
        clientInfo: CLIENT,
      };
      await connection.post({ jsonrpc: '2.0', id: INITIALIZE, method: INITIALIZE, params }, signal);
      let message = await inbox.next(signal);
      while (message.method !== undefined) message = await inbox.next(signal);
      if (message.result === undefined) throw unavailable(target, 'it rejected initialize');
      await connection.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, signal);
      const { capabilities, instructions } = message.result;
      return {
        ...connection,
        capabilities: (capabilities ?? {}) as Record<string, unknown>,
        instructions: textOrNull(instructions),
      };
    } catch (error) {
      connection.close();
      throw error;
    } finally {
      inbox.close();
      signal.removeEventListener('abort', giveUp);
    }
  }

  return {
    of(target, owner) {
      const key = keyOf(target, owner);
      const known = connections.get(key);
      if (known !== undefined) return known;
      if (connections.size >= CONNECTIONS_MAX) {
        return Promise.reject(unavailable(target, 'too many connections are open'));
      }
      const onEnd = () => {
        if (connections.get(key) === opened) connections.delete(key);
      };
      const opened: Promise<SseConnection> = onItsOwn(
        Math.min(timeoutMs, OPENING_MS),
        late(target),
        (signal) => open(target, owner, signal, () => onEnd()),
      );
      connections.set(key, opened);
      opened.catch(onEnd);
      return opened;
    },
    end(target, owner) {
      connections.get(keyOf(target, owner))?.then(
        (connection) => connection.close(),
        () => undefined,
      );
    },
  };
}

const broken = (target: Target) =>
  unavailable(target, 'its response was interrupted or unreadable');

const keyOf = (target: Target, owner: Owner) =>
  `${owner.hash.toString('hex')} ${target.backendId} ${target.version}`;

/** A message as a server of the older revisions expects it. */
export function plainMessage(message: Rpc): Rpc {
  const { params: sent, ...rest } = message;
  const params = unenveloped(sent);
  return params === undefined ? rest : { ...rest, params };
}
