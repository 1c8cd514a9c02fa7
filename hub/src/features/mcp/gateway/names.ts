// What a thing of a backend is called at the aggregated URL, and which backend a name or a rewritten id belongs to. Pure.
import { isObject } from '../../../platform/http/json.ts';
import type { Id } from './messages.ts';

const BETWEEN = '__';

/** A slug holds no underscore, so the first two tell where it ends. */
export const prefixed = (slug: string, name: string) => `${slug}${BETWEEN}${name}`;

export function splitName(name: string): { slug: string; name: string } | null {
  const at = name.indexOf(BETWEEN);
  return at <= 0 ? null : { slug: name.slice(0, at), name: name.slice(at + BETWEEN.length) };
}

/** A URI stays one: its scheme says whose it is. */
export const prefixedUri = (slug: string, uri: string) => `gw-${slug}+${uri}`;

export function splitUri(uri: string): { slug: string; uri: string } | null {
  const found = /^gw-([a-z0-9-]+)\+(.+)$/s.exec(uri);
  return found === null ? null : { slug: found[1] ?? '', uri: found[2] ?? '' };
}

/** The id of a server's own request, as the client sees it: with the backend that waits for the answer. */
export const rewrittenId = (backendId: string, id: Id) => `gw:${backendId}:${JSON.stringify(id)}`;

export function originalId(id: Id): { backendId: string; id: Id } | null {
  const found = /^gw:([0-9a-f-]{36}):(.+)$/s.exec(String(id));
  if (found === null) return null;
  try {
    return { backendId: found[1] ?? '', id: JSON.parse(found[2] ?? '') as Id };
  } catch {
    return null;
  }
}

/** An item of a list, under its name at the aggregated URL. */
export function renamed(
  item: unknown,
  slug: string,
  field: 'name' | 'uri' | 'uriTemplate',
): unknown {
  if (!isObject(item) || typeof item[field] !== 'string') return item;
  const value = item[field] as string;
  return { ...item, [field]: field === 'name' ? prefixed(slug, value) : prefixedUri(slug, value) };
}
