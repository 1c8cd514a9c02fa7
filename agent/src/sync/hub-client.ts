// The one client to the hub: the protocol's headers, what an answer means, whether the hub is reached.
import { randomBytes } from 'node:crypto';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import { SYNC_PATHS } from '@gatewarden/shared/wire/sync/limits.ts';
import type { BackendConfig } from '../config/agent-config.ts';
import { redactText } from '../discovery/redaction/argument-redaction.ts';
import { messageOf } from '../runtime/errors.ts';
import { SYSTEM_TIMING, type Timing } from '../runtime/timing.ts';
import { RequestAbortedError, HubRefused, HubUnreachable, parseRetryAfter, UpdateRefused } from './backoff.ts';
import { type Answered, type Asking, type Exchange, openHttpExchange } from './http-exchange.ts';
import { createHubCircuitBreaker } from './hub-circuit-breaker.ts';
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

/** What takes a file as it comes; nothing more is read before a piece was taken. */
export interface Taker {
  /** From which byte on it comes. */
  begins(from: number): Promise<void>;
  takes(piece: Buffer): Promise<void>;
}

export interface SyncClient {
  readonly device: WireDevice;
  readonly contact: HubContact;
  /** The answer, checked. Text is sent as it is: a repeated batch keeps its bytes. Throws HubUnreachable, HubRefused, HeldBack. */
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
const NOTHING_NEW = new Set([204, 304]);

/** A client for one hub. `token` gives the best token there is at the time of each request. */
export function createSyncClient(options: {
  backend: Pick<
    BackendConfig,
    'baseUrl' | 'tenantId' | 'subscriberId' | 'caFile' | 'pin' | 'proxy'
  >;
  device: WireDevice;
  token: () => string | null;
  env: NodeJS.ProcessEnv;
  now?: () => Date;
  timeoutMs?: number;
  /** How long a download may wait for its next byte. */
  stalledMs?: number;
  /** How requests reach the hub; over HTTP where nothing else is said. */
  exchange?: Exchange | undefined;
  timing?: Timing | undefined;
}): SyncClient {
  const { backend, device } = options;
  const exchange = options.exchange ?? openHttpExchange(options);
  const contact: HubContact = { reachable: null, lastContactAt: null, lastError: null };
  const now = options.now ?? (() => new Date());
  const trouble = createHubCircuitBreaker(options.timing ?? SYSTEM_TIMING);
  let isClosed = false;

  const asking = (
    traceId: string,
    method: Asking['method'],
    pathAndQuery: string,
    headers: Record<string, string>,
    body: string | null = null,
  ): Asking => {
    const token = options.token();
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
        // Leads from a line of this agent's log to what the hub did, where its operator traces it.
        traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
        ...headers,
      },
      body,
    };
  };

  const ask = async (what: Asking): Promise<Answered> => {
    const answered = await exchange.ask(what);
    const { status } = answered;
    if ((status >= 200 && status < 300) || status === 304) return answered;
    throw refusal(answered, options.token(), now());
  };

  /** Whatever happens to a request shows in `contact`; an answer that cannot be read is no contact. */
  const noting = async <T>(endpoint: string, work: (traceId: string) => Promise<T>): Promise<T> => {
    const traceId = randomBytes(16).toString('hex');
    const request = UNGUARDED_ENDPOINTS.has(endpoint) ? UNGUARDED : trouble.enter(endpoint);
    try {
      const value = await work(traceId);
      request.recordSuccess();
      contact.reachable = true;
      contact.lastContactAt = now();
      contact.lastError = null;
      return value;
    } catch (error) {
      // What came is not what was wanted; that is not about the contact.
      if (error instanceof UpdateRefused) {
        request.recordSuccess();
        throw error;
      }
      const failure =
        error instanceof HubRefused || error instanceof HubUnreachable
          ? error
          : new (isClosed ? RequestAbortedError : HubUnreachable)(plainly(error), { cause: error });
      if (!(failure instanceof RequestAbortedError)) failure.trace_id = traceId;
      request.recordFailure(failure);
      contact.lastError = failure.message;
      if (failure instanceof HubUnreachable) contact.reachable = false;
      else if (failure.code !== 'no_token') {
        contact.reachable = true;
        contact.lastContactAt = now();
      }
      throw failure;
    }
  };

  return {
    device,
    contact,
    async post(endpoint, body) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return noting(endpoint, async (traceId) => {
        const reply = await ask(asking(traceId, 'POST', SYNC_PATHS[endpoint], {}, text));
        return readAnswer(endpoint, reply.body);
      });
    },
    get(endpoint, query, etag, read) {
      const search = new URLSearchParams(query).toString();
      const path = SYNC_PATHS[endpoint] + (search === '' ? '' : `?${search}`);
      return noting(endpoint, async (traceId) => {
        const reply = await ask(
          asking(traceId, 'GET', path, etag === null ? {} : { 'if-none-match': etag }),
        );
        return { etag: reply.etag, value: NOTHING_NEW.has(reply.status) ? null : read(reply.body) };
      });
    },
    download(path, from, taker) {
      const headers: Record<string, string> = {
        accept: '*/*',
        ...(from > 0 ? { range: `bytes=${from}-` } : {}),
      };
      return noting('download', async (traceId) => {
        const begun = await exchange.begin(asking(traceId, 'GET', path, headers));
        try {
          if (begun.status !== 200 && begun.status !== 206) {
            throw refusal({ ...begun, body: await begun.text() }, null, now());
          }
          // Nothing but 206 goes on in the middle.
          await taker.begins(begun.status === 206 ? from : 0);
          for await (const piece of begun.pieces) await taker.takes(piece);
        } finally {
          begun.leave();
        }
      });
    },
    tryNow: trouble.forget,
    close() {
      isClosed = true;
      exchange.close();
    },
  };
}

/** Without Node's word for who starts a Node of their own. */
const plainly = (error: unknown): string =>
  messageOf(error).replace(/; if the root CA is installed locally.*$/s, '');

/** What those in front of a hub (balancers, proxies) also say in its place, and mean. */
const AMBIGUOUS_CODES = new Set([401, 403, 408, 413, 425, 429]);

/** What was answered may repeat what was sent: neither our token nor any other secret is shown or logged. */
function refusal(
  { status, body, retryAfter, location }: Answered,
  token: string | null,
  now: Date,
): HubRefused | HubUnreachable {
  const said = readError(token === null ? body : body.replaceAll(token, '[cut]'));
  if (said === null && status < 500 && !AMBIGUOUS_CODES.has(status)) {
    // A captive portal or a proxy speaks: what it says is not about us.
    const leads = leadsTo(location);
    return new HubUnreachable(
      `${status}: the answer is not from a hub${leads && `, it leads to ${leads}`}`,
    );
  }
  const { code, message } = said ?? { code: 'unexpected_answer', message: 'not from a hub' };
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
