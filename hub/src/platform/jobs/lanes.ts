// Who may start next where some hang: slots are shared so that one owner's hanging work never takes the last of them. Pure.

/** What is open in a lane: whose it is. */
export interface Held {
  owner: string;
}

/** What may be taken now: so many, and of these owners none. */
export interface Turn {
  most: number;
  full: string[];
}

/** One fetch keeps no other waiting for long. */
const AT_ONCE = 20;

/** Of the slots, what is kept for owners of whom nothing hangs. */
const KEPT = 1 / 4;

/**
 * What may be taken, in order: of owners of whom nothing hangs from all slots; of anybody from those that are not kept
 * for them. So whoever has hung before keeps out nobody who has not.
 */
export function turnsOf(
  open: readonly Held[],
  slots: number,
  hanging: ReadonlySet<string>,
): readonly Turn[] {
  const well = turnOf(open, slots);
  if (hanging.size === 0) return [well];
  const any = turnOf(open, slots - Math.floor(slots * KEPT));
  return [{ ...well, full: [...new Set([...well.full, ...hanging])] }, any];
}

/**
 * An owner may take while it holds fewer slots than are free. Alone it gets half of them, beside n others one part of
 * n + 2: nobody needs to know who waits, and whoever holds nothing may take while any is free. `most` is kept to what
 * one owner may take, as nobody knows beforehand whose work comes.
 */
export function turnOf(open: readonly Held[], slots: number): Turn {
  const free = slots - open.length;
  const held = heldBy(open);
  if (free <= 0) return { most: 0, full: [] };
  const full = [...held].flatMap(([owner, count]) => (count < free ? [] : owner));
  const widest = Math.max(0, ...[...held.values()].filter((count) => count < free));
  return { most: Math.min(AT_ONCE, Math.ceil((free - widest) / 2)), full };
}

/**
 * What has to end now, where more than `most` hang: of the owner that has most of them, what has hung longest, and so
 * on. `hanging` has the longest first.
 */
export function yieldToOtherLanes<One extends Held>(hanging: readonly One[], most: number): One[] {
  const left = [...hanging];
  const held = heldBy(left);
  const ended: One[] = [];
  while (left.length > most) {
    const widest = Math.max(...held.values());
    const at = left.findIndex(({ owner }) => held.get(owner) === widest);
    const [one] = left.splice(at, 1);
    if (one === undefined) break;
    held.set(one.owner, widest - 1);
    ended.push(one);
  }
  return ended;
}

function heldBy(open: readonly Held[]): Map<string, number> {
  const held = new Map<string, number>();
  for (const { owner } of open) held.set(owner, (held.get(owner) ?? 0) + 1);
  return held;
}

/** Why work is told to stop although the hub goes on: it hung, and too much else does. */
export class LaneYieldedError extends Error {
  constructor() {
    super('it hung while too much else did');
  }
}
