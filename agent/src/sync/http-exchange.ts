// Sends a request to the hub and reads its answer over HTTP: keep-alive connections, gzip, limits in time and size.
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { BackendConfig } from '../config/agent-config.ts';
import { codeOf } from '../runtime/errors.ts';
import { isUnknownAuthority, openConnector } from './hub-connector.ts';

export interface HubRequest {
  method: 'GET' | 'POST';
  pathAndQuery: string;
  headers: Record<string, string>;
  /** Sent compressed. */
  body: string | null;
}

export interface HubResponse {
  status: number;
  etag: string | null;
  retryAfter: string | undefined;
  /** Target of a redirect, which is not followed: the token would be sent along. */
  location?: string | undefined;
  body: string;
}

/** An answer whose body is still to come. */
export interface StreamedResponse extends Omit<HubResponse, 'body'> {
  pieces: AsyncIterable<Buffer>;
  /** All of the body as text; throws where it is too large. */
  text(): Promise<string>;
  /** Gives the connection up where the body did not come to its end. */
  leave(): void;
}

/** How requests reach the hub; whatever goes wrong on the way is thrown. */
export interface Exchange {
  ask(asking: HubRequest): Promise<HubResponse>;
  /** For a file, which may take its time. */
  begin(asking: HubRequest): Promise<StreamedResponse>;
  /** Ends what is under way and closes the connections. */
  close(): void;
}

/** All of a request: a connection that is half open is given up after this long. */
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Limits of a large file: an hour in total, and a minute without a byte; the download is resumed later. */
const DOWNLOAD_TIMEOUT_MS = 3_600_000;
const DOWNLOAD_STALLED_MS = 60_000;
const compress = promisify(gzip);

interface Patience {
  timeoutMs: number;
  stalledMs?: number;
}

/** Opens HTTP or HTTPS by the hub's address. Throws a `PlainError` where its trust cannot be read. */
export function openHttpExchange(options: {
  backend: Pick<BackendConfig, 'baseUrl' | 'caFile' | 'pin' | 'proxy'>;
  env: NodeJS.ProcessEnv;
  timeoutMs?: number | undefined;
  stalledMs?: number | undefined;
}): Exchange {
  const { backend } = options;
  const connector = openConnector(new URL(backend.baseUrl), backend, options.env);
  const closing = new AbortController();

  /** Returns the head of the answer; a request that certainly reached nobody is sent a second time. */
  const send = async (asking: HubRequest, patient: Patience): Promise<Sent> => {
    const packed = asking.body === null ? null : await compress(asking.body);
    const patience = AbortSignal.timeout(patient.timeoutMs);
    const ask = () => {
      const request = connector.request(new URL(`${backend.baseUrl}${asking.pathAndQuery}`), {
        method: asking.method,
        signal: AbortSignal.any([closing.signal, patience]),
        headers: { ...asking.headers, ...packedHeaders(packed) },
      });
      // The answer's stream or the await below reports an error; without a listener a late error would end the
      // process.
      request.on('error', () => undefined);
      if (patient.stalledMs !== undefined) {
        request.setTimeout(patient.stalledMs, () => request.destroy(new Error('nothing comes')));
      }
      request.end(packed ?? undefined);
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

  return {
    async ask(asking) {
      const sent = await send(asking, { timeoutMs: options.timeoutMs ?? REQUEST_TIMEOUT_MS });
      try {
        return { ...headOf(sent), body: await readBody(sent.response) };
      } finally {
        leave(sent);
      }
    },
    async begin(asking) {
      const sent = await send(asking, {
        timeoutMs: DOWNLOAD_TIMEOUT_MS,
        stalledMs: options.stalledMs ?? DOWNLOAD_STALLED_MS,
      });
      return {
        ...headOf(sent),
        pieces: sent.response,
        text: () => readBody(sent.response),
        leave: () => leave(sent),
      };
    },
    close() {
      closing.abort();
      connector.close();
    },
  };
}

interface Sent {
  request: ClientRequest;
  response: IncomingMessage;
}

function packedHeaders(packed: Buffer | null): Record<string, string> {
  if (packed === null) return {};
  return {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'content-length': String(packed.length),
  };
}

function headOf({ response }: Sent): Omit<HubResponse, 'body'> {
  return {
    status: response.statusCode ?? 0,
    etag: response.headers.etag ?? null,
    retryAfter: response.headers['retry-after'],
    location: response.headers.location,
  };
}

function leave({ request, response }: Sent): void {
  if (!response.complete) request.destroy();
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
