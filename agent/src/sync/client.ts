// The one HTTP client to the hub: the protocol's headers, gzip on every POST, a limit in time and size.
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import { SYNC_PATHS } from '@gatewarden/shared/wire/sync/limits.ts';
import type { BackendConfig } from '../config/toml.ts';
import { cutText } from '../discovery/redact.ts';
import { codeOf, messageOf } from '../errors.ts';
import { type Answer, readAnswer } from './answers.ts';
import { isUnknownAuthority, openConnector } from './connect.ts';
import { HubRefused, HubUnreachable, parseRetryAfter, UpdateRefused } from './retry.ts';

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
  /** The answer, checked. Text is sent as it is: a repeated batch keeps its bytes. Throws HubUnreachable, HubRefused. */
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
  /** Ends what is under way and closes the connections. */
  close(): void;
}

/** All of a request: a connection that is half open is given up after this long. */
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Of a large file: an hour for all of it, and a minute without a byte ends it; it goes on later. */
const DOWNLOAD_TIMEOUT_MS = 3_600_000;
const DOWNLOAD_STALLED_MS = 60_000;
const compress = promisify(gzip);
/** Without a body. */
const NOTHING_NEW = new Set([204, 304]);

/** A client for one hub. `token` gives the best token there is at the time of each request. */
export function createSyncClient(options: {
  backend: Pick<BackendConfig, 'baseUrl' | 'tenantId' | 'subscriberId' | 'caFile' | 'pin'>;
  device: WireDevice;
  token: () => string | null;
  env: NodeJS.ProcessEnv;
  now?: () => Date;
  timeoutMs?: number;
  /** How long a download may wait for its next byte. */
  stalledMs?: number;
}): SyncClient {
  const { backend, device } = options;
  const connector = openConnector(new URL(backend.baseUrl), backend, options.env);
  const closing = new AbortController();
  const contact: HubContact = { reachable: null, lastContactAt: null, lastError: null };
  const now = options.now ?? (() => new Date());

  /** The answer as it begins; of a request that is known to have reached nobody the second one's. */
  const send = async (
    method: 'GET' | 'POST',
    pathAndQuery: string,
    headers: Record<string, string>,
    body: Buffer | null,
    patient: { timeoutMs: number; stalledMs?: number },
  ): Promise<{ request: ClientRequest; response: IncomingMessage }> => {
    const token = options.token();
    if (token === null) throw new HubRefused(401, 'no_token', 'this agent has no token yet', null);
    const patience = AbortSignal.timeout(patient.timeoutMs);
    const ask = () => {
      const request = connector.request(new URL(`${backend.baseUrl}${pathAndQuery}`), {
        method,
        signal: AbortSignal.any([closing.signal, patience]),
        headers: {
          authorization: `Bearer ${token}`,
          'x-tenant-id': backend.tenantId,
          'x-subscriber-id': backend.subscriberId,
          'x-device-id': device.device_id,
          accept: 'application/json',
          'user-agent': `gatewarden-agent/${device.agent_version}`,
          ...headers,
        },
      });
      // Told through the answer's stream or the await below; without a listener a late one would end the process.
      request.on('error', () => undefined);
      if (patient.stalledMs !== undefined) {
        request.setTimeout(patient.stalledMs, () => request.destroy(new Error('nothing comes')));
      }
      request.end(body ?? undefined);
      return request;
    };
    let request = ask();
    let response: IncomingMessage;
    try {
      [response] = (await once(request, 'response')) as [IncomingMessage];
    } catch (error) {
      // The hub closed a kept connection in the same moment; everything that is sent may be sent again.
      const isClosed =
        request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '');
      if (!isClosed && !(isUnknownAuthority(error) && connector.widen())) throw error;
      request = ask();
      [response] = (await once(request, 'response')) as [IncomingMessage];
    }
    return { request, response };
  };

  const exchange = async (
    method: 'GET' | 'POST',
    pathAndQuery: string,
    headers: Record<string, string>,
    body: Buffer | null,
  ): Promise<{ status: number; etag: string | null; body: string }> => {
    const timeoutMs = options.timeoutMs ?? REQUEST_TIMEOUT_MS;
    const { request, response } = await send(method, pathAndQuery, headers, body, { timeoutMs });
    try {
      const text = await readBody(response);
      const status = response.statusCode ?? 0;
      if ((status >= 200 && status < 300) || status === 304) {
        return { status, etag: response.headers.etag ?? null, body: text };
      }
      throw refusal(response, text, options.token(), now());
    } finally {
      if (!response.complete) request.destroy();
    }
  };

  /** Whatever happens to a request shows in `contact`; an answer that cannot be read is no contact. */
  const noting = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const value = await work();
      contact.reachable = true;
      contact.lastContactAt = now();
      contact.lastError = null;
      return value;
    } catch (error) {
      // What came is not what was wanted; that is not about the contact.
      if (error instanceof UpdateRefused) throw error;
      contact.lastError = messageOf(error);
      if (error instanceof HubRefused) {
        if (error.code !== 'no_token') {
          contact.reachable = true;
          contact.lastContactAt = now();
        }
        throw error;
      }
      contact.reachable = false;
      throw error instanceof HubUnreachable
        ? error
        : new HubUnreachable(messageOf(error), { cause: error });
    }
  };

  return {
    device,
    contact,
    async post(endpoint, body) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const packed = await compress(text);
      const headers = {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': String(packed.length),
      };
      return noting(async () => {
        const reply = await exchange('POST', SYNC_PATHS[endpoint], headers, packed);
        return readAnswer(endpoint, reply.body);
      });
    },
    get(endpoint, query, etag, read) {
      const search = new URLSearchParams(query).toString();
      const path = SYNC_PATHS[endpoint] + (search === '' ? '' : `?${search}`);
      return noting(async () => {
        const reply = await exchange(
          'GET',
          path,
          etag === null ? {} : { 'if-none-match': etag },
          null,
        );
        return { etag: reply.etag, value: NOTHING_NEW.has(reply.status) ? null : read(reply.body) };
      });
    },
    download(path, from, taker) {
      const headers: Record<string, string> = {
        accept: '*/*',
        ...(from > 0 ? { range: `bytes=${from}-` } : {}),
      };
      return noting(async () => {
        const patient = {
          timeoutMs: DOWNLOAD_TIMEOUT_MS,
          stalledMs: options.stalledMs ?? DOWNLOAD_STALLED_MS,
        };
        const { request, response } = await send('GET', path, headers, null, patient);
        try {
          await readFile(response, from, taker, now);
        } finally {
          if (!response.complete) request.destroy();
        }
      });
    },
    close() {
      closing.abort();
      connector.close();
    },
  };
}

/** Nothing but 206 goes on in the middle. */
async function readFile(
  response: IncomingMessage,
  from: number,
  taker: Taker,
  now: () => Date,
): Promise<void> {
  const status = response.statusCode ?? 0;
  if (status !== 200 && status !== 206) {
    const text = await readBody(response);
    throw refusal(response, text, null, now());
  }
  await taker.begins(status === 206 ? from : 0);
  for await (const piece of response as AsyncIterable<Buffer>) await taker.takes(piece);
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What those in front of a hub (balancers, proxies) also say in its place, and mean. */
const SAID_BY_OTHERS_TOO = new Set([401, 403, 408, 413, 425, 429]);

/** What was answered may repeat what was sent: neither our token nor any other secret is shown or logged. */
function refusal(
  response: IncomingMessage,
  body: string,
  token: string | null,
  now: Date,
): HubRefused | HubUnreachable {
  const status = response.statusCode ?? 0;
  const said = readError(token === null ? body : body.replaceAll(token, '[cut]'));
  if (said === null && status < 500 && !SAID_BY_OTHERS_TOO.has(status)) {
    // A captive portal or a proxy speaks: what it says is not about us.
    return new HubUnreachable(`${status}: the answer is not from a hub`);
  }
  const { code, message } = said ?? { code: 'unexpected_answer', message: 'not from a hub' };
  return new HubRefused(
    status,
    code,
    message,
    parseRetryAfter(response.headers['retry-after'], now.getTime()),
  );
}

function readError(body: string): { code: string; message: string } | null {
  try {
    const { error } = JSON.parse(body) as { error?: { code?: unknown; message?: unknown } };
    if (typeof error?.code !== 'string') return null;
    const oneLine = (text: string) => cutText(text).replace(/\p{Cc}+/gu, ' ');
    const message = typeof error.message === 'string' ? error.message.slice(0, 500) : '';
    return { code: oneLine(error.code.slice(0, 100)), message: oneLine(message) };
  } catch {
    return null;
  }
}
