import { type ClientMetadata, invalidMetadata, readTexts } from './metadata.ts';

/** Requires the grant `authorization_code`, if the client names its grants (RFC 7591 §2, §3.2.1). */
export function checkGrantTypes({ members }: ClientMetadata): void {
  const grants = readTexts(members, 'grant_types');
  if (grants !== null && !grants.includes('authorization_code')) {
    throw invalidMetadata('Only the grant authorization_code is supported.');
  }
}
