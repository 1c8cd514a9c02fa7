// Texts about policies that the list and the removal share.
import type { Override } from '@gatewarden/shared/wire/console/overrides.ts';

/** Returns the subject of a policy that is not for a product, such as `gw-demo` or `hash 0a1b2c3d4e5f`. */
export function describeMatch(match: Override['match']): string {
  const { name, executable_sha256: hash, entity_id: entityId, publisher, kind } = match;
  if (name !== undefined) return name;
  if (hash !== undefined) return `hash ${hash.slice(0, 12)}`;
  if (entityId !== undefined) return `app ${entityId.slice(0, 12)}`;
  return publisher === undefined ? `all of type ${kind ?? 'any'}` : `publisher ${publisher}`;
}
