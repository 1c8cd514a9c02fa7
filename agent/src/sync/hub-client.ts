// The client of the hub: protocol headers, meaning of answers, and whether the hub is reachable.
import { randomBytes } from 'node:crypto';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import { SYNC_PATHS } from '@gatewarden/shared/wire/sync/limits.ts';
import type { BackendConfig } from '../config/agent-config.ts';
import { redactText } from '../discovery/redaction/argument-redaction.ts';
import { messageOf } from '../runtime/errors.ts';
import { SYSTEM_TIMING, type Timing } from '../runtime/timing.ts';
import {
  HubRefused,
  HubUnreachable,
  parseRetryAfter,
  RequestAbortedError,
  UpdateRefused,
} from './backoff.ts';
import {
  type Exchange,
  type HubRequest,
  type HubResponse,
  openHttpExchange,
} from './http-exchange.ts';
import { createHubCircuitBreaker, type HubCircuitBreaker } from './hub-circuit-breaker.ts';
import { type Answer, readAnswer } from './hub-responses.ts';

export interface HubContact {
  reachable: boolean | null;
  lastContactAt: Date | null;
  lastError: string | null;
}

/** 304 has neither. */
export interface HubAnswer<T> {
  etag: string | null;
  value: T | null;
}

type Posted =
  | 'enroll'
  | 'discoveredApps'
  | 'unknownProcesses'
  | 'runningProcesses'
  | 'activity'
  | 'alerts'
  | 'accessRequests';
type Got = 'delta' | 'processMap' | 'mcpOffer' | 'update';

/** Receiver of a file in pieces; the next piece is read only after the last was taken. */
export interface Taker {
  /** From which byte on it comes. */
  begins(from: number): Promise<void>;
  takes(piece: Buffer): Promise<void>;
}

export interface SyncClient {
  readonly device: WireDevice;
  readonly contact: HubContact;
  /**
   * Returns the validated answer. Text is sent as it is: a repeated batch keeps its bytes. Throws HubUnreachable,
   * HubRefused and RequestDeferredError.
   */
  post<E extends Posted>(endpoint: E, body: object | string): Promise<Answer<E>>;
  /** The answer as `read` takes it, or null where nothing is new since `etag`. Throws the same. */
  get<T>(
    endpoint: Got,
    query: Record<string, string>,
    etag: string | null,
    read: (body: string) => T,
  ): Promise<HubAnswer<T>>;
  /** A file from this byte on, or from the first where the hub does so. Throws the same, and what the taker throws. */
  download(path: string, from: number, taker: Taker): Promise<void>;
  /** A person wants it now: the next request goes, however long the hub has been in trouble. */
  tryNow(): void;
  /** Ends what is under way and closes the connections. */
  close(): void;
}

/** A person looks; and what breaks off many times until it is whole has a schedule of its own. */
const UNGUARDED_ENDPOINTS = new Set(['mcpOffer', 'download']);
const UNGUARDED = { recordSuccess: () => undefined, recordFailure: () => undefined };

/** Without a body. */
const STATUS_WITHOUT_BODY = new Set([204, 304]);

interface SyncClientOptions {
  backend: Pick<
    BackendConfig,
    'baseUrl' | 'tenantId' | 'subscriberId' | 'caFile' | 'pin' | 'proxy'
  >;
  device: WireDevice;
  /** Returns the best token at the time of a request. */
  token: () => string | null;
  env: NodeJS.ProcessEnv;
  now?: () => Date;
  timeoutMs?: number;
  /** Longest wait of a download for its next byte. */
  stalledMs?: number;
  /** Transport of requests; HTTP by default. */
  exchange?: Exchange | undefined;
  timing?: Timing | undefined;
}

/** Creates a client for one hub. */
export function createSyncClient(options: SyncClientOptions): SyncClient {
  const { device } = options;
  const exchange = options.exchange ?? openHttpExchange(options);
  const contact: HubContact = { reachable: null, lastContactAt: null, lastError: null };
  const now = options.now ?? (() => new Date());
  const breaker = createHubCircuitBreaker(options.timing ?? SYSTEM_TIMING);
  let isClosed = false;
  const withContact = createContactTracking({ breaker, contact, now, isClosed: () => isClosed });
  const request = createRequestBuilder(options);

  const send = async (outgoing: HubRequest): Promise<HubResponse> => {
    const answer = await exchange.ask(outgoing);
    const { status } = answer;
    if ((status >= 200 && status < 300) || status === 304) return answer;
    throw refusal(answer, options.token(), now());
  };

  return {
    device,
    contact,
    async post(endpoint, body) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return withContact(endpoint, async (traceId) => {
        const answer = await send(request(traceId, 'POST', SYNC_PATHS[endpoint], {}, text));
        return readAnswer(endpoint, answer.body);
      });
    },
    get(endpoint, query, etag, read) {
      const search = new URLSearchParams(query).toString();
      const path = SYNC_PATHS[endpoint] + (search === '' ? '' : `?${search}`);
      return withContact(endpoint, async (traceId) => {
        const headers = etag === null ? {} : { 'if-none-match': etag };
        const answer = await send(request(traceId, 'GET', path, headers));
        const isUnchanged = STATUS_WITHOUT_BODY.has(answer.status);
        return { etag: answer.etag, value: isUnchanged ? null : read(answer.body) };
      });
    },
    download(path, from, taker) {
      const headers: Record<string, string> = {
        accept: '*/*',
        ...(from > 0 ? { range: `bytes=${from}-` } : {}),
      };
      return withContact('download', async (traceId) => {
        const download = await exchange.begin(request(traceId, 'GET', path, headers));
        try {
          if (download.status !== 200 && download.status !== 206) {
            throw refusal({ ...download, body: await download.text() }, null, now());
          }
          // Only a 206 continues at the requested byte (RFC 9110 §15.3.7).
          await taker.begins(download.status === 206 ? from : 0);
          for await (const piece of download.pieces) await taker.takes(piece);
        } finally {
          download.leave();
        }
      });
    },
    tryNow: breaker.forget,
    close() {
      isClosed = true;
      exchange.close();
    },
  };
}

/** Returns a function that builds a request with the protocol's headers; it throws without a token. */
function createRequestBuilder({ backend, device, token: currentToken }: SyncClientOptions) {
  return (
    traceId: string,
    method: HubRequest['method'],
    pathAndQuery: string,
    headers: Record<string, string>,
    body: string | null = null,
  ): HubRequest => {
    const token = currentToken();
    if (token === null) throw new HubRefused(401, 'no_token', 'this agent has no token yet', null);
    return {
      method,
      pathAndQuery,
      headers: {
        authorization: `Bearer ${token}`,
        'x-tenant-id': backend.tenantId,
        'x-subscriber-id': backend.subscriberId,
        'x-device-id': device.device_id,
        accept: 'application/json',
        'user-agent': `gatewarden-agent/${device.agent_version}`,
        // Links a line of this agent's log to the hub's trace (W3C Trace Context).
        traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
        ...headers,
      },
      body,
    };
  };
}

/** Returns a wrapper that records the outcome of a request in `contact` and the breaker; an unreadable answer is no contact. */
function createContactTracking(parts: {
  breaker: HubCircuitBreaker;
  contact: HubContact;
  now: () => Date;
  isClosed: () => boolean;
}) {
  const { breaker, contact, now, isClosed } = parts;
  const toFailure = (error: unknown) => {
    if (error instanceof HubRefused || error instanceof HubUnreachable) return error;
    const Failure = isClosed() ? RequestAbortedError : HubUnreachable;
    return new Failure(plainly(error), { cause: error });
  };
  return async <T>(endpoint: string, work: (traceId: string) => Promise<T>): Promise<T> => {
    const traceId = randomBytes(16).toString('hex');
    const guard = UNGUARDED_ENDPOINTS.has(endpoint) ? UNGUARDED : breaker.enter(endpoint);
    try {
      const value = await work(traceId);
      guard.recordSuccess();
      contact.reachable = true;
      contact.lastContactAt = now();
      contact.lastError = null;
      return value;
    } catch (error) {
      // A refused release is a fault of the release, not of the contact.
      if (error instanceof UpdateRefused) {
        guard.recordSuccess();
        throw error;
      }
      const failure = toFailure(error);
      if (!(failure instanceof RequestAbortedError)) failure.trace_id = traceId;
      guard.recordFailure(failure);
      contact.lastError = failure.message;
      if (failure instanceof HubUnreachable) contact.reachable = false;
      else if (failure.code !== 'no_token') {
        contact.reachable = true;
        contact.lastContactAt = now();
      }
      throw failure;
    }
  };
}

/** Without Node's word for who starts a Node of their own. */
const plainly = (error: unknown): string =>
  messageOf(error).replace(/; if the root CA is installed locally.*$/s, '');

/** Status codes that balancers and proxies in front of a hub answer in its place, with the same meaning. */
const AMBIGUOUS_CODES = new Set([401, 403, 408, 413, 425, 429]);

/**
 * Builds the error of an answer. An answer may repeat the request: neither the token nor another secret is shown or
 * logged.
 */
function refusal(
  { status, body, retryAfter, location }: HubResponse,
  token: string | null,
  now: Date,
): HubRefused | HubUnreachable {
  const hubError = readError(token === null ? body : body.replaceAll(token, '[cut]'));
  if (hubError === null && status < 500 && !AMBIGUOUS_CODES.has(status)) {
    // A captive portal or a proxy answers: its answer is not about this agent.
    const leads = leadsTo(location);
    return new HubUnreachable(
      `${status}: the answer is not from a hub${leads && `, it leads to ${leads}`}`,
    );
  }
  const { code, message } = hubError ?? { code: 'unexpected_answer', message: 'not from a hub' };
  return new HubRefused(status, code, message, parseRetryAfter(retryAfter, now.getTime()));
}

/** The origin only: the rest of a redirect may repeat what was asked, or carry somebody's session. */
function leadsTo(location: string | undefined): string {
  if (location === undefined || !URL.canParse(location)) return '';
  const { origin } = new URL(location);
  return origin === 'null' ? '' : origin;
}

function readError(body: string): { code: string; message: string } | null {
  try {
    const { error } = JSON.parse(body) as { error?: { code?: unknown; message?: unknown } };
    if (typeof error?.code !== 'string') return null;
    const singleLine = (text: string) => redactText(text).replace(/\p{Cc}+/gu, ' ');
    const message = typeof error.message === 'string' ? error.message.slice(0, 500) : '';
    return { code: singleLine(error.code.slice(0, 100)), message: singleLine(message) };
  } catch {
    return null;
  }
}
