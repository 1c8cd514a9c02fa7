// Vitest reporter of `npm test` and `npm run test:extended`: prints the slowest files, and fails the run when a file takes
// longer than its project allows.
import type { Reporter, TestModule } from 'vitest/node';

const PRINTED = 20;
/** Budget of one file in seconds, by project. */
const BUDGET_SECONDS: Readonly<Record<string, number>> = {
  unit: 15,
  components: 15,
  integration: 15,
  browser: 60,
  extended: 60,
  'browser-extended': 60,
  properties: 60,
};

export interface FileDuration {
  project: string;
  file: string;
  seconds: number;
}

/** Returns the lines to print (the slowest files first) and those of files beyond their project's budget. */
export function describeDurations(durations: readonly FileDuration[]): {
  slowest: string[];
  overBudget: string[];
} {
  const sorted = durations.toSorted((a, b) => b.seconds - a.seconds);
  const line = ({ project, file, seconds }: FileDuration) =>
    `${seconds.toFixed(1).padStart(6)} s  ${file} (${project})`;
  return {
    slowest: sorted.slice(0, PRINTED).map(line),
    overBudget: sorted
      .filter(({ project, seconds }) => seconds > (BUDGET_SECONDS[project] ?? Infinity))
      .map((entry) => `${line(entry)}: at most ${BUDGET_SECONDS[entry.project]} s`),
  };
}

export default class SlowFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const { slowest, overBudget } = describeDurations(
      modules.map((module) => ({
        project: module.project.name,
        file: module.relativeModuleId,
        seconds: module.diagnostic().duration / 1000,
      })),
    );
    process.stdout.write(`\nslowest files:\n${slowest.join('\n')}\n`);
    if (overBudget.length === 0) return;
    process.stdout.write(`\nfiles over their time budget:\n${overBudget.join('\n')}\n`);
    process.exitCode = 1;
  }
}
