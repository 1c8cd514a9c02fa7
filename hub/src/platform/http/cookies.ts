// Cookies of which a browser holds several at once: people open several pages and answer them one by one.
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** One kind of cookie, one cookie for each id. */
export interface CookieKind {
  prefix: string;
  /** More than these are not kept: all of them come with each request, and a header has an end. */
  max: number;
  options: { path: string; maxAge: number };
}

/** Returns the cookie's name for an id, which may be anything: the name holds a hash of it. */
export const nameOfCookie = (kind: CookieKind, id: string) =>
  `${kind.prefix}_${hashSecret(id).toString('hex').slice(0, 16)}`;

const namesOf = (kind: CookieKind, request: FastifyRequest): string[] =>
  Object.keys(request.cookies).filter((name) => name.startsWith(`${kind.prefix}_`));

/** Of this id; undefined where the browser has none. */
export const cookieOf = (kind: CookieKind, request: FastifyRequest, id: string) =>
  request.cookies[nameOfCookie(kind, id)];

/** Of all ids. */
export const cookiesOf = (kind: CookieKind, request: FastifyRequest): string[] =>
  namesOf(kind, request).map((name) => request.cookies[name] ?? '');

/** Returns the names of the oldest cookies of a kind that must go before another one (not `kept`) is set. */
export function surplusCookies(kind: CookieKind, request: FastifyRequest, kept?: string): string[] {
  const others = namesOf(kind, request).filter((name) => name !== kept);
  return others.slice(0, Math.max(0, others.length - kind.max + 1));
}

/** Sets the cookie of this id; where there are as many as may be, those that the browser names first go: its oldest. */
export function giveCookie(
  kind: CookieKind,
  scene: { request: FastifyRequest; reply: FastifyReply; base: object },
  id: string,
  value: string,
): void {
  const { request, reply, base } = scene;
  const name = nameOfCookie(kind, id);
  for (const old of surplusCookies(kind, request, name)) {
    reply.clearCookie(old, { ...base, path: kind.options.path });
  }
  reply.setCookie(name, value, { ...base, ...kind.options });
}

export function takeCookie(
  kind: CookieKind,
  scene: { reply: FastifyReply; base: object },
  id: string,
): void {
  scene.reply.clearCookie(nameOfCookie(kind, id), { ...scene.base, path: kind.options.path });
}
