// How the gateway is let in by a server, as it is stored: secrets sealed, everything else in the open.
import type { BackendInput } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf } from '../../../platform/crypto/sealed-columns.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { type BackendRow, type OAuthLogin, SEALED_AUTH } from './store.ts';

type Stored = Pick<BackendRow, 'auth' | 'sealed_auth'>;

interface Tools {
  sealer: Sealer;
  checkUrl(url: string): void;
}

/** Headers of the gateway or of the connection, which a backend must not set. */
const FORBIDDEN = new Set(
  `host content-length content-type content-encoding transfer-encoding connection keep-alive upgrade expect te trailer
  accept accept-encoding last-event-id cookie`.split(/\s+/),
);

/** `name` in lower case. */
export const isReservedHeader = (name: string) => FORBIDDEN.has(name) || name.startsWith('mcp-');

/** Throws `invalid_request`, `url_not_allowed`. `before`: what is stored now, whose secret may stay. */
export function sealedAuth(
  tools: Tools,
  key: readonly [tenantId: string, backendId: string],
  auth: BackendInput['auth'],
  before: Stored | null,
): Stored {
  const seal = (secret: string) => tools.sealer.seal(secret, locationOf(SEALED_AUTH, key));
  if (auth.kind === 'none' || auth.kind === 'passthrough') {
    return { auth: { kind: auth.kind }, sealed_auth: null };
  }
  if (auth.kind === 'oauth') {
    const { client_secret: secret, kind, ...login } = auth;
    refuseBadLogin(tools, login, secret != null);
    return {
      auth: { kind, ...login },
      sealed_auth: secret == null ? keptSecret(login, secret, before) : seal(secret),
    };
  }
  const { header = 'Authorization' } = auth;
  if (isReservedHeader(header.toLowerCase())) {
    throw new HubError('invalid_request', '/auth/header is a header that the gateway sets');
  }
  const isBearer = auth.header === undefined && auth.prefix === undefined;
  return {
    auth: { kind: auth.kind, header, prefix: isBearer ? 'Bearer ' : (auth.prefix ?? '') },
    sealed_auth: auth.kind === 'shared' ? seal(auth.secret) : null,
  };
}

function keptSecret(
  login: OAuthLogin,
  secret: null | undefined,
  before: Stored | null,
): string | null {
  const isSame = before?.auth.kind === 'oauth' && before.auth.client_id === login.client_id;
  return secret === undefined && isSame && login.client_id !== undefined
    ? (before?.sealed_auth ?? null)
    : null;
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'revocation_endpoint'] as const;

function refuseBadLogin(tools: Tools, login: OAuthLogin, hasSecret: boolean): void {
  const refuse = (words: string) => {
    throw new HubError('invalid_request', `/auth/${words}`);
  };
  if (hasSecret && login.client_id === undefined) refuse('client_secret needs a client_id');
  const named = ENDPOINTS.filter((endpoint) => login[endpoint] !== undefined);
  if (named.length > 0) {
    if (login.authorization_endpoint === undefined) refuse('authorization_endpoint is missing');
    if (login.token_endpoint === undefined) refuse('token_endpoint is missing');
    if (login.client_id === undefined) {
      refuse(
        'client_id is required: clients are registered automatically only with a discovered login',
      );
    }
  }
  for (const name of ['issuer', ...ENDPOINTS] as const) {
    const url = login[name];
    if (url === undefined) continue;
    try {
      tools.checkUrl(url);
    } catch (error) {
      throw new HubError('url_not_allowed', `/auth/${name} ${(error as Error).message}`);
    }
  }
}
