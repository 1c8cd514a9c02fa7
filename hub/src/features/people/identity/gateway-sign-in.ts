// Signing in for a client of the MCP gateway: the same login provider, but no session of the console comes of it. What
// the browser brings back is a sealed word for one request and for a few minutes; of several sign-ins at once each has
// its own.
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
const PERSON_PLACE = 'cookie/oauth-person';
const TARGET_PLACE = 'cookie/oauth-target';

const kind = (prefix: string, path: string, max: number): CookieKind => ({
  prefix,
  max,
  options: { path, maxAge: LIFE_SECONDS },
});
/** Wait for the login provider's answer, by the state that it gives back. */
const PENDING = kind('gw_sign_in', '/console/sign-in', 8);
/** By the request of a client. */
const PERSON = kind('gw_oauth_person', '/oauth', 16);
const TARGET = kind('gw_oauth_target', '/auth', 16);

interface Deps {
  cookie: SessionCookie;
  sealer: Sealer;
}

/** Leads the browser to the login provider, and lets it remember what for. */
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

/** What this browser was led away with under this state; it is used up. */
export function takePending(
  request: FastifyRequest,
  reply: FastifyReply,
  { cookie }: Pick<Deps, 'cookie'>,
  state: string,
): string | undefined {
  clearCookie(PENDING, { reply, base: cookie.options }, state);
  return readCookie(PENDING, request, state);
}

/** Leads the browser to the login provider; `source` is where it will be led in the end, for the pages on the way. */
export function leadToSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Deps & { signIn: SignIn },
  to: { request: string; source: string },
): Promise<FastifyReply> {
  const scene = { request, reply, base: deps.cookie.options };
  setCookie(TARGET, scene, to.request, seal(deps.sealer, TARGET_PLACE, to.source));
  return beginSignIn(request, reply, deps, { gatewayRequest: to.request });
}

/** The login provider named the person: back to the client's request `of`. */
export function confirmPerson(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Deps,
  { email, gatewayRequest: of }: { email: string; gatewayRequest: string },
): FastifyReply {
  const scene = { request, reply, base: deps.cookie.options };
  setCookie(PERSON, scene, of, seal(deps.sealer, PERSON_PLACE, { email, request: of }));
  return reply.redirect(`/oauth/continue?request=${encodeURIComponent(of)}`, 303);
}

/** Nobody is signed in for this request any more. */
export function forgetPerson(
  reply: FastifyReply,
  { cookie }: Pick<Deps, 'cookie'>,
  of: string,
): void {
  clearCookie(PERSON, { reply, base: cookie.options }, of);
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
    readCookie(PERSON, request, requestId),
  );
  return word?.request === requestId ? word.email : null;
}

/** Where the pages of the sign-ins under way may lead: their forms' redirects end at the client. */
export function leadsTo(request: FastifyRequest, sealer: Sealer): string[] {
  const sources = readCookies(TARGET, request).map((one) =>
    unseal<string>(sealer, TARGET_PLACE, one),
  );
  return [...new Set(sources.filter((one) => one !== null))];
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
