// The authorization request (RFC 6749 §4.1.1), one check per function. An error before the client and its redirect URI are
// trusted is shown to the user; a later error is sent to the redirect URI.
import { OAuthError } from './errors.ts';
import { clientIdOf, type Namespace, SCOPES, type Urls, urlsOf } from './namespaces.ts';
import { type RedirectRules, refusalOf, registeredForm } from './redirects.ts';
import type { Asked } from './store.ts';

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

export interface Known {
  namespace: Namespace;
  origin: string;
  rules: readonly RedirectRules[];
  pkce: 'if_sent' | 'off';
  /** Null where the namespace knows no such redirect URI. */
  registrationOf(uri: string): Promise<{ client_name: string | null } | null>;
}

interface Scene extends Known {
  urls: Urls;
  query: Record<string, string>;
  /** Parameters that may be repeated (RFC 8707 §2). */
  resources: string[];
  /** Other parameters that are used. */
  repeated: string[];
  asked: Asked;
}
type Step = (scene: Scene) => void | Promise<void>;

const TRUST: readonly Step[] = [checkClient, checkRedirectUri, checkRegistration];
const MEANING: readonly Step[] = [
  checkRepeated,
  checkResponseType,
  checkResponseMode,
  checkPrompt,
  checkScope,
  checkChallenge,
  checkResource,
];

/** Validates an authorization request (RFC 6749 §4.1.1). Throws UntrustedRequest or RefusedRequest. */
export async function checkAuthorization(known: Known, query: unknown): Promise<Asked> {
  const asked: Asked = {
    redirectUri: '',
    state: null,
    challenge: null,
    resource: null,
    clientName: null,
    issuer: urlsOf(known.namespace, known.origin).issuer,
  };
  const sent = sentIn(query);
  const urls = urlsOf(known.namespace, known.origin);
  const scene: Scene = { ...known, ...sent, urls, asked };
  for (const step of TRUST) await step(scene);
  asked.state = sent.query.state ?? null;
  try {
    for (const step of MEANING) await step(scene);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    throw new RefusedRequest(
      redirectTo(asked, { error: error.code, error_description: error.message }),
    );
  }
  return asked;
}

/** Removes parameters without a value, which count as omitted (RFC 6749 §3.1). Unknown parameters are ignored. */
function sentIn(query: unknown): Pick<Scene, 'query' | 'resources' | 'repeated'> {
  const { resource, ...others } = (query ?? {}) as Record<string, unknown>;
  const flat: Record<string, string> = {};
  const repeated: string[] = [];
  for (const [name, value] of Object.entries(others)) {
    if (typeof value !== 'string') repeated.push(name);
    else if (value !== '') flat[name] = value;
  }
  return { query: flat, repeated, resources: resourcesIn(resource) };
}

/** Returns the values of `resource` (RFC 8707 §2). */
export function resourcesIn(sent: unknown): string[] {
  return [sent].flat().filter((item) => typeof item === 'string' && item !== '') as string[];
}

/** Rejects a repeated parameter, which is ambiguous (RFC 6749 §3.1). */
function refuseRepeated({ repeated }: Scene, name: string): void {
  if (repeated.includes(name)) throw new UntrustedRequest(`${name} is a duplicate`);
}

const READ_ONCE = new Set(
  `response_type response_mode state scope prompt code_challenge code_challenge_method request
  request_uri nonce`.split(/\s+/),
);

function checkRepeated({ repeated }: Scene): void {
  const name = repeated.find((item) => READ_ONCE.has(item));
  if (name !== undefined) throw new OAuthError('invalid_request', `${name} is a duplicate.`);
}

function checkClient(scene: Scene): void {
  const { query, namespace } = scene;
  refuseRepeated(scene, 'client_id');
  if (query.client_id === undefined) throw new UntrustedRequest('client_id is missing');
  if (query.client_id !== clientIdOf(namespace)) {
    throw new UntrustedRequest("client_id doesn't belong to this endpoint");
  }
}

function checkRedirectUri(scene: Scene): void {
  const { query, rules, asked } = scene;
  refuseRepeated(scene, 'redirect_uri');
  const uri = query.redirect_uri;
  if (uri === undefined) throw new UntrustedRequest('redirect_uri is missing');
  const refusal = refusalOf(uri, rules);
  if (refusal !== null) throw new UntrustedRequest(`redirect_uri ${uri.slice(0, 200)} ${refusal}`);
  asked.redirectUri = uri;
}

async function checkRegistration({ asked, registrationOf }: Scene): Promise<void> {
  const found = await registrationOf(registeredForm(asked.redirectUri));
  if (found === null) throw new UntrustedRequest('redirect_uri is not registered');
  asked.clientName = found.client_name;
}

function checkResponseType({ query }: Scene): void {
  if (query.response_type === undefined) {
    throw new OAuthError('invalid_request', 'response_type is missing.');
  }
  if (query.response_type !== 'code') {
    throw new OAuthError('unsupported_response_type', 'Only the response type code is supported.');
  }
}

function checkResponseMode({ query }: Scene): void {
  if (query.response_mode !== undefined && query.response_mode !== 'query') {
    throw new OAuthError('invalid_request', 'Only the response mode query is supported.');
  }
  if (query.request !== undefined || query.request_uri !== undefined) {
    throw new OAuthError('invalid_request', "Request objects aren't supported.");
  }
}

function checkPrompt({ query }: Scene): void {
  if (query.prompt?.split(' ').includes('none') === true) {
    throw new OAuthError('interaction_required', 'User consent is required.');
  }
}

/** Ignores unknown scopes (RFC 6749 §3.3), such as `offline_access`. */
function checkScope({ query }: Scene): void {
  const scopes = (query.scope ?? '').split(' ').filter((part) => part !== '');
  const isText = scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
  if (!isText) throw new OAuthError('invalid_scope', 'scope has invalid characters.');
}

function checkChallenge({ query, asked, pkce }: Scene): void {
  const { code_challenge: challenge, code_challenge_method: method } = query;
  if (pkce === 'off') return;
  if (challenge === undefined) {
    if (method === undefined) return;
    throw new OAuthError('invalid_request', 'code_challenge is missing.');
  }
  if (method !== 'S256') {
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256.');
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw new OAuthError('invalid_request', "code_challenge isn't a valid S256 challenge.");
  }
  asked.challenge = challenge;
}

/** RFC 8707. */
function checkResource({ resources, urls, asked }: Scene): void {
  if (!resources.every((resource) => isResource(resource, urls))) {
    throw invalidTarget(urls);
  }
  asked.resource = resources[0] ?? null;
}

/** Names the value that this family expects. */
export const invalidTarget = ({ mcp, issuer }: Urls): OAuthError =>
  new OAuthError('invalid_target', `resource must be ${mcp ?? issuer}.`);

/**
 * Whether `resource` is this family's own MCP URL, or at the root, which has none, its origin. Scheme and host may be in
 * capitals, as MCP lets clients write them, and one slash may follow.
 */
export function isResource(resource: string, { mcp, issuer }: Urls): boolean {
  const named = resource.replace(/^[a-z]+:\/\/[^/?#]*/i, (begin) => begin.toLowerCase());
  return named.replace(/\/$/, '') === (mcp ?? issuer);
}

/** The client's address with the answer; always with `state`, as it was sent, and `iss`. */
export function redirectTo(
  { redirectUri, state, issuer }: Pick<Asked, 'redirectUri' | 'state' | 'issuer'>,
  answer: Record<string, string>,
): string {
  const added = new URLSearchParams({
    ...answer,
    ...(state === null ? {} : { state }),
    iss: issuer,
  });
  // An existing query must be retained unchanged (RFC 6749 §3.1.2).
  const between = redirectUri.includes('?') ? '&' : '?';
  return `${redirectUri}${/[?&]$/.test(redirectUri) ? '' : between}${added}`;
}

/** The scopes that every token has: they are labels of identity, not permissions. */
export const GRANTED_SCOPE = SCOPES.join(' ');
