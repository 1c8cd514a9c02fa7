// Vitest reporter of `npm test` and `npm run test:extended`: prints the slowest files, and fails the run when a file takes
// longer than its project allows.
import { availableParallelism, loadavg } from 'node:os';
import type { Reporter, TestModule } from 'vitest/node';

const PRINTED = 20;
/** Load of the last five minutes up to which a run has the machine to itself. */
const LOAD_MAX = 2 * availableParallelism();
/** The budget of a file in seconds, by project. */
const BUDGET_SECONDS: Readonly<Record<string, number>> = {
  unit: 15,
  components: 15,
  integration: 15,
  browser: 120,
  extended: 60,
  'browser-extended': 60,
  properties: 60,
};

/**
 * Files of the extended suite that take longer, in seconds: about 1.5 times a measured duration. The list only shrinks: split
 * a file when you touch it.
 */
export const LONGER_BUDGET_SECONDS: Readonly<Record<string, number>> = {
  'agent/test/doctor': 98,
  'test/browser/accessibility-and-hostile-names': 135,
  'test/browser/console-accessibility': 300,
  'test/browser/console-routes': 270,
  'test/browser/empty-pages': 90,
  'test/browser/gateway-pages': 165,
  'test/browser/mcp-pages': 155,
  'test/browser/settings-pages': 142,
  'test/e2e/deb-life': 180,
  'test/e2e/main-job': 117,
  'test/e2e/services': 200,
  'test/resilience/alert-deliveries': 117,
  'test/resilience/backup': 135,
  'test/resilience/ingest-kills': 100,
  'test/resilience/migrations': 100,
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
      .filter((entry) => entry.seconds > budgetSeconds(entry))
      .map((entry) => `${line(entry)}: at most ${budgetSeconds(entry)} s`),
  };
}

function budgetSeconds({ project, file }: FileDuration): number {
  const longer = LONGER_BUDGET_SECONDS[file.replace(/\.extended\.test\.ts$/, '')];
  return longer ?? BUDGET_SECONDS[project] ?? Infinity;
}

/** The properties of vitest's TestModule that the reporter reads. */
interface FileRun {
  project: Pick<TestModule['project'], 'name'>;
  relativeModuleId: string;
  diagnostic(): Pick<ReturnType<TestModule['diagnostic']>, 'duration'>;
}

/**
 * Prints the slowest files and those over their budget. The latter fail the run unless `load`, the load average of the last
 * five minutes, shows that other programs use the machine.
 */
export function reportDurations(runs: readonly FileRun[], load: number): void {
  const { slowest, overBudget } = describeDurations(
    runs.map((run) => ({
      project: run.project.name,
      file: run.relativeModuleId,
      seconds: run.diagnostic().duration / 1000,
    })),
  );
  process.stdout.write(`\nslowest files:\n${slowest.join('\n')}\n`);
  if (overBudget.length === 0) return;
  process.stdout.write(`\nfiles over their time budget:\n${overBudget.join('\n')}\n`);
  if (load > LOAD_MAX) {
    process.stdout.write(`not enforced: other programs use this machine (load ${load})\n`);
  } else {
    process.exitCode = 1;
  }
}

export default class SlowFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    reportDurations(modules, loadavg()[1] ?? 0);
  }
}
