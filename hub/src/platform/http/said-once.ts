// Header fields of which there can be only one. Node takes the first of several without a word, and what stands before the
// hub may take the last: the two would speak of different callers.
import type { IncomingMessage } from 'node:http';
import { HubError } from './errors.ts';

const ONCE = ['content-type', 'host'];
const CREDENTIAL = 'authorization';

/**
 * Null where the request may be read: an error that names the field otherwise (RFC 9110, section 5.3; RFC 9112, 3.2). Two
 * credentials are none: the field is taken away, and the cookies beside it, for who says two things is not a third.
 * Whoever wants a credential says so in its own words.
 */
export function rejectDuplicateHeaders({
  rawHeaders,
  headers,
  httpVersion,
}: IncomingMessage): HubError | null {
  if (headers.host === undefined && httpVersion === '1.1') {
    return new HubError('invalid_request', '/header/host is missing.');
  }
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i] as string;
    const isNamed = (one: string) => one.length === raw.length && one === raw.toLowerCase();
    const name = isNamed(CREDENTIAL) ? CREDENTIAL : ONCE.find(isNamed);
    if (name === undefined) continue;
    if (!seen.has(name)) seen.add(name);
    else if (name === CREDENTIAL) {
      delete headers.authorization;
      delete headers.cookie;
    } else return new HubError('invalid_request', `/header/${name} is a duplicate.`);
  }
  return null;
}
