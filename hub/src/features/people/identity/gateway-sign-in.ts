// Signing in for a client of the MCP gateway: the same login provider, but no session of the console comes of it. What
// the browser brings back is a sealed word for one request and for a few minutes.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import type { SessionCookie } from './gate.ts';
import type { SignIn } from './sign-in.ts';

const PERSON_COOKIE = 'gw_oauth_person';
const TARGET_COOKIE = 'gw_oauth_target';
export const SIGN_IN_COOKIE = 'gw_sign_in';
const LIFE_SECONDS = 600;
const PERSON_PLACE = 'cookie/oauth-person';
const TARGET_PLACE = 'cookie/oauth-target';

interface Deps {
  cookie: SessionCookie;
  sealer: Sealer;
}

/** The cookie that waits for the login provider's answer. */
export const signInCookie = (cookie: SessionCookie) => ({
  ...cookie.options,
  path: '/console/sign-in',
  maxAge: LIFE_SECONDS,
});

/** Leads the browser to the login provider; `source` is where it will be led in the end, for the pages on the way. */
export async function leadToSignIn(
  reply: FastifyReply,
  deps: Deps & { signIn: SignIn },
  to: { request: string; source: string },
): Promise<FastifyReply> {
  const begun = await deps.signIn.begin({ gatewayRequest: to.request });
  return reply
    .setCookie(SIGN_IN_COOKIE, begun.cookie, signInCookie(deps.cookie))
    .setCookie(TARGET_COOKIE, seal(deps.sealer, TARGET_PLACE, to.source), {
      ...deps.cookie.options,
      path: '/auth',
      maxAge: LIFE_SECONDS,
    })
    .header('cache-control', 'no-store')
    .redirect(begun.url, 303);
}

/** The login provider named the person: back to the request. */
export function confirmPerson(
  reply: FastifyReply,
  deps: Deps,
  email: string,
  request: string,
): FastifyReply {
  return reply
    .setCookie(PERSON_COOKIE, seal(deps.sealer, PERSON_PLACE, { email, request }), {
      ...deps.cookie.options,
      path: '/oauth',
      maxAge: LIFE_SECONDS,
    })
    .redirect(`/oauth/continue?request=${encodeURIComponent(request)}`, 303);
}

/** The e-mail that the login provider vouched for, for this request and in this browser; null otherwise. */
export function gatewayPerson(
  request: FastifyRequest,
  sealer: Sealer,
  requestId: string,
): string | null {
  const word = unseal<{ email: string; request: string }>(
    sealer,
    PERSON_PLACE,
    request.cookies[PERSON_COOKIE],
  );
  return word?.request === requestId ? word.email : null;
}

/** Where the pages of a sign-in under way may lead: their forms' redirects end at the client. */
export function leadsTo(request: FastifyRequest, sealer: Sealer): string[] {
  const source = unseal<string>(sealer, TARGET_PLACE, request.cookies[TARGET_COOKIE]);
  return source === null ? [] : [source];
}

function seal(sealer: Sealer, place: string, word: unknown): string {
  return sealer.seal(JSON.stringify({ word, until: Date.now() + LIFE_SECONDS * 1000 }), place);
}

function unseal<T>(sealer: Sealer, place: string, cookie: string | undefined): T | null {
  if (cookie === undefined || cookie.length > 4_000) return null;
  try {
    const { word, until } = JSON.parse(sealer.unseal(cookie, place)) as { word: T; until: number };
    return until > Date.now() ? word : null;
  } catch {
    // Absent, forged or of another installation: the same to whoever asks.
    return null;
  }
}
