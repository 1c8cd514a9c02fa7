// The closing line of `npm test` counts every test, and a file that could not be run as a failure.
import { expect, test } from 'vitest';
import { closingLine, tallyOf } from '../../scripts/check.ts';

const report = (...files: [string, string[]][]) =>
  JSON.stringify({
    testResults: files.map(([status, tests]) => ({
      status,
      assertionResults: tests.map((one) => ({ status: one })),
    })),
  });

test('passed, failed and skipped tests are summed over files', () => {
  const tally = tallyOf(
    report(['passed', ['passed', 'pending']], ['failed', ['failed', 'passed', 'todo', 'skipped']]),
  );
  expect(tally).toEqual({ passed: 2, failed: 1, skipped: 3 });
  expect(closingLine(tally)).toBe('2 passed, 1 failed, 3 skipped');
});

test('a file that fails before its first test counts as one failure', () => {
  expect(closingLine(tallyOf(report(['failed', []], ['passed', ['passed']])))).toBe(
    '1 passed, 1 failed',
  );
});
