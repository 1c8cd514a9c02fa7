import { type ClientMetadata, invalidMetadata, readTexts } from './metadata.ts';

/** Requires the response type `code`, if the client names its response types (RFC 7591 §2, §3.2.1). */
export function checkResponseTypes({ members }: ClientMetadata): void {
  const responses = readTexts(members, 'response_types');
  if (responses !== null && !responses.includes('code')) {
    throw invalidMetadata('Only the response type code is supported.');
  }
}
