// The set of overrides that a device must have: all that was sent up to its cursor, less what a full disk did not store.
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';

export type Overrides = ReadonlyMap<string, WireOverride>;

export const nameOf = (override: { override_id: string; revision: number }): string =>
  `${override.override_id.slice(-2)}:${override.revision}`;

/** Lower revisions never take away or replace higher ones. */
export function withPage(set: Overrides, page: Iterable<WireOverride>): Overrides {
  const next = new Map(set);
  for (const override of page) {
    const stored = next.get(override.override_id);
    if (stored !== undefined && stored.revision > override.revision) continue;
    if (override.deleted) next.delete(override.override_id);
    else next.set(override.override_id, override);
  }
  return next;
}

/** Newest changes after the stored cursor that a full disk did not store: these, and no others, apply from memory. */
export class Unwritten {
  private readonly changes = new Map<string, WireOverride>();

  add(page: readonly WireOverride[]): void {
    for (const override of page) {
      if (override.revision > (this.changes.get(override.override_id)?.revision ?? -1)) {
        this.changes.set(override.override_id, override);
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
