import { isObject } from '../../../../platform/http/json/parse-json.ts';
import { type ClientMetadata, invalidMetadata } from './metadata.ts';

/** Rejects `jwks` with `jwks_uri` (RFC 7591 §2). */
export function checkJwks({ members }: ClientMetadata): void {
  if (members.jwks !== undefined && (!isObject(members.jwks) || 'jwks_uri' in members)) {
    throw invalidMetadata('jwks must be an object, without jwks_uri.');
  }
}
