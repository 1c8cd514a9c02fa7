// The authorization request (RFC 6749 §4.1.1) during its validation, and its two kinds of errors.
import type { Namespace, Urls } from '../namespaces.ts';
import type { RedirectRules } from '../redirects.ts';
import { resourcesIn } from '../resource.ts';
import type { Asked } from '../store.ts';

/** The client or redirect URI is not trusted, so the error is shown to the user (RFC 6749 §4.1.2.1). */
export class UntrustedRequest extends Error {}

/** The error is sent to the redirect URI (RFC 6749 §4.1.2.1). */
export class RefusedRequest extends Error {
  readonly redirect: string;

  constructor(redirect: string) {
    super('the authorization was refused');
    this.redirect = redirect;
  }
}

/** The endpoint of a request: its namespace and what the namespace permits. */
export interface AuthorizationEndpoint {
  namespace: Namespace;
  origin: string;
  rules: readonly RedirectRules[];
  pkce: 'if_sent' | 'off';
  /** Returns the registration of a redirect URI; null: it is not registered. */
  registrationOf(uri: string): Promise<{ client_name: string | null } | null>;
}

interface Parameters {
  query: Record<string, string>;
  /** Values of `resource` (RFC 8707 §2). */
  resources: string[];
  /** Names of other repeated parameters. */
  repeated: string[];
}

/** A request, and the authorization that the checks fill in. */
export interface AuthorizationRequest extends AuthorizationEndpoint, Parameters {
  urls: Urls;
  asked: Asked;
}

/** Removes parameters without a value, which count as omitted (RFC 6749 §3.1). */
export function readParameters(query: unknown): Parameters {
  const { resource, ...others } = (query ?? {}) as Record<string, unknown>;
  const single: Record<string, string> = {};
  const repeated: string[] = [];
  for (const [name, value] of Object.entries(others)) {
    if (typeof value !== 'string') repeated.push(name);
    else if (value !== '') single[name] = value;
  }
  return { query: single, repeated, resources: resourcesIn(resource) };
}

/** Throws UntrustedRequest for a repeated parameter, which is ambiguous (RFC 6749 §3.1). */
export function rejectRepeated({ repeated }: Parameters, name: string): void {
  if (repeated.includes(name)) throw new UntrustedRequest(`${name} is a duplicate`);
}
