// Resistance to an override that hits far more than anybody meant: it is refused before it ends the first process.
import { breadthOf } from '@gatewarden/shared/policy.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { ProtectionRule } from './protection-rules.ts';

/**
 * Number of different programs that an override may end without naming a program: by a publisher, a kind, or a
 * pattern of the process map.
 */
export const GROUP_PROGRAMS_MAX = 5;

export interface BlastRadiusGuard {
  /** Counts a program that the override is about to end. Callers count a whole pass before anything ends. */
  note(override: WireOverride, executablePath: string | null, byGlob?: boolean): void;
  /**
   * The protection rule that refuses this override altogether, or null. `byGlob`: as far as only a pattern of the process map (`*e*`)
   * makes programs what it names; what is so by itself is not too many.
   */
  refusal(override: WireOverride, byGlob?: boolean): Pick<ProtectionRule, 'name' | 'reason'> | null;
}

const TOO_BROAD = {
  name: 'too_broad',
  reason: 'the override names no program and hits too many of them',
};
const GLOB_TOO_BROAD = {
  name: 'too_broad',
  reason: 'a pattern of the process map makes too many programs what the override names',
};

/** `refused` is called once for each override and revision that turns out to be too broad. */
export function createBlastRadiusGuard(
  refused: (override: WireOverride) => void,
): BlastRadiusGuard {
  const programs = new Map<string, Set<string>>();
  const reported = new Set<string>();
  /** How broad it is, and as what its programs are counted. */
  const asked = ({ match, override_id, revision }: WireOverride, byGlob: boolean) => {
    const breadth = breadthOf(match);
    const key = `${override_id}:${revision}`;
    // An override without a program counts all its matches, however they came about.
    return byGlob && breadth === 'program'
      ? { breadth: 'group' as const, key: `${key}:glob` }
      : { breadth, key };
  };
  return {
    note(override, executablePath, byGlob = false) {
      const { breadth, key } = asked(override, byGlob);
      if (breadth === 'program') return;
      const hit = programs.get(key) ?? new Set();
      // Enough to know that it is too many.
      if (hit.size <= GROUP_PROGRAMS_MAX) programs.set(key, hit.add(executablePath ?? ''));
    },
    refusal(override, byGlob = false) {
      const { breadth, key } = asked(override, byGlob);
      const hit = programs.get(key)?.size ?? 0;
      const isTooBroad =
        breadth === 'everything' || (breadth === 'group' && hit > GROUP_PROGRAMS_MAX);
      if (!isTooBroad) return null;
      if (!reported.has(key)) {
        reported.add(key);
        refused(override);
      }
      return byGlob ? GLOB_TOO_BROAD : TOO_BROAD;
    },
  };
}
