// The closing line of `npm test` counts every test, and a file that could not be run as a failure.
import { expect, test } from 'vitest';
import { closingLine, tallyOf } from '../../scripts/check.ts';
import { describeDurations } from '../../scripts/slow-files-reporter.ts';
import { parseClosingLine } from '../../scripts/sum-closing-lines.ts';

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

test('counts a file that fails before its first test as a failure', () => {
  expect(closingLine(tallyOf(report(['failed', []], ['passed', ['passed']])))).toBe(
    '1 passed, 1 failed',
  );
});

test('sums the suites of a CI run, and counts a suite without a closing line as a failure', () => {
  expect(parseClosingLine('…\n\n12 passed, 0 failed, 1 skipped\n')).toEqual({
    passed: 12,
    failed: 0,
    skipped: 1,
  });
  expect(parseClosingLine('3 passed, 2 failed\nnpm error code 1\nnpm error path /x\n')).toEqual({
    passed: 3,
    failed: 2,
    skipped: 0,
  });
  expect(parseClosingLine('12 passed, 0 failed\nKilled\n')).toEqual({
    passed: 0,
    failed: 1,
    skipped: 0,
  });
});

test('names the file that takes longer than its project allows, and lists the slowest first', () => {
  const { slowest, overBudget } = describeDurations([
    { project: 'unit', file: 'a.test.ts', seconds: 14.9 },
    { project: 'integration', file: 'b.integration.test.ts', seconds: 15.1 },
    { project: 'extended', file: 'c.extended.test.ts', seconds: 59 },
  ]);
  expect(slowest.map((line) => line.trim().split(/\s+/)[2])).toEqual([
    'c.extended.test.ts',
    'b.integration.test.ts',
    'a.test.ts',
  ]);
  expect(overBudget).toEqual(['  15.1 s  b.integration.test.ts (integration): at most 15 s']);
});
