// The access token request (RFC 6749 §4.1.3).
import { OAuthError } from '../errors.ts';
import type { Namespace } from '../namespaces.ts';
import { resourcesIn } from '../resource.ts';
import type { UsedCode } from '../store.ts';

export interface TokenForm {
  fields: Record<string, string>;
  /** Values of `resource` (RFC 8707 §2). */
  resources: string[];
}

/** A request, and the code that it presents. */
export interface CodeExchange {
  form: TokenForm;
  used: UsedCode;
  namespace: Namespace;
  origin: string;
  pkce: 'if_sent' | 'off';
}

/** Returns the form. Throws `invalid_request` for another type, or a repeated parameter (RFC 6749 §3.2). */
export function readTokenForm(body: unknown): TokenForm {
  if (typeof body !== 'object' || body === null) {
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.');
  }
  const fields: Record<string, string> = {};
  const { resource, ...others } = body as Record<string, unknown>;
  for (const [name, value] of Object.entries(others)) {
    if (typeof value !== 'string') {
      throw new OAuthError('invalid_request', `${name.slice(0, 50)} is a duplicate.`);
    }
    if (value !== '') fields[name] = value;
  }
  return { fields, resources: resourcesIn(resource) };
}

/** Returns the error of a code that gives no token (RFC 6749 §5.2). */
export const invalidGrant = (description: string) => new OAuthError('invalid_grant', description);
