// Cookies that exist several times at once, because users open several sign-in pages and complete them in any order.
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A kind of cookie, with a cookie for each id. */
export interface CookieKind {
  prefix: string;
  /** Maximum number of cookies. Each request sends all of them, and headers have a size limit. */
  max: number;
  options: { path: string; maxAge: number };
}

/** Returns the cookie's name for an id. The id may contain any text, because the name contains only its hash. */
export const cookieName = (kind: CookieKind, id: string) =>
  `${kind.prefix}_${hashSecret(id).toString('hex').slice(0, 16)}`;

const listNames = (kind: CookieKind, request: FastifyRequest): string[] =>
  Object.keys(request.cookies).filter((name) => name.startsWith(`${kind.prefix}_`));

/** Returns the value of an id's cookie, or undefined. */
export const readCookie = (kind: CookieKind, request: FastifyRequest, id: string) =>
  request.cookies[cookieName(kind, id)];

/** Returns the values of all ids. */
export const readCookies = (kind: CookieKind, request: FastifyRequest): string[] =>
  listNames(kind, request).map((name) => request.cookies[name] ?? '');

/** Returns the names of the oldest cookies that must be removed before another cookie is set; never `retained`. */
export function surplusCookies(
  kind: CookieKind,
  request: FastifyRequest,
  retained?: string,
): string[] {
  const candidates = listNames(kind, request).filter((name) => name !== retained);
  return candidates.slice(0, Math.max(0, candidates.length - kind.max + 1));
}

/** Sets the cookie of an id. Beyond the maximum it clears the oldest cookies, which browsers send first. */
export function setCookie(
  kind: CookieKind,
  context: { request: FastifyRequest; reply: FastifyReply; base: object },
  id: string,
  value: string,
): void {
  const { request, reply, base } = context;
  const name = cookieName(kind, id);
  for (const old of surplusCookies(kind, request, name)) {
    reply.clearCookie(old, { ...base, path: kind.options.path });
  }
  reply.setCookie(name, value, { ...base, ...kind.options });
}

/** Clears the cookie of an id. */
export function clearCookie(
  kind: CookieKind,
  context: { reply: FastifyReply; base: object },
  id: string,
): void {
  context.reply.clearCookie(cookieName(kind, id), { ...context.base, path: kind.options.path });
}
