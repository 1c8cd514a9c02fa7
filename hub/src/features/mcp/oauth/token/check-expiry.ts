import { type CodeExchange, invalidGrant } from './request.ts';

/** Rejects an expired code (RFC 6749 §4.1.2). */
export function checkExpiry({ used }: CodeExchange): void {
  if (used.is_expired) throw invalidGrant('The code is not valid.');
}
