// Patterns that tenants and operators write run in linear time (RE2 syntax, ADR 0048).
import { RE2JS } from 're2js';

/** Time for each letter grows with it: a thousand repetitions of a choice are such a pattern, `[A-Z]{5,40}` is none. */
const STEPS_MAX = 1_000;

/** Returns why a pattern is rejected; null for a valid pattern. */
export function patternProblem(pattern: string): string | null {
  try {
    const steps = RE2JS.compile(pattern).programSize();
    return steps > STEPS_MAX ? `is too large: ${steps} steps, at most ${STEPS_MAX}` : null;
  } catch (error) {
    return (error as Error).message.slice(0, 200);
  }
}
