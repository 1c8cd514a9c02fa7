// The console as an OpenID Connect client: redirects a browser to the login provider and completes the sign-in.
import * as oidc from 'openid-client';
import { fetch as undiciFetch } from 'undici';
import { CLAIM_NAMES, isLoopbackHost, type LoginConfig } from '../../../platform/config/config.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { CALLBACK_PATH, CONSOLE_CLIENT_ID, MOUNT } from './login-provider.ts';
import {
  CLOCK_LEEWAY_SECONDS,
  type Claims,
  issueFault,
  lacksEmail,
  personOf,
} from './person-claims.ts';

/** A pending sign-in, in a sealed cookie between the redirect and the callback. */
interface Pending {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
  /** The authorization request of an MCP client that waits for its user; null for a sign-in to the console. */
  gatewayRequest: string | null;
  expiresAt: number;
}

const PENDING_LIFE_MS = 10 * 60_000;
/** The timeout of each request to the customer's login provider. */
const PROVIDER_TIMEOUT_SECONDS = 10;
const SEAL_LOCATION = 'cookie/sign-in';

/** The sign-in could not be completed; the message is for the user. */
export class SignInError extends Error {}

export interface SignIn {
  begin(
    target: { console: string } | { gatewayRequest: string },
  ): Promise<{ url: string; state: string; cookie: string }>;
  /** Returns the verified e-mail address; `cookie` belongs to the state in `url`. Throws SignInError. */
  complete(
    url: URL,
    cookie: string | undefined,
  ): Promise<{ email: string; returnTo: string; gatewayRequest: string | null }>;
  /** The origin that a browser is redirected to; null for the hub's own origin. */
  providerOrigin: string | null;
  /** Returns the URL of the provider's keys. */
  jwksUri(): Promise<URL>;
}

/** Creates the client for the configured provider, or for the embedded provider. */
export function createSignIn(options: {
  origin: string;
  /** Null for the embedded provider, reached at the hub's own listener. */
  login: LoginConfig | null;
  localUrl: string;
  sealer: Sealer;
}): SignIn {
  const { origin, login, sealer } = options;
  const redirectUri = `${origin}${CALLBACK_PATH}`;
  let discovered: Promise<oidc.Configuration> | null = null;
  const names = login?.claims ?? CLAIM_NAMES;
  /** Exchanges the code; claims that the ID token lacks come from the userinfo endpoint. Throws SignInError. */
  const fetchClaims = async (
    config: oidc.Configuration,
    callback: URL,
    pending: Pending,
  ): Promise<Claims> => {
    try {
      const tokens = await oidc.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: pending.verifier,
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims() as oidc.IDToken;
      const isComplete = !lacksEmail(claims, names);
      if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return claims;
      // `fetchUserInfo` rejects another subject than that of the ID token (OpenID Connect Core 1.0, 5.3.2).
      return { ...(await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
    } catch (error) {
      throw new SignInError("The login provider didn't confirm the sign-in. Try again.", {
        cause: error,
      });
    }
  };
  const configuration = () => {
    if (login === null) return Promise.resolve(embeddedConfiguration(origin, options.localUrl));
    discovered ??= discover(login).catch((error: unknown) => {
      discovered = null;
      throw error;
    });
    return discovered;
  };
  return {
    providerOrigin: login === null ? null : new URL(login.issuer).origin,
    async begin(target) {
      const verifier = oidc.randomPKCECodeVerifier();
      const pending: Pending = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier,
        returnTo: sanitizeReturnPath('console' in target ? target.console : '/console/'),
        gatewayRequest: 'gatewayRequest' in target ? target.gatewayRequest : null,
        expiresAt: Date.now() + PENDING_LIFE_MS,
      };
      const url = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(login === null ? { prompt: 'login' } : {}),
      });
      const { state } = pending;
      return { url: url.href, state, cookie: sealer.seal(JSON.stringify(pending), SEAL_LOCATION) };
    },
    async complete(url, cookie) {
      const pending = openPending(sealer, cookie);
      const current = new URL(redirectUri);
      current.search = url.search;
      const claims = await fetchClaims(await configuration(), current, pending);
      const now = Date.now() / 1000;
      const fault =
        issueFault(claims.iat, now) ?? (login === null ? freshnessFault(claims, pending) : null);
      if (fault !== null) throw new SignInError(fault);
      const person = personOf(claims, names);
      if ('problem' in person) throw new SignInError(person.problem);
      const { email } = person;
      return { email, returnTo: pending.returnTo, gatewayRequest: pending.gatewayRequest };
    },
    async jwksUri() {
      return new URL((await configuration()).serverMetadata().jwks_uri ?? '');
    },
  };
}

/** Returns a path of the console; any other path becomes the start page, because it could redirect a user elsewhere. */
export function sanitizeReturnPath(path: string): string {
  const isPlain = /^\/console(\/[\w\-./?=&%~:@+,]*)?$/.test(path) && !/\/\/|\.\./.test(path);
  // A browser reads %2e as a dot: a path that it would turn into another path is rejected.
  return isPlain && new URL(path, DUMMY_ORIGIN).href === `${DUMMY_ORIGIN}${path}`
    ? path
    : '/console/';
}

const DUMMY_ORIGIN = 'http://dummy.invalid';

/** Returns why a sign-in whose password was entered before it began is refused (OpenID Connect Core 1.0, 3.1.3.7). */
function freshnessFault({ auth_time: authTime }: Claims, { expiresAt }: Pending): string | null {
  const startedAt = (expiresAt - PENDING_LIFE_MS) / 1000;
  const isFresh = typeof authTime === 'number' && authTime >= startedAt - CLOCK_LEEWAY_SECONDS;
  return isFresh ? null : "This sign-in didn't ask for the password. Try again.";
}

function openPending(sealer: Sealer, cookie: string | undefined): Pending {
  try {
    const pending = JSON.parse(sealer.unseal(cookie ?? '', SEAL_LOCATION)) as Pending;
    if (pending.expiresAt > Date.now()) return pending;
  } catch {
    // A missing cookie, a forged cookie and one of another installation fail alike.
  }
  throw new SignInError('This sign-in was started in another browser, or took too long.');
}

async function discover(login: LoginConfig): Promise<oidc.Configuration> {
  const issuer = new URL(login.issuer);
  return oidc.discovery(
    issuer,
    login.clientId,
    {
      ...(login.clientSecret === null ? {} : { client_secret: login.clientSecret }),
      [oidc.clockTolerance]: CLOCK_LEEWAY_SECONDS,
    },
    login.clientSecret === null ? oidc.None() : undefined,
    {
      timeout: PROVIDER_TIMEOUT_SECONDS,
      ...(isLoopbackHost(issuer.hostname) ? { execute: [oidc.allowInsecureRequests] } : {}),
    },
  );
}

/**
 * Returns the metadata of the embedded provider, which needs no discovery. Its back channel goes to the listener,
 * because the hub may not reach its own public origin.
 */
function embeddedConfiguration(origin: string, localUrl: string): oidc.Configuration {
  const issuer = `${origin}${MOUNT}`;
  const configuration = new oidc.Configuration(
    {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    },
    CONSOLE_CLIENT_ID,
    { id_token_signed_response_alg: 'ES256' },
    oidc.None(),
  );
  oidc.allowInsecureRequests(configuration);
  configuration[oidc.customFetch] = (url, init) =>
    undiciFetch(url.replace(origin, localUrl), init as never) as unknown as Promise<Response>;
  return configuration;
}
