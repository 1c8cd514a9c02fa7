// Answers that need none of what Fastify does for a request: what asks for the same once more is answered before it, by the
// same rules. Only worth its lines for what a whole fleet asks all the time.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Metrics } from '../telemetry/metrics.ts';
import { HubError } from './errors.ts';
import { requestIdOf } from './request-id.ts';
import { rejectDuplicateHeaders } from './said-once.ts';
import { agentHeadersFor } from './security-headers.ts';

export interface FastPathResponse {
  status: 200 | 304;
  etag: string;
  /** JSON; of a 304 nothing is sent. */
  text: string;
}

export interface FastPathRoute {
  path: string;
  /**
   * Is asked for GETs of `path`, with a query or without. Null where the application has to look at it; throws HubError
   * where that will refuse it.
   */
  answer(request: IncomingMessage): FastPathResponse | null;
}

/** Says whether it answered. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The headers are those that the application sends with the same answer (`app.ts`, the gate of the devices). */
export function createFastPath(
  route: FastPathRoute,
  { metrics, log, origin }: { metrics: Metrics; log: Logger; origin: string },
): FastPath {
  const start = `${route.path}?`;
  const own = agentHeadersFor(origin);
  return (request, response) => {
    const { headers, url = '' } = request;
    const isMeant = request.method === 'GET' && (url.startsWith(start) || url === route.path);
    if (!isMeant) return false;
    const isPlain =
      headers['content-length'] === undefined &&
      headers['transfer-encoding'] === undefined &&
      headers.expect === undefined &&
      !log.isLevelEnabled('debug') &&
      rejectDuplicateHeaders(request) === null;
    if (!isPlain) return false;
    const begun = performance.now();
    const answer = unlessRefused(() => route.answer(request));
    if (answer === null) return false;
    const { status, etag, text } = answer;
    const common = [
      ...['x-request-id', requestIdOf(request)],
      ...own,
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
      (performance.now() - begun) / 1000,
    );
    return true;
  };
}

/** Refused is by the application alone, which says why. */
function unlessRefused<T>(run: () => T): T | null {
  try {
    return run();
  } catch (error) {
    if (error instanceof HubError) return null;
    throw error;
  }
}
