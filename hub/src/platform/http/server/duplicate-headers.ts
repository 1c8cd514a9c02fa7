// Rejects duplicate header fields. Node silently takes the first of several values, and a proxy in front of the hub may take
// the last: the two would see different callers.
import type { IncomingMessage } from 'node:http';
import { HubError } from '../errors/errors.ts';

const SINGLE_FIELDS = ['content-type', 'host'];
const CREDENTIAL = 'authorization';

/**
 * Returns null for an acceptable request, or an error that names the field (RFC 9110 §5.3, RFC 9112 §3.2). Duplicate
 * credentials count as none: the field is removed, and so are the cookies, because the caller's identity is ambiguous.
 * Authentication then reports the missing credential with its own error.
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
    const isNamed = (field: string) => field.length === raw.length && field === raw.toLowerCase();
    const name = isNamed(CREDENTIAL) ? CREDENTIAL : SINGLE_FIELDS.find(isNamed);
    if (name === undefined) continue;
    if (!seen.has(name)) seen.add(name);
    else if (name === CREDENTIAL) {
      delete headers.authorization;
      delete headers.cookie;
    } else return new HubError('invalid_request', `/header/${name} is a duplicate.`);
  }
  return null;
}
