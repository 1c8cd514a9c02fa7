// Resistance to an override that hits far more than anybody meant: it is refused before it ends the first process.
import { breadthOf } from '@gatewarden/shared/policy.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { GuardRail } from './guard-rails.ts';

/** So many different programs one override may end that names a publisher or a kind, but no program. */
export const GROUP_PROGRAMS_MAX = 5;

export interface BreadthGuard {
  /** Notes a program that the override is about to end. To be called for all of one pass before any of them ends. */
  note(override: WireOverride, executablePath: string | null): void;
  /** The rail that refuses this override altogether, or null. */
  refusal(override: WireOverride): Pick<GuardRail, 'name' | 'reason'> | null;
}

const TOO_BROAD = {
  name: 'too_broad',
  reason: 'the override names no program and hits too many of them',
};

/** `refused` is called once for each override and revision that turns out to be too broad. */
export function createBreadthGuard(refused: (override: WireOverride) => void): BreadthGuard {
  const programs = new Map<string, Set<string>>();
  const told = new Set<string>();
  const keyOf = (override: WireOverride) => `${override.override_id}:${override.revision}`;
  return {
    note(override, executablePath) {
      if (breadthOf(override.match) === 'program') return;
      const key = keyOf(override);
      const hit = programs.get(key) ?? new Set();
      // Enough to know that it is too many.
      if (hit.size <= GROUP_PROGRAMS_MAX) programs.set(key, hit.add(executablePath ?? ''));
    },
    refusal(override) {
      const breadth = breadthOf(override.match);
      const hit = programs.get(keyOf(override))?.size ?? 0;
      const isTooBroad =
        breadth === 'everything' || (breadth === 'group' && hit > GROUP_PROGRAMS_MAX);
      if (!isTooBroad) return null;
      if (!told.has(keyOf(override))) {
        told.add(keyOf(override));
        refused(override);
      }
      return TOO_BROAD;
    },
  };
}
