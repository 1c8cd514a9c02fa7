// The closing line of `npm test` counts every test, and a file that could not be run as a failure.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { closingLine, tallyOf } from '../../scripts/check.ts';
import {
  describeDurations,
  LONGER_BUDGET_SECONDS,
  reportDurations,
} from '../../scripts/slow-files-reporter.ts';
import { parseClosingLine } from '../../scripts/sum-closing-lines.ts';
import { ROOT } from './planted.ts';

const jsonReport = (...files: [string, string[]][]) =>
  JSON.stringify({
    testResults: files.map(([status, tests]) => ({
      status,
      assertionResults: tests.map((test) => ({ status: test })),
    })),
  });

test('passed, failed and skipped tests are summed over files', () => {
  const tally = tallyOf(
    jsonReport(
      ['passed', ['passed', 'pending']],
      ['failed', ['failed', 'passed', 'todo', 'skipped']],
    ),
  );
  expect(tally).toEqual({ passed: 2, failed: 1, skipped: 3 });
  expect(closingLine(tally)).toBe('2 passed, 1 failed, 3 skipped');
});

test('counts a file that fails before its first test as a failure', () => {
  expect(closingLine(tallyOf(jsonReport(['failed', []], ['passed', ['passed']])))).toBe(
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

test.each([
  ['agent/a.test.ts', 'unit', 15],
  ['hub/console/src/a.component.test.tsx', 'components', 15],
  ['hub/a.integration.test.ts', 'integration', 15],
  ['test/browser/a.test.ts', 'browser', 120],
  ['test/resilience/a.extended.test.ts', 'extended', 60],
  ['test/browser/a.extended.test.ts', 'browser-extended', 60],
  ['hub/a.test.ts', 'properties', 60],
])('reports the planted slow file %s of %s above %d seconds', (file, project, budget) => {
  const { overBudget } = describeDurations([{ project, file, seconds: budget + 0.1 }]);
  expect(overBudget).toEqual([
    `${(budget + 0.1).toFixed(1).padStart(6)} s  ${file} (${project}): at most ${budget} s`,
  ]);
  expect(describeDurations([{ project, file, seconds: budget }]).overBudget).toEqual([]);
});

test('allows a listed extended file its larger budget, and rejects more', () => {
  const [name = '', budget = 0] = Object.entries(LONGER_BUDGET_SECONDS)[0] ?? [];
  const run = (seconds: number) =>
    describeDurations([{ project: 'extended', file: `${name}.extended.test.ts`, seconds }]);
  expect(budget).toBeGreaterThan(60);
  expect(run(budget).overBudget).toEqual([]);
  expect(run(budget + 1).overBudget).toHaveLength(1);
});

test('lists larger budgets only for existing files of the extended suite', () => {
  const missing = Object.keys(LONGER_BUDGET_SECONDS).filter(
    (name) => !existsSync(join(ROOT, `${name}.extended.test.ts`)),
  );
  expect(missing).toEqual([]);
  expect(Object.values(LONGER_BUDGET_SECONDS).filter((budget) => budget <= 60)).toEqual([]);
});

/** Runs the reporter for a planted file of 16 s at the given load, and returns the exit code with the printed lines. */
function report(load: number): { exitCode: number | undefined; output: string } {
  let output = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    output += String(chunk);
    return true;
  });
  const file = {
    project: { name: 'unit' },
    relativeModuleId: 'planted.test.ts',
    diagnostic: () => ({ duration: 16_000 }),
  };
  const before = process.exitCode;
  process.exitCode = undefined;
  reportDurations([file], load);
  const { exitCode } = process;
  process.exitCode = before;
  vi.restoreAllMocks();
  return { exitCode: exitCode === undefined ? undefined : Number(exitCode), output };
}

test('fails the run for a planted slow file', () => {
  const { exitCode, output } = report(0);
  expect(exitCode).toBe(1);
  expect(output).toContain('planted.test.ts (unit): at most 15 s');
});

test('reports a slow file without failure while other programs use the machine', () => {
  const { exitCode, output } = report(1_000);
  expect(exitCode).toBeUndefined();
  expect(output).toContain('not enforced: other programs use this machine (load 1000)');
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
