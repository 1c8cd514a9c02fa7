// Refuses requests of an app after its monthly budget, or the budget of the organization, is spent. The hub calculates the spend.
import type { Verdict } from './types.ts';
import { PASS, refuse } from './verdicts.ts';

const ORGANIZATION = 'organization';

/** Rejects with 429 a request that a spent budget blocks. `exhausted` has scopes: `organization` and ids of apps. */
export function checkBudget(exhausted: readonly string[], appId: string): Verdict {
  const owner = exhausted.includes(ORGANIZATION)
    ? 'your organization'
    : exhausted.includes(appId)
      ? 'this app'
      : null;
  if (owner === null) return PASS;
  return refuse(
    429,
    'budget_exhausted',
    `The monthly budget of ${owner} is spent. Ask an administrator to raise it, or wait for the next month.`,
  );
}
