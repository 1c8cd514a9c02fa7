// The set of decisions that a device is to hold: what was sent up to its cursor, and what a full disk did not take.
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';

export type Overrides = ReadonlyMap<string, WireOverride>;

export const nameOf = (override: { override_id: string; revision: number }): string =>
  `${override.override_id.slice(-2)}:${override.revision}`;

/** Lower revisions never take away or replace higher ones. */
export function withPage(set: Overrides, page: Iterable<WireOverride>): Overrides {
  const next = new Map(set);
  for (const override of page) {
    const held = next.get(override.override_id);
    if (held !== undefined && held.revision > override.revision) continue;
    if (override.deleted) next.delete(override.override_id);
    else next.set(override.override_id, override);
  }
  return next;
}

/** The newest changes after the stored cursor that came while the disk took nothing: these, and nothing else, hold from memory. */
export class Unwritten {
  private readonly changes = new Map<string, WireOverride>();

  hold(page: readonly WireOverride[]): void {
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
