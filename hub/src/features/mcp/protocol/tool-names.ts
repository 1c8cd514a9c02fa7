// Names of tools and prompts for clients. Many clients reject a complete list for a name of more than 64 characters, or with
// characters other than A-Z, a-z, 0-9, underscore and hyphen. Such names are mapped to a readable beginning and a hash of the
// original, which is restored from the list of the server. Pure.
import { createHash } from 'node:crypto';

const VALID = /^[A-Za-z0-9_-]{1,64}$/;
const NAME_MAX = 64;
const MARK = '__h';
const HASH_CHARS = 16;
const MAPPED = new RegExp(`${MARK}[0-9a-f]{${HASH_CHARS}}$`);
/** Characters of the slug in a mapped name. */
const SLUG_CHARS = 30;

const BETWEEN = '__';

/** Separator of slug and name. A slug contains no underscore, so the first separator is the end of the slug. */
export const prefixName = (slug: string, name: string) => `${slug}${BETWEEN}${name}`;

export function splitName(name: string): { slug: string; name: string } | null {
  const at = name.indexOf(BETWEEN);
  return at <= 0 ? null : { slug: name.slice(0, at), name: name.slice(at + BETWEEN.length) };
}

/**
 * Returns the name of a tool or prompt for clients: with the slug at the aggregated URL, without it at the server's own URL (`slug`
 * null). A valid name that looks like a mapped name is mapped too, so that names are unique.
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

/** Removes accents, and replaces invalid characters by an underscore. */
const plainName = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9-]+/g, '_')
    .replace(/^_|_$/g, '');

export const isMappedName = (name: string): boolean => MAPPED.test(name);

/** Returns whether a mapped name may belong to this server; only its list of names is conclusive. */
export const mayBelongTo = (slug: string, mapped: string): boolean =>
  splitName(mapped)?.slug === slug.slice(0, SLUG_CHARS);
