// Whoever asks a test's server by mistake: ports are given out again, and an agent of another test goes on asking the
// port that its hub had.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Sends an agent away, and says so: such a request is none of this test's. */
export function isStray(request: IncomingMessage, response: ServerResponse): boolean {
  if (!request.headers['user-agent']?.startsWith('gatewarden-agent/')) return false;
  request.resume();
  response.writeHead(503).end();
  return true;
}
