// The tools that a server lists now, beside what was approved of them: what somebody looks at before they approve. Pure.
import { createHash } from 'node:crypto';
import type { ListedTool } from '@gatewarden/shared/wire/console/mcp-tool-pins.ts';
import { isObject } from '../../../platform/http/json.ts';
import type { Definition, Pin } from './store.ts';

/** Whether the definition says that the tool can be called as a task only. */
export const isTaskOnly = ({ execution }: Record<string, unknown>): boolean =>
  isObject(execution) && execution.taskSupport === 'required';

/** By name; those that were approved and are not listed any more are gone. */
export function listedTools(now: readonly Definition[], pins: readonly Pin[]): ListedTool[] {
  const pinned = new Map(pins.map((pin) => [pin.tool, pin]));
  const names = new Set(now.map((one) => one.tool));
  const listed = now.map(({ tool, digest, definition }): ListedTool => {
    const pin = pinned.get(tool);
    const former = pin?.pinned ?? null;
    const isSame = pin?.pinned_digest?.equals(digest) === true;
    const state = isSame ? 'pinned' : former === null ? 'new' : 'changed';
    return { name: tool, state, pinned: former, now: definition };
  });
  const gone = pins
    .filter((pin) => pin.pinned !== null && !names.has(pin.tool))
    .map((pin): ListedTool => ({ name: pin.tool, state: 'gone', pinned: pin.pinned, now: null }));
  return [...listed, ...gone].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The same whatever the order in which the server lists them. */
export function digestOfList(now: readonly Definition[]): string {
  const lines = now.map((one) => `${one.digest.toString('hex')}\n`).sort();
  return createHash('sha256').update(lines.join('')).digest('hex');
}
