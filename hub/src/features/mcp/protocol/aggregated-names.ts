// Names of items of a backend at the aggregated URL, and the backend of a name or a rewritten id. Pure.
import type { RequestId } from '@modelcontextprotocol/client';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { exposedName, isMappedName } from './tool-names.ts';

/** Returns the URI with the backend in its scheme. */
export const prefixUri = (slug: string, uri: string) => `gw-${slug}+${uri}`;

export function splitUri(uri: string): { slug: string; uri: string } | null {
  const found = /^gw-([a-z0-9-]+)\+(.+)$/s.exec(uri);
  return found === null ? null : { slug: found[1] ?? '', uri: found[2] ?? '' };
}

/** The id of a server's own request, as the client sees it: with the backend that waits for the answer. */
export const rewriteId = (backendId: string, id: RequestId) =>
  `gw:${backendId}:${JSON.stringify(id)}`;

export function originalId(id: RequestId): { backendId: string; id: RequestId } | null {
  const found = /^gw:([0-9a-f-]{36}):(.+)$/s.exec(String(id));
  if (found === null) return null;
  try {
    return { backendId: found[1] ?? '', id: JSON.parse(found[2] ?? '') as RequestId };
  } catch {
    return null;
  }
}

const ORIGINAL = 'dev.gatewarden/original_name';

/**
 * An item of a list as clients are offered it: `slug` null at the server's own URL. A name that had to be mapped stays as
 * its title, if it has no other, and in `_meta`.
 */
export function renameItem(
  item: unknown,
  slug: string | null,
  field: 'name' | 'uri' | 'uriTemplate' | 'text',
): unknown {
  if (!isObject(item) || typeof item[field] !== 'string') return item;
  const value = item[field] as string;
  if (field !== 'name') return slug === null ? item : { ...item, [field]: prefixUri(slug, value) };
  const name = exposedName(slug, value);
  if (!isMappedName(name)) return { ...item, name };
  const meta = isObject(item._meta) ? item._meta : {};
  return {
    ...item,
    name,
    title: typeof item.title === 'string' ? item.title : value,
    _meta: { ...meta, [ORIGINAL]: value },
  };
}
