// Request ids in responses and logs: the client's `X-Request-ID`, or a random id.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Letters, digits and `._:-` only: the id is repeated in headers, bodies and logs. */
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Returns the id of a request. An invalid `X-Request-ID` is replaced by a random UUID. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}
