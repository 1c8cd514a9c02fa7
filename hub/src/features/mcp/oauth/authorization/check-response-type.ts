import { OAuthError } from '../errors.ts';
import type { AuthorizationRequest } from './request.ts';

/** Requires the response type `code` (RFC 6749 §3.1.1). */
export function checkResponseType({ query }: AuthorizationRequest): void {
  if (query.response_type === undefined) {
    throw new OAuthError('invalid_request', 'response_type is missing.');
  }
  if (query.response_type !== 'code') {
    throw new OAuthError('unsupported_response_type', 'Only the response type code is supported.');
  }
}
