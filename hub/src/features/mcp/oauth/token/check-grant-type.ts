import { OAuthError } from '../errors.ts';
import type { TokenForm } from './request.ts';

/** Requires the grant `authorization_code` (RFC 6749 §4.1.3). Returns its code. */
export function checkGrantType({ fields }: TokenForm): string {
  const { grant_type: grantType, code } = fields;
  if (grantType === undefined) throw new OAuthError('invalid_request', 'grant_type is missing.');
  if (grantType !== 'authorization_code') {
    throw new OAuthError('unsupported_grant_type', 'Only authorization_code is supported.');
  }
  if (code === undefined) throw new OAuthError('invalid_request', 'code is missing.');
  return code;
}
