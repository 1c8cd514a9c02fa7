// Requests that reach a test's server by mistake: ports are reused, and an agent of another test goes on sending to the
// port that its hub had.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Returns whether the request comes from such an agent, and refuses it with 503 if so. */
export function isStray(request: IncomingMessage, response: ServerResponse): boolean {
  if (!request.headers['user-agent']?.startsWith('gatewarden-agent/')) return false;
  request.resume();
  response.writeHead(503).end();
  return true;
}
