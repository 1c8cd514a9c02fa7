// Patterns as tenants write them.
import { RE2JS } from 're2js';

/** Time for each letter grows with it: a thousand repetitions of a choice are such a pattern, `[A-Z]{5,40}` is none. */
const STEPS_MAX = 1_000;

/** Why a pattern is not taken; null where it is. */
export function patternProblem(pattern: string): string | null {
  try {
    const steps = RE2JS.compile(pattern).programSize();
    return steps > STEPS_MAX ? `is too large: ${steps} steps, at most ${STEPS_MAX}` : null;
  } catch (error) {
    return (error as Error).message.slice(0, 200);
  }
}
