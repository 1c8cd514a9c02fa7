// Current tool definitions of a server compared with the pins, for a review. Pure.
import { createHash } from 'node:crypto';
import type { ListedTool } from '@gatewarden/shared/wire/console/mcp-tool-pins.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { exposedName, isMappedName } from '../protocol/index.ts';
import type { Definition, Pin } from './store.ts';

/** Returns whether the definition allows calls as a task only. */
export const isTaskOnly = ({ execution }: Record<string, unknown>): boolean =>
  isObject(execution) && execution.taskSupport === 'required';

const keyOf = ({ kind, tool }: Pick<Pin, 'kind' | 'tool'>) => `${kind} ${tool}`;

/** The name at the aggregated URL, if the tool's own had to be mapped; else null. */
export function exposedNameOf(
  slug: string,
  { kind, tool }: Pick<Pin, 'kind' | 'tool'>,
): string | null {
  if (kind !== 'tool') return null;
  const name = exposedName(slug, tool);
  return isMappedName(name) ? name : null;
}

/** Instructions first, then tools by name; those that were approved and are not listed any more are gone. */
export function listedTools(
  slug: string,
  now: readonly Definition[],
  pins: readonly Pin[],
): ListedTool[] {
  const pinned = new Map(pins.map((pin) => [keyOf(pin), pin]));
  const names = new Set(now.map(keyOf));
  const nameOf = ({ kind, tool }: Pick<Pin, 'kind' | 'tool'>) => ({
    kind,
    name: tool,
    exposed_name: exposedNameOf(slug, { kind, tool }),
  });
  const listed = now.map(({ digest, definition, ...item }): ListedTool => {
    const pin = pinned.get(keyOf(item));
    const former = pin?.pinned ?? null;
    const isSame = pin?.pinned_digest?.equals(digest) === true;
    const state = isSame ? 'pinned' : former === null ? 'new' : 'changed';
    return { ...nameOf(item), state, pinned: former, now: definition };
  });
  const gone = pins
    .filter((pin) => pin.pinned !== null && !names.has(keyOf(pin)))
    .map((pin): ListedTool => ({ ...nameOf(pin), state: 'gone', pinned: pin.pinned, now: null }));
  return [...listed, ...gone].sort((a, b) =>
    a.kind === b.kind ? (a.name < b.name ? -1 : 1) : a.kind < b.kind ? -1 : 1,
  );
}

/** Returns a digest that does not depend on the order of the tools. */
export function digestOfList(now: readonly Definition[]): string {
  const lines = now.map((item) => `${item.digest.toString('hex')}\n`).sort();
  return createHash('sha256').update(lines.join('')).digest('hex');
}
