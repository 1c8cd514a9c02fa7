import { describe, expect, it } from 'vitest';
import { checkBudget } from './budget.ts';

describe('budgets', () => {
  it.each<[string, string[], string | null]>([
    ['passes a request without spent budgets', [], null],
    ['passes a request while the budget of another app is spent', ['other'], null],
    ['refuses a request of an app with a spent budget', ['other', 'app'], 'this app'],
    ['refuses all requests of an organization', ['organization'], 'your organization'],
    ['names the organization first', ['app', 'organization'], 'your organization'],
  ])('%s', (_claim, exhausted, owner) => {
    const verdict = checkBudget(exhausted, 'app');
    expect(verdict.passed).toBe(owner === null);
    if (verdict.passed) return;
    expect(verdict).toMatchObject({ status: 429, code: 'budget_exhausted' });
    expect(verdict.reason).toContain(`budget of ${owner} is spent`);
  });
});
