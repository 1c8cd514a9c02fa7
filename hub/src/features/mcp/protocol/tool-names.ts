// The names under which tools and prompts are offered to clients. Many clients refuse names that are longer than 64 characters
// or have others than A-Z, a-z, 0-9, underscore and hyphen, and with one name the whole list. Such names are mapped: to a
// readable beginning and a hash of the original, which is found again among the names that the server lists. Pure.
import { createHash } from 'node:crypto';

const VALID = /^[A-Za-z0-9_-]{1,64}$/;
const NAME_MAX = 64;
const MARK = '__h';
const HASH_CHARS = 16;
const MAPPED = new RegExp(`${MARK}[0-9a-f]{${HASH_CHARS}}$`);
/** Of a longer slug only the beginning stands in a mapped name. */
const SLUG_CHARS = 30;

const BETWEEN = '__';

/** A slug holds no underscore, so the first two tell where it ends. */
export const prefixName = (slug: string, name: string) => `${slug}${BETWEEN}${name}`;

export function splitName(name: string): { slug: string; name: string } | null {
  const at = name.indexOf(BETWEEN);
  return at <= 0 ? null : { slug: name.slice(0, at), name: name.slice(at + BETWEEN.length) };
}

/**
 * Returns the name under which a client is offered a tool or a prompt: behind the slug at the aggregated URL, without one
 * at the server's own (`slug` null). A valid name that looks like a mapped one is mapped too, so that no two are alike.
 */
export function exposedName(slug: string | null, name: string): string {
  const full = slug === null ? name : prefixName(slug, name);
  if (VALID.test(full) && !MAPPED.test(full)) return full;
  const hash = createHash('sha256')
    .update(JSON.stringify([slug, name]))
    .digest('hex')
    .slice(0, HASH_CHARS);
  const prefix = slug === null ? '' : prefixName(slug.slice(0, SLUG_CHARS), '');
  const room = NAME_MAX - prefix.length - MARK.length - HASH_CHARS;
  return `${prefix}${plainName(name).slice(0, room)}${MARK}${hash}`;
}

/** Letters without their accents; everything else that is not allowed becomes one underscore. */
const plainName = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9-]+/g, '_')
    .replace(/^_|_$/g, '');

export const isMappedName = (name: string): boolean => MAPPED.test(name);

/** Whether a mapped name may be of this server: more can be said only by the names that it lists. */
export const mayBelongTo = (slug: string, mapped: string): boolean =>
  splitName(mapped)?.slug === slug.slice(0, SLUG_CHARS);
