// `npm test`: the static gates, then unit, integration, component and browser tests in a single vitest run; exit code 1 at the
// first failing gate. `npm run test:extended` (check.ts extended) runs the slow tests only.
// The last line is the sum of all tests: `N passed, N failed` and, where there are any, `, N skipped`.
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { scratchInMemory } from './scratch.ts';

const ROOT = join(import.meta.dirname, '..');
const BIN = join(ROOT, 'node_modules/.bin');
const AT_ONCE = 2;
/** The repository has more modules; fewer means that the tool failed to read them. */
const MODULES_MIN = 150;

export interface Gate {
  title: string;
  command: string[];
  /** Returns the reason why a successful command counts as failed, or null. */
  objection?(output: string): string | null;
}

/** The static gates of `npm test`, in the order of their reports. */
export const GATES: readonly Gate[] = [
  { title: 'lint and format', command: ['biome', 'ci', '--colors=off', '.'] },
  { title: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { title: 'types of the console', command: ['tsc', '-p', 'hub/console/tsconfig.json'] },
  {
    title: 'types of the tray app',
    command: ['tsc', '-p', 'agent/desktop/page/tsconfig.json'],
  },
  { title: 'unused code and dependencies', command: ['knip', '--no-progress'] },
  {
    title: 'module boundaries',
    command: [
      'depcruise',
      ...['--config', '.dependency-cruiser.cjs'],
      ...[
        'shared',
        'client',
        'collector',
        'agent',
        'hub',
        'gateway',
        'installers',
        'scripts',
        'benchmarks',
        'test',
      ],
    ],
    objection: tooFewModules,
  },
  {
    title: 'console build',
    command: ['node', 'scripts/build-console.ts'],
    objection: (output) => (output.includes('was not built') ? 'the console was not built' : null),
  },
  {
    title: 'schema and OpenAPI document',
    command: ['node', 'scripts/dump.ts', '--check'],
  },
  { title: 'reference pages', command: ['node', 'scripts/docs.ts', '--check'] },
];

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** Returns null if depcruise read all modules. */
export function tooFewModules(output: string): string | null {
  const modules = Number(/\((\d+) modules/.exec(output)?.[1] ?? 0);
  return modules >= MODULES_MIN
    ? null
    : `only ${modules} modules were read, at least ${MODULES_MIN} are expected`;
}

/** Sums the tests of vitest's JSON report; a file that could not be run counts as a failed test. */
export function tallyOf(report: string): Tally {
  const { testResults } = JSON.parse(report) as {
    testResults: { status: string; assertionResults: { status: string }[] }[];
  };
  const tally = { passed: 0, failed: 0, skipped: 0 };
  for (const file of testResults) {
    const failedBefore = tally.failed;
    for (const { status } of file.assertionResults) {
      if (status === 'passed') tally.passed++;
      else if (status === 'failed') tally.failed++;
      else tally.skipped++;
    }
    if (file.status === 'failed' && tally.failed === failedBefore) tally.failed++;
  }
  return tally;
}

export function closingLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Returns the path of a Chromium on this machine, or null. */
export function findChromium(
  env: { CHROMIUM_PATH?: string; PATH?: string } = process.env,
): string | null {
  if (env.CHROMIUM_PATH) return isExecutable(env.CHROMIUM_PATH) ? env.CHROMIUM_PATH : null;
  const names = [
    // The same engine without windows, which takes a fifth less time.
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ];
  const folders = ['/usr/bin', ...(env.PATH ?? '').split(delimiter)].filter(
    (folder) => folder !== '',
  );
  const places = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return places.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs the gates, two at a time, and reports them in order; returns false at the first that fails. */
export async function runGates(gates: readonly Gate[] = GATES): Promise<boolean> {
  let stopped = false;
  const outcomes: Promise<Outcome | null>[] = [];
  for (const [i, gate] of gates.entries()) {
    const before = outcomes[i - AT_ONCE] ?? Promise.resolve(null);
    outcomes.push(before.then(() => (stopped ? null : captured(gate.command))));
  }
  for (const [i, gate] of gates.entries()) {
    heading(gate.title);
    const failure = verdict(gate, (await outcomes[i]) ?? null);
    if (failure === null) continue;
    stopped = true;
    process.stdout.write(`\nfailed: ${failure}\n`);
    // The parallel gate runs to its end, because it may have a database open.
    await Promise.allSettled(outcomes);
    return false;
  }
  return true;
}

/** Prints the output of a gate; returns the reason of its failure, or null. */
function verdict(gate: Gate, outcome: Outcome | null): string | null {
  if (outcome === null) return `${gate.title}: did not run`;
  const objection = outcome.code === 0 ? (gate.objection?.(outcome.output) ?? null) : null;
  const isGood = outcome.code === 0 && objection === null;
  process.stdout.write(isGood ? `${lastLine(outcome.output)}\n` : outcome.output);
  if (isGood) return null;
  return objection === null ? gate.title : `${gate.title}: ${objection}`;
}

interface Outcome {
  code: number;
  output: string;
}

function captured(command: readonly string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command[0] ?? '', command.slice(1), {
      cwd: ROOT,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const take = (chunk: string) => {
      output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs the vitest projects with their output on this terminal, and returns the sum of their tests. */
async function runTests(projects: readonly string[], env: NodeJS.ProcessEnv): Promise<Tally> {
  heading(`tests: ${projects.join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'gw-check-'));
  const report = join(folder, 'report.json');
  try {
    const code = await inPlainSight(
      [
        'vitest',
        'run',
        ...projects.flatMap((project) => ['--project', project]),
        '--reporter=default',
        '--reporter=json',
        `--reporter=${join(ROOT, 'scripts/slow-files-reporter.ts')}`,
        `--outputFile.json=${report}`,
      ],
      env,
    );
    const tally = readTally(report);
    // The run failed although all tests passed: a file exceeded its time budget, or an error occurred outside of tests.
    if (code !== 0 && tally.failed === 0) tally.failed = 1;
    return tally;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readTally(report: string): Tally {
  try {
    return tallyOf(readFileSync(report, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function inPlainSight(command: readonly string[], extra: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command[0] ?? '', command.slice(1), {
      cwd: ROOT,
      env: { ...environment(), ...extra },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}` };
}

function heading(title: string): void {
  process.stdout.write(`\n== ${title} ==\n`);
}

function lastLine(output: string): string {
  return output.match(/no dependency violations.*|Checked .*/)?.[0] ?? 'ok';
}

/** Projects of each suite; those with a browser are skipped where no Chromium is found. */
const SUITES = {
  standard: { projects: ['unit', 'components', 'integration'], withBrowser: ['browser'] },
  // The Windows lane prints why it is skipped where Wine is not installed.
  extended: { projects: ['properties', 'extended', 'windows'], withBrowser: ['browser-extended'] },
} as const;

async function runSuite({ projects, withBrowser }: (typeof SUITES)[keyof typeof SUITES]) {
  const chromium = findChromium();
  if (chromium === null) {
    process.stdout.write('browser tests skipped: install a Chromium, or set CHROMIUM_PATH\n');
  }
  const scratch = scratchInMemory();
  try {
    const total = await runTests([...projects, ...(chromium === null ? [] : withBrowser)], {
      ...(scratch === null ? {} : { GATEWARDEN_TEST_SCRATCH: scratch }),
      ...(chromium === null ? {} : { CHROMIUM_PATH: chromium }),
    });
    process.stdout.write(`\n${closingLine(total)}\n`);
    return total.failed === 0;
  } finally {
    if (scratch !== null) rmSync(scratch, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const isExtended = process.argv[2] === 'extended';
  const passed = isExtended
    ? await runSuite(SUITES.extended)
    : (await runGates()) && (await runSuite(SUITES.standard));
  process.exitCode = passed ? 0 : 1;
}
