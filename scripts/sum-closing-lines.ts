// Prints the closing line of each suite at the end of `.ci/run`, and their sum as the last line. Usage:
// sum-closing-lines.ts FILE… (the output of a suite each); exit code 1 if a test failed or a suite has no sum.
import { readFileSync } from 'node:fs';
import { closingLine, type Tally } from './check.ts';

const CLOSING_LINE = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/;

/** Returns the test counts at the end of a suite's output; an output without a sum counts as a failed test. */
export function parseClosingLine(output: string): Tally {
  // npm prints a script failure after the output of the script.
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
