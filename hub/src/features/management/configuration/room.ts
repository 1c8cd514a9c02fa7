// Limits of maps: the bound of a request also applies to the stored value, or merging would exceed it.
import {
  CONFIG_SECTIONS,
  type ConfigSection,
} from '@gatewarden/shared/wire/management/app-config.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { type Node, walk } from './schema-walk.ts';

type Config = Readonly<Record<string, unknown>>;

/** Throws 400 with a pointer for a map of `after` above its bound. A map that was above it `before` may not grow. */
export function checkRoom(before: Config, after: Config, sections: readonly string[]): void {
  for (const name of sections) {
    const previousSizes = sizesIn(name, before[name]);
    for (const [pointer, { size, most }] of sizesIn(name, after[name])) {
      if (size <= Math.max(most, previousSizes.get(pointer)?.size ?? 0)) continue;
      const words = `must not have more than ${most} entries, including stored ones`;
      throw new HubError('invalid_request', `${pointer} ${words}`);
    }
  }
}

/** Returns the size of every bounded map in a section, by its pointer. */
function sizesIn(name: string, section: unknown): Map<string, { size: number; most: number }> {
  const found = new Map<string, { size: number; most: number }>();
  walk(CONFIG_SECTIONS[name as ConfigSection] as Node, section, `/${name}`, (node, value, at) => {
    if (node.maxProperties === undefined || !isObject(value)) return;
    found.set(at, { size: Object.keys(value).length, most: node.maxProperties });
  });
  return found;
}
