// Sign-in for clients of the MCP gateway: through the same login provider, without a session of the console. The
// browser carries sealed cookies, each for a single request and for a few minutes, so that several sign-ins can run at
// once.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import {
  type CookieKind,
  clearCookie,
  readCookie,
  readCookies,
  setCookie,
} from '../../../platform/http/server/cookies.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { SignIn } from './sign-in.ts';

const LIFE_SECONDS = 600;
const PERSON_LOCATION = 'cookie/oauth-person';
const TARGET_LOCATION = 'cookie/oauth-target';

const cookieKind = (prefix: string, path: string, max: number): CookieKind => ({
  prefix,
  max,
  options: { path, maxAge: LIFE_SECONDS },
});
/** Sign-ins that wait for the login provider's response, by their `state`. */
const PENDING = cookieKind('gw_sign_in', '/console/sign-in', 8);
/** Confirmed people and redirect targets, by the request of a client. */
const PERSON = cookieKind('gw_oauth_person', '/oauth', 16);
const TARGET = cookieKind('gw_oauth_target', '/auth', 16);

interface Deps {
  cookie: SessionCookie;
  sealer: Sealer;
}

/** Redirects the browser to the login provider, with the pending sign-in in a cookie. */
export async function beginSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Pick<Deps, 'cookie'> & { signIn: SignIn },
  target: Parameters<SignIn['begin']>[0],
): Promise<FastifyReply> {
  const { url, state, cookie } = await deps.signIn.begin(target);
  setCookie(PENDING, { request, reply, base: deps.cookie.options }, state, cookie);
  return reply.header('cache-control', 'no-store').redirect(url, 303);
}

/** Returns the pending sign-in of this browser under this state, and clears its cookie: it is used once. */
export function takePending(
  request: FastifyRequest,
  reply: FastifyReply,
  { cookie }: Pick<Deps, 'cookie'>,
  state: string,
): string | undefined {
  clearCookie(PENDING, { reply, base: cookie.options }, state);
  return readCookie(PENDING, request, state);
}

/**
 * Redirects the browser to the login provider; `source` is the origin that the browser finally returns to, which the
 * pages on the way have to allow.
 */
export function redirectToSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Deps & { signIn: SignIn },
  to: { request: string; source: string },
): Promise<FastifyReply> {
  const target = { request, reply, base: deps.cookie.options };
  setCookie(TARGET, target, to.request, seal(deps.sealer, TARGET_LOCATION, to.source));
  return beginSignIn(request, reply, deps, { gatewayRequest: to.request });
}

/** Stores the person that the login provider named, and redirects to the client's authorization request. */
export function confirmPerson(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Deps,
  { email, gatewayRequest: requestId }: { email: string; gatewayRequest: string },
): FastifyReply {
  const target = { request, reply, base: deps.cookie.options };
  setCookie(
    PERSON,
    target,
    requestId,
    seal(deps.sealer, PERSON_LOCATION, { email, request: requestId }),
  );
  return reply.redirect(`/oauth/continue?request=${encodeURIComponent(requestId)}`, 303);
}

/** Clears the confirmed person of an authorization request. */
export function clearGatewayPerson(
  reply: FastifyReply,
  { cookie }: Pick<Deps, 'cookie'>,
  requestId: string,
): void {
  clearCookie(PERSON, { reply, base: cookie.options }, requestId);
}

/**
 * Returns the e-mail address that the login provider confirmed for this request in this browser; null if there is none.
 */
export function readGatewayPerson(
  request: FastifyRequest,
  sealer: Sealer,
  requestId: string,
): string | null {
  const sealed = unseal<{ email: string; request: string }>(
    sealer,
    PERSON_LOCATION,
    readCookie(PERSON, request, requestId),
  );
  return sealed?.request === requestId ? sealed.email : null;
}

/** Returns the origins that pages of pending sign-ins may redirect to: their forms end at the client. */
export function allowedRedirects(request: FastifyRequest, sealer: Sealer): string[] {
  const sources = readCookies(TARGET, request).map((cookie) =>
    unseal<string>(sealer, TARGET_LOCATION, cookie),
  );
  return [...new Set(sources.filter((source) => source !== null))];
}

function seal(sealer: Sealer, location: string, value: unknown): string {
  return sealer.seal(JSON.stringify({ value, until: Date.now() + LIFE_SECONDS * 1000 }), location);
}

function unseal<T>(sealer: Sealer, location: string, cookie: string | undefined): T | null {
  if (cookie === undefined || cookie.length > 4_000) return null;
  try {
    const { value, until } = JSON.parse(sealer.unseal(cookie, location)) as {
      value: T;
      until: number;
    };
    return until > Date.now() ? value : null;
  } catch {
    // A missing cookie, a forged cookie and one of another installation are treated alike.
    return null;
  }
}
