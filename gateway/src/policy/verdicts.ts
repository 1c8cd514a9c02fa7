// Builds verdicts.
import type { Passed, Refused } from './types.ts';

/** Returns a verdict that lets a request pass without a value. */
export const PASS: Passed<undefined> = { passed: true, value: undefined };

/** Returns a verdict that lets a request pass with a value. */
export function pass<T>(value: T): Passed<T> {
  return { passed: true, value };
}

/** Returns a refusal with a stable code and a sentence for the client. */
export function refuse(status: Refused['status'], code: string, reason: string): Refused {
  return { passed: false, status, code, reason };
}
