import { OAuthError } from '../errors.ts';
import type { AuthorizationRequest } from './request.ts';

/** Requires the response mode `query`, the default of a code (OAuth 2.0 Multiple Response Types §2.1). */
export function checkResponseMode({ query }: AuthorizationRequest): void {
  if (query.response_mode !== undefined && query.response_mode !== 'query') {
    throw new OAuthError('invalid_request', 'Only the response mode query is supported.');
  }
}
