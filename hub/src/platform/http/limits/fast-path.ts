// Answers unchanged polls before Fastify, by the same rules. Only requests that a whole fleet repeats all the time are
// worth a second implementation.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Metrics } from '../../telemetry/metrics.ts';
import { HubError } from '../errors/errors.ts';
import { rejectDuplicateHeaders } from '../server/duplicate-headers.ts';
import { requestIdOf } from '../server/request-id.ts';
import { agentHeadersFor } from '../server/security-headers.ts';

export interface FastPathResponse {
  status: 200 | 304;
  etag: string;
  /** The JSON body; a 304 omits it. */
  text: string;
}

export interface FastPathRoute {
  path: string;
  /**
   * Returns the response to a GET of `path`, with or without a query. Null passes the request to the application, and so
   * does a HubError: the application then sends the error.
   */
  answer(request: IncomingMessage): FastPathResponse | null;
}

/** Returns whether the request was answered. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Returns a fast path whose headers equal those of the application (`app.ts`, the device authentication). */
export function createFastPath(
  route: FastPathRoute,
  { metrics, log, origin }: { metrics: Metrics; log: Logger; origin: string },
): FastPath {
  const prefix = `${route.path}?`;
  const agentHeaders = agentHeadersFor(origin);
  return (request, response) => {
    const { headers, url = '' } = request;
    const isMatch = request.method === 'GET' && (url.startsWith(prefix) || url === route.path);
    if (!isMatch) return false;
    const isPlain =
      headers['content-length'] === undefined &&
      headers['transfer-encoding'] === undefined &&
      headers.expect === undefined &&
      !log.isLevelEnabled('debug') &&
      rejectDuplicateHeaders(request) === null;
    if (!isPlain) return false;
    const startedAt = performance.now();
    const answer = unlessRejected(() => route.answer(request));
    if (answer === null) return false;
    const { status, etag, text } = answer;
    const common = [
      ...['x-request-id', requestIdOf(request)],
      ...agentHeaders,
      ...['cache-control', 'no-store', 'etag', etag],
    ];
    if (status === 304) response.writeHead(status, common).end();
    else {
      common.push('content-type', 'application/json; charset=utf-8');
      common.push('content-length', String(Buffer.byteLength(text)));
      response.writeHead(status, common).end(text);
    }
    metrics.requestSeconds.observe(
      { route: route.path, method: 'GET', status: String(status) },
      (performance.now() - startedAt) / 1000,
    );
    return true;
  };
}

/** Returns null for a HubError: only the application rejects requests. */
function unlessRejected<T>(run: () => T): T | null {
  try {
    return run();
  } catch (error) {
    if (error instanceof HubError) return null;
    throw error;
  }
}
