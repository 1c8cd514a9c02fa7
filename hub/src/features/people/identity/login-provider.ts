// The embedded login provider: oidc-provider under `{origin}/auth`, for installations without a provider of their own.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import type { Db } from '../../../platform/db/database.ts';
import type { LoginState } from './login-state.ts';
import { oidcAdapter } from './oidc-store.ts';
import { selectAccount } from './store.ts';

export const MOUNT = '/auth';
export const CONSOLE_CLIENT_ID = 'gatewarden-console';
export const CALLBACK_PATH = '/console/sign-in/callback';
export const SIGNING_ALG = 'ES256';
/** The cookie of the provider's own session, which the browser drops when the sign-in is complete. */
const sessionCookieName = (isHttps: boolean) => `${isHttps ? '__Host-' : ''}gw_login`;
export const LOGIN_COOKIES: readonly string[] = [true, false]
  .map(sessionCookieName)
  .flatMap((name) => [name, `${name}.sig`]);

/** Returns a new private signing key as JWK text, for installationSecret. */
export async function generateSigningKey(): Promise<string> {
  const { privateKey } = await generateKeyPair(SIGNING_ALG, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return JSON.stringify({ ...jwk, use: 'sig', alg: SIGNING_ALG, kid: crypto.randomUUID() });
}

export interface LoginProvider {
  provider: Provider;
  /** Passes a request under `/auth` to oidc-provider. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Rewrites a request to the canonical origin, whatever Host or proxy headers it has. */
  canonicalize(request: IncomingMessage): void;
}

/** Creates the provider with a single client, the console, and without the provider's own consent page. */
export function createLoginProvider(options: {
  db: Db;
  origin: string;
  signingKey: JWK;
  cookieKey: string;
  state: LoginState;
}): LoginProvider {
  const origin = new URL(options.origin);
  const isHttps = origin.protocol === 'https:';
  const configuration: Configuration = {
    adapter: oidcAdapter(options.db, options.state),
    clients: [
      {
        client_id: CONSOLE_CLIENT_ID,
        redirect_uris: [`${options.origin}${CALLBACK_PATH}`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        id_token_signed_response_alg: SIGNING_ALG,
        require_auth_time: true,
      },
    ],
    jwks: { keys: [options.signingKey as never] },
    cookies: {
      keys: [options.cookieKey],
      names: {
        session: sessionCookieName(isHttps),
        interaction: 'gw_interaction',
        resume: 'gw_resume',
      },
      long: { signed: true, httpOnly: true, sameSite: 'lax', secure: isHttps, path: '/' },
      short: { signed: true, httpOnly: true, sameSite: 'lax', secure: isHttps },
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      // Both features would let anybody write rows.
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
    },
    interactions: { url: (_ctx, interaction) => `${MOUNT}/interaction/${interaction.uid}` },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    responseTypes: ['code'],
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 600,
      Grant: 600,
      // The code is bound to the session; no later sign-in may use it (`withoutSession`).
      Session: 60,
    },
    async findAccount(_ctx, sub) {
      const account = await selectAccount(options.db, sub);
      if (account === null) return undefined;
      return {
        accountId: sub,
        claims: async () => ({ sub, email: account.email, email_verified: true }),
      };
    },
    // The console is a first-party client: signing in is the consent.
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new ctx.oidc.provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
    async renderError(ctx, details) {
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = `Sign-in failed: ${details.error_description ?? details.error}. Go back to the console and start again.`;
    },
  };
  const provider = new Provider(`${options.origin}${MOUNT}`, configuration);
  provider.proxy = true;
  const callback = provider.callback();
  const canonicalize = (request: IncomingMessage) => {
    removeSessionCookie(request);
    request.headers.host = origin.host;
    request.headers['x-forwarded-host'] = origin.host;
    request.headers['x-forwarded-proto'] = origin.protocol.slice(0, -1);
  };
  return {
    provider,
    canonicalize,
    handle(request, response) {
      canonicalize(request);
      Object.assign(request, { originalUrl: request.url });
      request.url = (request.url ?? '/').slice(MOUNT.length) || '/';
      void callback(request, response);
    },
  };
}

/**
 * Removes the provider's session from a request. Each authorization then requires the password, whatever its parameters
 * are: no session of the provider survives the end of a console session.
 */
function removeSessionCookie({ headers }: IncomingMessage): void {
  if (headers.cookie === undefined) return;
  headers.cookie = headers.cookie
    .split(';')
    .filter((cookie) => !LOGIN_COOKIES.includes(cookie.split('=')[0]?.trim() ?? ''))
    .join(';');
}
