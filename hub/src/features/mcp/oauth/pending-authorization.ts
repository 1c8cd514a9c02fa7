// Authorizations between request and code, each bound to the browser that was shown the consent page (RFC 9700 §4.7).
import { hashSecret, isHashOf } from '@gatewarden/shared/secrets.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type CookieKind,
  clearCookie,
  readCookie,
  setCookie,
} from '../../../platform/http/server/cookies.ts';
import { UntrustedRequest } from './authorization/request.ts';
import type { OAuthDeps } from './deps.ts';
import { REQUEST_SECONDS } from './grant.ts';
import { type Authorization, selectAuthorization } from './store.ts';

/** A cookie per request, because clients open the consent pages of several servers at the same time. */
const BROWSER: CookieKind = {
  prefix: 'gw_oauth_browser',
  max: 50,
  options: { path: '/oauth', maxAge: REQUEST_SECONDS },
};

/** Binds an authorization to the browser of the request with a secret. */
export function bindBrowser(
  { cookie }: Pick<OAuthDeps, 'cookie'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  id: string,
  secret: string,
): void {
  setCookie(BROWSER, { request, reply, base: cookie.options }, id, secret);
}

/** Removes the cookie of an authorization. */
export function unbindBrowser(
  { cookie }: Pick<OAuthDeps, 'cookie'>,
  reply: FastifyReply,
  id: string,
): void {
  clearCookie(BROWSER, { reply, base: cookie.options }, id);
}

/**
 * Returns the pending authorization of a form, or of an address if `csrf` is null. Throws UntrustedRequest for a form of
 * another site, for another browser, and after the authorization expired.
 */
export async function loadPending(
  { db, origin: ownOrigin }: Pick<OAuthDeps, 'db' | 'origin'>,
  request: FastifyRequest,
  id: string,
  csrf: string | null,
): Promise<Authorization> {
  const { origin } = request.headers;
  if (csrf !== null && origin !== undefined && origin !== 'null' && origin !== ownOrigin) {
    throw new UntrustedRequest('The form came from another site.');
  }
  const authorization = await selectAuthorization(db, hashSecret(id));
  const isBound =
    authorization !== null &&
    isHashOf(authorization.browser_hash, readCookie(BROWSER, request, id)) &&
    (csrf === null || isHashOf(authorization.csrf_hash, csrf));
  if (!isBound) {
    throw new UntrustedRequest('This request expired, or was started in another browser.');
  }
  return authorization;
}
