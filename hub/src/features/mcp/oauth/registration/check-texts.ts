import { type ClientMetadata, invalidMetadata, readTexts } from './metadata.ts';

/** Members whose value is a text (RFC 7591 §2). */
const TEXTS = [
  'token_endpoint_auth_method',
  'client_uri',
  'logo_uri',
  'scope',
  'tos_uri',
  'policy_uri',
  'jwks_uri',
  'software_id',
  'software_version',
  'software_statement',
];

/** Validates the types of members that the server ignores otherwise (RFC 7591 §2). */
export function checkTexts({ members }: ClientMetadata): void {
  for (const name of TEXTS) {
    if (members[name] !== undefined && typeof members[name] !== 'string') {
      throw invalidMetadata(`${name} must be text.`);
    }
  }
  readTexts(members, 'contacts');
}
