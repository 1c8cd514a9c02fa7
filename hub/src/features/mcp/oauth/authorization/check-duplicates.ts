import { OAuthError } from '../errors.ts';
import type { AuthorizationRequest } from './request.ts';

/** Parameters that the server reads. Unknown parameters are ignored (RFC 6749 §3.1). */
const SINGLE = new Set(
  `response_type response_mode state scope prompt code_challenge code_challenge_method request
  request_uri nonce`.split(/\s+/),
);

/** Rejects a repeated parameter (RFC 6749 §3.1). */
export function checkDuplicates({ repeated }: AuthorizationRequest): void {
  const name = repeated.find((item) => SINGLE.has(item));
  if (name !== undefined) throw new OAuthError('invalid_request', `${name} is a duplicate.`);
}
