// The one HTTP client to the hub: kept-alive connections, the protocol's headers, gzip on every POST, a limit in time and size.
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { messageOf } from '../errors.ts';
import { HubRefused, HubUnreachable, parseRetryAfter } from './retry.ts';

export interface HubContact {
  reachable: boolean | null;
  lastContactAt: Date | null;
  lastError: string | null;
}

export interface HubAnswer {
  status: number;
  etag: string | null;
  body: string;
}

type Posted =
  | 'enroll'
  | 'discoveredApps'
  | 'unknownProcesses'
  | 'runningProcesses'
  | 'activity'
  | 'alerts';
type Got = 'delta' | 'processMap';

export interface SyncClient {
  readonly device: WireDevice;
  readonly contact: HubContact;
  /** The answer, checked. Text is sent as it is: a repeated batch keeps its bytes. Throws HubUnreachable, HubRefused. */
  post<S extends TSchema>(endpoint: Posted, answer: S, body: object | string): Promise<Static<S>>;
  /** 200 or 304. */
  get(endpoint: Got, query: Record<string, string>, etag: string | null): Promise<HubAnswer>;
  /** Ends what is under way and closes the connections. */
  close(): void;
}

const REQUEST_TIMEOUT_MS = 35_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const compress = promisify(gzip);

/** A client for one hub. `token` gives the best token there is at the time of each request. */
export function createSyncClient(options: {
  baseUrl: string;
  tenantId: string;
  subscriberId: string;
  device: WireDevice;
  token: () => string | null;
  now?: () => Date;
}): SyncClient {
  const base = new URL(options.baseUrl);
  const secure = base.protocol === 'https:';
  const agentOptions = { keepAlive: true, maxSockets: 4, timeout: 60_000 };
  const agent = secure ? new https.Agent(agentOptions) : new http.Agent(agentOptions);
  const closing = new AbortController();
  const contact: HubContact = { reachable: null, lastContactAt: null, lastError: null };
  const now = options.now ?? (() => new Date());

  const exchange = async (
    method: 'GET' | 'POST',
    pathAndQuery: string,
    headers: Record<string, string>,
    body: Buffer | null,
  ): Promise<HubAnswer> => {
    const token = options.token();
    if (token === null) throw new HubRefused(401, 'no_token', 'this agent has no token yet', null);
    const url = new URL(`${options.baseUrl}${pathAndQuery}`);
    const request = (secure ? https : http).request(url, {
      method,
      agent,
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      headers: {
        authorization: `Bearer ${token}`,
        'x-tenant-id': options.tenantId,
        'x-subscriber-id': options.subscriberId,
        'x-device-id': options.device.device_id,
        accept: 'application/json',
        'user-agent': `gatewarden-agent/${options.device.agent_version}`,
        ...headers,
      },
    });
    // Told through the answer's stream or the await below; without a listener a late one would end the process.
    request.on('error', () => undefined);
    request.end(body ?? undefined);
    try {
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      const text = await readBody(response);
      contact.reachable = true;
      contact.lastContactAt = now();
      contact.lastError = null;
      const status = response.statusCode ?? 0;
      if ((status >= 200 && status < 300) || status === 304) {
        return { status, etag: response.headers.etag ?? null, body: text };
      }
      throw refusal(status, text, response.headers['retry-after'], now());
    } catch (error) {
      if (error instanceof HubRefused) {
        contact.lastError = error.message;
        throw error;
      }
      request.destroy();
      contact.reachable = false;
      contact.lastError = messageOf(error);
      throw new HubUnreachable(messageOf(error), { cause: error });
    }
  };

  return {
    device: options.device,
    contact,
    async post(endpoint, answer, body) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const packed = await compress(text);
      const headers = {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': String(packed.length),
      };
      const reply = await exchange('POST', SYNC_ENDPOINTS[endpoint].path, headers, packed);
      return checkAnswer(answer, reply.body, contact);
    },
    get(endpoint, query, etag) {
      const search = new URLSearchParams(query).toString();
      const path = SYNC_ENDPOINTS[endpoint].path + (search === '' ? '' : `?${search}`);
      return exchange('GET', path, etag === null ? {} : { 'if-none-match': etag }, null);
    },
    close() {
      closing.abort();
      agent.destroy();
    },
  };
}

async function readBody(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refusal(
  status: number,
  body: string,
  retryAfter: string | undefined,
  now: Date,
): HubRefused {
  let code = 'unexpected_answer';
  let message = 'the answer is not from a hub';
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'object' && parsed !== null && 'error' in parsed) {
      const error = parsed.error as { code?: unknown; message?: unknown } | null;
      code = String(error?.code ?? code).slice(0, 100);
      message = String(error?.message ?? message).slice(0, 500);
    }
  } catch {
    // A captive portal or a proxy speaks: its page is worth nothing to us.
  }
  return new HubRefused(status, code, message, parseRetryAfter(retryAfter, now.getTime()));
}

/** An answer in the agreed form; a page of a captive portal counts as no contact. Unknown fields are ignored. */
export function checkAnswer<S extends TSchema>(
  schema: S,
  body: string,
  contact: HubContact,
): Static<S> {
  try {
    const parsed: unknown = JSON.parse(body);
    if (Value.Check(schema, parsed)) return parsed;
    const [first] = Value.Errors(schema, parsed);
    throw new Error(`${first?.instancePath || '/'} ${first?.message ?? 'is not as agreed'}`);
  } catch (error) {
    const message = `the hub's answer cannot be read: ${messageOf(error)}`;
    contact.lastError = message;
    throw new HubUnreachable(message);
  }
}
