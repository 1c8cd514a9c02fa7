// Client metadata (RFC 7591 §2) during its validation.
import { OAuthError } from '../errors.ts';
import type { RedirectRules } from '../redirects.ts';

export interface ClientMetadata {
  members: Record<string, unknown>;
  rules: readonly RedirectRules[];
}

export const invalidMetadata = (description: string) =>
  new OAuthError('invalid_client_metadata', description);

/** Returns the members that have a value: null is the same as an omitted member (RFC 7592 §2.2). */
export function readMetadata(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidMetadata('The metadata must be a JSON object.');
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** Returns a list of texts, or null if it is omitted. Throws `invalid_client_metadata`. */
export function readTexts(members: Record<string, unknown>, name: string): string[] | null {
  const value = members[name];
  if (value === undefined) return null;
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw invalidMetadata(`${name} must be a list of texts.`);
  }
  return value as string[];
}
