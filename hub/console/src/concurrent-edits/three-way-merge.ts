// Three-way merge of a record that two users change: unchanged fields follow the other user, changed fields stay. Pure.

export interface Both {
  /** The fields that both changed to different values. */
  path: readonly string[];
  now: unknown;
}

/** Merges `mine` with `now`, the other user's version; both were made from `base`. */
export function merged<Values>(
  base: Values,
  mine: Values,
  now: Values,
): { values: Values; both: readonly Both[] } {
  const both: Both[] = [];
  return { values: mergedAt(base, mine, now, [], both) as Values, both };
}

function mergedAt(
  base: unknown,
  mine: unknown,
  now: unknown,
  path: readonly string[],
  both: Both[],
): unknown {
  if (isSame(mine, base)) return now;
  // Both users filled an empty field.
  const from = base === undefined ? {} : base;
  if (isMap(from) && isMap(mine) && isMap(now)) {
    const names = new Set([from, mine, now].flatMap((item) => Object.keys(item)));
    const members = [...names].flatMap((name) => {
      const value = mergedAt(from[name], mine[name], now[name], [...path, name], both);
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(members);
  }
  if (!isSame(now, base) && !isSame(now, mine)) both.push({ path, now });
  return mine;
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => isSame(item, b[at]));
  }
  if (!isMap(a) || !isMap(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => isSame(a[name], b[name]));
}
