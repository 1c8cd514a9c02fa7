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

/** Files of the extended suite that take longer, in seconds. The list only shrinks: split a file when you touch it. */
const LONGER_BUDGET_SECONDS: Readonly<Record<string, number>> = {
  'agent/test/data-folder-removal': 100,
  'agent/test/doctor': 100,
  'agent/test/quarantine': 100,
  'hub/src/prove': 140,
  'hub/src/prove-alerts': 100,
  'test/browser/access-requests': 100,
  'test/browser/accessibility-and-hostile-names': 200,
  'test/browser/console-routes': 320,
  'test/browser/empty-pages': 100,
  'test/browser/gateway-pages': 200,
  'test/browser/groups': 110,
  'test/browser/live-updates': 100,
  'test/browser/lost-policy-responses': 110,
  'test/browser/mcp-pages': 180,
  'test/browser/session-end': 100,
  'test/browser/settings-pages': 160,
  'test/browser/undo': 100,
  'test/e2e/archives': 100,
  'test/e2e/deb-life': 180,
  'test/e2e/main-job': 160,
  'test/e2e/npm-start': 110,
  'test/e2e/services': 200,
  'test/e2e/update-life': 220,
  'test/resilience/alert-deliveries': 120,
  'test/resilience/backup': 200,
  'test/resilience/hub-start-errors': 110,
  'test/resilience/ingest-kills': 140,
  'test/resilience/migrations': 100,
  'test/resilience/replicas': 180,
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
    const load = loadavg()[1] ?? 0;
    if (load > LOAD_MAX) {
      process.stdout.write(`not enforced: other programs use this machine (load ${load})\n`);
    } else {
      process.exitCode = 1;
    }
  }
}
