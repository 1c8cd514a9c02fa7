import { type ClientMetadata, invalidMetadata } from './metadata.ts';

/** Bidirectional controls and other invisible characters, which could deceive the reader of the consent page. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Requires a readable name of at most 200 characters (RFC 7591 §2). */
export function checkClientName({ members: { client_name: name } }: ClientMetadata): void {
  if (name === undefined) return;
  if (typeof name !== 'string' || name.length > 200 || CONTROLS.test(name)) {
    throw invalidMetadata(
      'client_name must be text, up to 200 characters, without control characters.',
    );
  }
}
