// Requests to MCP servers by Streamable HTTP, in the revision of the server. Nothing of the client's credentials is sent.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestId } from '@modelcontextprotocol/client';
import type { OpenResponse, Outbound } from '../../../platform/http/outbound/outbound.ts';
import {
  addRequestMeta,
  BodyTooLarge,
  isRequest,
  isRpcMessage,
  parseMessageJson,
  type ResumePoint,
  RPC,
  RpcError,
  type RpcMessage,
  readEvents,
  readText,
  startIdleTimer,
  upstreamHeaders,
  withIdleTimer,
} from '../protocol/index.ts';
import { type CallClock, startCallClock } from './call-clock.ts';
import { toLegacyMessage } from './legacy-message.ts';
import { withLegacySse } from './legacy-sse.ts';
import { type ProbeResult, RevisionProbe } from './revision-probe.ts';
import {
  InvalidResponseError,
  ResponseTooLargeError,
  type ServerCapabilities,
  type SessionOwner,
  statusError,
  type UpstreamTarget,
  unavailableError,
} from './targets.ts';
import { createUpstreamHttp, type UpstreamHttp } from './upstream-http.ts';
import {
  CLIENT_INFO,
  createUpstreamSessions,
  type SessionDeps,
  type UpstreamSessions,
} from './upstream-sessions.ts';
import type { OpenStreamOptions, UpstreamLimits, UpstreamRequest, Upstreams } from './upstreams.ts';

const LIMITS: UpstreamLimits = {
  timeoutMs: 60_000,
  clientInputMs: 10 * 60_000,
  maxBytes: 16 * 1024 * 1024,
};
const NOTIFY_MS = 10_000;
/** Default of the protocol for a server that sent no `retry`. */
const RESUME_DELAY_MS = 1_000;
/** Bounds a server that ends each stream at once. The timeouts of the call bound the time. */
const RESUMES_MAX = 5_000;
/** Statuses of a stream that may be available later, such as 409 while the server still has the previous stream. */
const RETRYABLE_STATUSES = new Set([408, 409, 425, 429]);

type UpstreamDeps = Omit<SessionDeps, 'post' | 'readMessages' | 'timeoutMs'> & {
  outbound: Outbound;
  limits?: UpstreamLimits;
};

/** Returns the client of MCP servers, for all revisions and both transports. */
export function createUpstreams(deps: UpstreamDeps): Upstreams {
  const http = createUpstreamHttp(deps.outbound);
  const limits = deps.limits ?? LIMITS;
  return withLegacySse(new StreamableHttpUpstreams(deps, http, limits), { http, limits });
}

/** Progress of a call, which decides whether its server must be notified of a cancellation. */
interface CallProgress {
  isSent: boolean;
  hasResponse: boolean;
  isOver: boolean;
}

class StreamableHttpUpstreams implements Upstreams {
  readonly #http: UpstreamHttp;
  readonly #limits: UpstreamLimits;
  readonly #sessions: UpstreamSessions;
  readonly #probe: RevisionProbe;
  readonly #idPrefix = randomBytes(6).toString('base64url');
  #lastId = 0;

  constructor(deps: UpstreamDeps, http: UpstreamHttp, limits: UpstreamLimits) {
    this.#http = http;
    this.#limits = limits;
    const exchange = {
      post: this.#post,
      readMessages: (target: UpstreamTarget, response: OpenResponse) =>
        this.#readMessages(target, response),
      timeoutMs: limits.timeoutMs,
    };
    this.#sessions = createUpstreamSessions({ ...deps, ...exchange });
    this.#probe = new RevisionProbe(exchange);
  }

  async *call(
    target: UpstreamTarget,
    owner: SessionOwner,
    request: UpstreamRequest,
    caller: AbortSignal,
  ): AsyncGenerator<RpcMessage> {
    // Clients use the same ids, and several clients may share a session with the server.
    const id = `${this.#idPrefix}-${++this.#lastId}`;
    const clock = startCallClock(target, caller, this.#limits.clientInputMs);
    const progress: CallProgress = { isSent: false, hasResponse: false, isOver: false };
    try {
      yield* this.#runCall(target, owner, { ...request, upstreamId: id }, clock, progress);
    } catch (error) {
      // A call that the client aborted is no failure of the server.
      caller.throwIfAborted();
      const timeout = clock.expired();
      // The server rejected the request, or never received it.
      progress.isOver ||= !progress.hasResponse && timeout === null;
      throw timeout ?? error;
    } finally {
      clock.stop();
      if (progress.isSent && !progress.isOver) this.#cancel(target, owner, id);
    }
  }

  async *#runCall(
    target: UpstreamTarget,
    owner: SessionOwner,
    request: UpstreamRequest & { upstreamId: string },
    clock: CallClock,
    progress: CallProgress,
  ): AsyncGenerator<RpcMessage> {
    const { id, upstreamId, method, params, headers = {}, propagation } = request;
    const sent: RpcMessage = {
      jsonrpc: '2.0',
      id: upstreamId,
      method,
      ...(params === undefined ? {} : { params }),
    };
    const onSent = () => {
      progress.isSent = true;
      clock.refresh();
    };
    const trace = { ...propagation };
    const options = { signal: clock.signal, headMs: 0, headers, trace, onSent };
    let response: OpenResponse | null = await this.#send(target, owner, sent, options);
    const { status } = response;
    rejectUnreadable(target, response);
    progress.hasResponse = true;
    const resumePoint: ResumePoint = { lastEventId: null, retryMs: null };
    for (let resumes = 0; response !== null && resumes < RESUMES_MAX; resumes++) {
      clock.refresh();
      resumePoint.lastEventId = null;
      const messages = this.#readMessages(target, response, { clock, resumePoint });
      for await (const message of withoutForeignResponses(messages, upstreamId)) {
        progress.isOver = message.method === undefined;
        yield progress.isOver ? { ...message, id } : message;
        if (progress.isOver) return;
      }
      response = await this.#resume(target, owner, resumePoint, clock.signal);
    }
    progress.isOver = true;
    if (status !== 200) throw statusError(target, status);
    throw unavailableError(target, "it didn't respond");
  }

  async send(
    target: UpstreamTarget,
    owner: SessionOwner,
    message: RpcMessage,
    signal: AbortSignal,
  ): Promise<void> {
    const response = await this.#send(target, owner, message, { signal });
    response.body.destroy();
  }

  endSession(target: UpstreamTarget, owner: SessionOwner): Promise<void> {
    return this.#sessions.endSession(target, owner, this.#deleteSession(target));
  }

  async revisionOf(target: UpstreamTarget, signal: AbortSignal): Promise<ProbeResult['revision']> {
    return (await this.#probe.get(target, signal)).revision;
  }

  async fetchInstructions(
    target: UpstreamTarget,
    owner: SessionOwner,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { revision } = await this.#probe.get(target, signal);
    if (revision === 'modern') return (await this.#probe.fetch(target, signal)).instructions;
    const end = this.#deleteSession(target);
    return this.#sessions.fetchInstructions(target, owner, signal, end);
  }

  async fetchCapabilities(
    target: UpstreamTarget,
    owner: SessionOwner,
    signal: AbortSignal,
  ): Promise<ServerCapabilities> {
    const { revision, capabilities } = await this.#probe.get(target, signal);
    if (revision === 'modern') return capabilities;
    return this.#sessions.fetchCapabilities(target, owner, signal);
  }

  async openStream(
    target: UpstreamTarget,
    owner: SessionOwner,
    options: OpenStreamOptions,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<RpcMessage> | false> {
    const { revision } = await this.#probe.get(target, signal);
    const response =
      revision === 'modern'
        ? await this.#listen(target, owner, options, signal)
        : await this.#openGetStream(target, owner, options, signal);
    if (response.status === 200 && isEventStream(response)) {
      return readEvents(response.body, this.#limits.maxBytes, options);
    }
    response.body.destroy();
    if (response.status >= 500 || RETRYABLE_STATUSES.has(response.status)) {
      throw unavailableError(target, `it responded with ${response.status}`);
    }
    return false;
  }

  #listen(
    target: UpstreamTarget,
    owner: SessionOwner,
    { filter }: OpenStreamOptions,
    signal: AbortSignal,
  ): Promise<OpenResponse> {
    const params = addRequestMeta({ notifications: filter }, CLIENT_INFO, owner.capabilities, null);
    const message = { jsonrpc: '2.0', id: 'listen', method: 'subscriptions/listen', params };
    return this.#post(target, message, upstreamHeaders('subscriptions/listen', params), signal);
  }

  #openGetStream(
    target: UpstreamTarget,
    owner: SessionOwner,
    { resumePoint }: OpenStreamOptions,
    signal: AbortSignal,
  ): Promise<OpenResponse> {
    const { lastEventId } = resumePoint;
    const resume = lastEventId === null ? {} : { 'last-event-id': lastEventId };
    const get = (headers: Record<string, string>) =>
      this.#http.request(target, {
        method: 'GET',
        headers: { ...headers, ...resume },
        signal,
        headMs: this.#limits.timeoutMs,
      });
    // This request opens the stream for which other requests wait.
    return this.#sessions.sendInSession(target, owner, signal, get, { awaitStream: false });
  }

  #post = (
    target: UpstreamTarget,
    message: object,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<OpenResponse> =>
    this.#http.post(target, message, { headers, signal, headMs: this.#limits.timeoutMs });

  async #send(
    target: UpstreamTarget,
    owner: SessionOwner,
    message: RpcMessage,
    options: {
      signal: AbortSignal;
      headMs?: number;
      /** Headers for a server of the revision 2026-07-28. */
      headers?: Record<string, string>;
      /** Headers of the trace context. */
      trace?: Record<string, string>;
      /** Called when only another message can cancel the request at the server. */
      onSent?: () => void;
    },
  ): Promise<OpenResponse> {
    const { signal, headMs = this.#limits.timeoutMs, headers: extra = {}, trace, onSent } = options;
    if ((await this.#probe.get(target, signal)).revision === 'modern') {
      if (message.method === undefined) {
        throw new RpcError(RPC.invalidRequest, "This server doesn't send requests that way.");
      }
      const { capabilities, logLevel } = owner;
      const params = addRequestMeta(message.params, CLIENT_INFO, capabilities, logLevel);
      const headers = { ...extra, ...trace, ...upstreamHeaders(message.method, params) };
      return this.#http.post(target, { ...message, params }, { headers, signal, headMs });
    }
    const legacy = toLegacyMessage(message);
    return this.#sessions.sendInSession(target, owner, signal, (headers) => {
      onSent?.();
      return this.#http.post(target, legacy, { headers: { ...headers, ...trace }, signal, headMs });
    });
  }

  /** Yields the messages of a JSON or event stream response; any other content type is an error. */
  async *#readMessages(
    target: UpstreamTarget,
    response: OpenResponse,
    call?: { clock: CallClock; resumePoint: ResumePoint },
  ): AsyncGenerator<RpcMessage> {
    const { maxBytes, timeoutMs } = this.#limits;
    const idleTimer = call === undefined ? startIdleTimer(response.body, timeoutMs) : null;
    const timer = call?.clock ?? { refresh: () => idleTimer?.refresh() };
    try {
      if (isEventStream(response)) {
        const body = withIdleTimer(response.body, timer);
        yield* extendingClock(readEvents(body, maxBytes, call), call?.clock);
        return;
      }
      if (!isJson(response)) throw new InvalidResponseError(target, 'it sent no JSON');
      const message = parseMessageJson(await readText(response.body, maxBytes, timer));
      if (isRpcMessage(message)) yield message;
    } catch (error) {
      throw readError(target, error);
    } finally {
      idleTimer?.end();
      response.body.destroy();
    }
  }

  /** Resumes the stream of a legacy server that closed it before the response. Returns null if that is not possible. */
  async #resume(
    target: UpstreamTarget,
    owner: SessionOwner,
    { lastEventId, retryMs }: ResumePoint,
    signal: AbortSignal,
  ): Promise<OpenResponse | null> {
    if (lastEventId === null) return null;
    await sleep(retryMs ?? RESUME_DELAY_MS, undefined, { signal });
    const response = await this.#sessions.sendInSession(target, owner, signal, (headers) => {
      const resume = { ...headers, 'last-event-id': lastEventId };
      return this.#http.request(target, { method: 'GET', headers: resume, signal, headMs: 0 });
    });
    if (response.status === 200) return response;
    response.body.destroy();
    return null;
  }

  /** Returns a function that deletes the session which the headers name. */
  #deleteSession(target: UpstreamTarget) {
    return async (headers: Record<string, string>): Promise<void> => {
      const signal = AbortSignal.timeout(NOTIFY_MS);
      const { timeoutMs: headMs } = this.#limits;
      const response = await this.#http.request(target, {
        method: 'DELETE',
        headers,
        signal,
        headMs,
      });
      response.body.destroy();
    };
  }

  /** Notifies the server that a request was canceled. The caller does not wait. */
  #cancel(target: UpstreamTarget, owner: SessionOwner, id: RequestId): void {
    const message: RpcMessage = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id, reason: 'The client canceled the request.' },
    };
    this.send(target, owner, message, AbortSignal.timeout(NOTIFY_MS)).catch(() => undefined);
  }
}

/** Throws for an error status without a JSON-RPC message. */
function rejectUnreadable(target: UpstreamTarget, response: OpenResponse): void {
  const { status } = response;
  if (status === 200 || (!isRedirect(status) && isJson(response))) return;
  response.body.destroy();
  throw statusError(target, status);
}

function readError(target: UpstreamTarget, error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof BodyTooLarge) return new ResponseTooLargeError(target, error);
  return unavailableError(target, 'its response was interrupted or unreadable');
}

/** Yields the messages without responses to other requests, which are ignored. */
async function* withoutForeignResponses(
  messages: AsyncGenerator<RpcMessage>,
  id: string,
): AsyncGenerator<RpcMessage> {
  for await (const message of messages) {
    if (message.method !== undefined || message.id === id) yield message;
  }
}

/** Extends the idle timeout of a call when its server sends a request to the client. */
async function* extendingClock(
  messages: AsyncGenerator<RpcMessage>,
  clock: CallClock | undefined,
): AsyncGenerator<RpcMessage> {
  for await (const message of messages) {
    if (isRequest(message)) clock?.awaitClient();
    yield message;
  }
}

const contentTypeOf = ({ headers }: OpenResponse) =>
  String(headers['content-type'] ?? '').toLowerCase();
const isJson = (response: OpenResponse) => contentTypeOf(response).startsWith('application/json');
const isEventStream = (response: OpenResponse) =>
  contentTypeOf(response).startsWith('text/event-stream');
/** Redirects are never followed: the credential belongs to a single address. */
const isRedirect = (status: number) => status >= 300 && status < 400;
