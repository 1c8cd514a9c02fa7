// Browsers in which a person signed in to an account before. They prove no identity: failed sign-ins from them only
// count against a budget of their own (sign-in-limits.ts).
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { type CookieKind, readCookie, setCookie } from '../../../platform/http/server/cookies.ts';
import type { SessionCookie } from './session-cookie.ts';

const SEAL_LOCATION = 'cookie/known-browser';
const LIFE_SECONDS = 180 * 86_400;

const KNOWN: CookieKind = {
  prefix: 'gw_known',
  max: 5,
  options: { path: '/auth', maxAge: LIFE_SECONDS },
};

interface KnownBrowser {
  account: string;
  browser: string;
}

/** Returns the browser's id for this account (a folded e-mail address); null if nobody signed in to it there. */
export function knownBrowserOf(
  request: FastifyRequest,
  sealer: Sealer,
  account: string,
): string | null {
  const value = readCookie(KNOWN, request, account);
  if (value === undefined || value.length > 2_000) return null;
  try {
    const browser = JSON.parse(sealer.unseal(value, SEAL_LOCATION)) as KnownBrowser;
    return browser.account === account ? browser.browser : null;
  } catch {
    // A forged cookie, or one of another installation, counts as no cookie.
    return null;
  }
}

/** Marks this browser as known for the account; its id stays if it was known already. */
export function rememberBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: { sealer: Sealer; cookie: SessionCookie },
  account: string,
): void {
  const browser = knownBrowserOf(request, deps.sealer, account) ?? randomUUID();
  const value = deps.sealer.seal(JSON.stringify({ account, browser }), SEAL_LOCATION);
  setCookie(KNOWN, { request, reply, base: deps.cookie.options }, account, value);
}
