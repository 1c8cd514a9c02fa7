// The set of decisions that a device is to hold: what was sent up to its cursor, and what a full disk did not take.
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';

export type Overrides = ReadonlyMap<string, WireOverride>;

export const nameOf = (one: { override_id: string; revision: number }): string =>
  `${one.override_id.slice(-2)}:${one.revision}`;

/** Lower revisions never take away or replace higher ones. */
export function withPage(set: Overrides, page: Iterable<WireOverride>): Overrides {
  const next = new Map(set);
  for (const one of page) {
    const held = next.get(one.override_id);
    if (held !== undefined && held.revision > one.revision) continue;
    if (one.deleted) next.delete(one.override_id);
    else next.set(one.override_id, one);
  }
  return next;
}

/** The newest changes after the stored cursor that came while the disk took nothing: these, and nothing else, hold from memory. */
export class Unwritten {
  private readonly changes = new Map<string, WireOverride>();

  hold(page: readonly WireOverride[]): void {
    for (const one of page) {
      if (one.revision > (this.changes.get(one.override_id)?.revision ?? -1)) {
        this.changes.set(one.override_id, one);
      }
    }
  }

  over(set: Overrides): Overrides {
    return withPage(set, this.changes.values());
  }

  clear(): void {
    this.changes.clear();
  }
}
