// `.ci/run` ends with this: prints the closing line of each suite, and their sum as the last line.
// Usage: sum-closing-lines.ts FILE… (the output of one suite each); exit code 1 where a test failed or a suite has no sum.
import { readFileSync } from 'node:fs';
import { closingLine, type Tally } from './check.ts';

const CLOSING_LINE = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/;

/** Returns the tests that a suite's output ends with; a suite that broke off without a sum counts as one failure. */
export function parseClosingLine(output: string): Tally {
  // npm reports a failed script behind the output of the script.
  const last =
    output.split('\n').findLast((line) => !/^(npm (error|ERR!).*|\s*)$/.test(line)) ?? '';
  const [, passed, failed, skipped] = CLOSING_LINE.exec(last) ?? [];
  if (passed === undefined) return { passed: 0, failed: 1, skipped: 0 };
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped ?? 0) };
}

if (import.meta.main) {
  const sum: Tally = { passed: 0, failed: 0, skipped: 0 };
  for (const file of process.argv.slice(2)) {
    const tally = parseClosingLine(readFileSync(file, 'utf8'));
    process.stdout.write(`${closingLine(tally)}\n`);
    for (const outcome of ['passed', 'failed', 'skipped'] as const) sum[outcome] += tally[outcome];
  }
  process.stdout.write(`${closingLine(sum)}\n`);
  if (sum.failed > 0) process.exitCode = 1;
}
