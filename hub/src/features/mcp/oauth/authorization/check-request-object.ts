import { OAuthError } from '../errors.ts';
import type { AuthorizationRequest } from './request.ts';

/** Rejects request objects (RFC 9101 §5). */
export function checkRequestObject({ query }: AuthorizationRequest): void {
  if (query.request !== undefined || query.request_uri !== undefined) {
    throw new OAuthError('invalid_request', "Request objects aren't supported.");
  }
}
