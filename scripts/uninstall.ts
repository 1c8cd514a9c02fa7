// `npx gatewarden uninstall`: removes everything that `start` created on this machine, and reports the result.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { promisify } from 'node:util';
import { openTokenStore, type TokenName } from '../agent/src/config/token-store.ts';
import { socketPath } from '../agent/src/local-api/socket-paths.ts';
import { errorDocument } from '../shared/cli/json-error.ts';
import { dataFolder, hubFolder } from './folders.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const AGENT = join(ROOT, 'agent/src/main.ts');
const TOKENS: readonly TokenName[] = ['agent_token', 'device_token', 'enrolment_key'];

interface CheckResult {
  what: string;
  /**
   * `shared`: other hubs of this machine may use it. `yours`: the user chose the folder, or it contains other files.
   * Both remain until the user removes them.
   */
  state: 'gone' | 'left' | 'shared' | 'yours';
}

export interface UninstallOptions {
  json: boolean;
  /** Skips the confirmation. */
  yes: boolean;
  /** Lists what would be removed without removing it. */
  dryRun: boolean;
}

export const UNINSTALL_HELP = `Usage: npx gatewarden uninstall [options]

Removes what "npx gatewarden start" made on this machine: data of hub and agent, tokens, sockets. What is in quarantine is
put back first. Asks on a terminal; elsewhere it needs --yes.

  --dry-run    list what would be removed, and remove nothing
  --yes        do not ask
  --json       print one JSON document
  --help       this text
`;

/**
 * Restores quarantined files, removes tokens, sockets and data, and verifies the result. Returns the exit code: 1 if a
 * program runs, a file could not be restored, or something is left; 2 without a confirmation. The packages of `npm ci`
 * remain in this folder.
 */
export async function uninstall({ json, yes, dryRun }: UninstallOptions): Promise<number> {
  const data = dataFolder(process.env);
  const agentData = join(data, 'agent');
  const hubData = hubFolder(process.env);
  const cluster = join(hubData, 'postgres');
  const refused = (problem: string): number => {
    if (json) process.stdout.write(`${JSON.stringify({ removed: false, problem })}\n`);
    process.stderr.write(`gatewarden: ${problem}\n`);
    return 1;
  };
  const obstacle = await findObstacle(data, agentData, cluster);
  if (obstacle !== null) return refused(obstacle);
  const isOurs = madeByStart(data);
  const names = ['hub', 'gateway', 'demo.json', 'sample-app.json'];
  const inside = isOurs ? [agentData, ...names.map((name) => join(data, name))] : [];
  const planned = [...inside.filter(isThere), ...madeElsewhere(hubData, agentData)];
  if (dryRun) return listPlan(planned, json);
  if (!yes && !(await isConfirmed(planned, json))) return USAGE_ERROR;
  if (isOurs && existsSync(agentData)) {
    const problem = await releaseQuarantine(agentData);
    if (problem !== null) return refused(`${problem}; nothing was taken away`);
    const tokens = await openTokenStore(agentData, process.env);
    for (const name of TOKENS) await tokens.write(name, null);
  }
  const made = [...inside, ...madeElsewhere(hubData, agentData)];
  for (const path of made) rmSync(path, { recursive: true, force: true });
  if (isThere(data) && readdirSync(data).length === 0) rmdirSync(data);
  const yours = [data, hubData].filter((path) => isThere(path));
  const results = await verifyRemoval({ made: [data, ...made], yours }, agentData, cluster);
  return printResults(results, json);
}

/** Returns the reason why nothing can be removed now, or null. */
async function findObstacle(
  data: string,
  agentData: string,
  cluster: string,
): Promise<string | null> {
  if (isDatabaseRunning(cluster) || (await agentAnswers(agentData))) {
    return `it is running on ${data}: end it first (Ctrl-C where it was started)`;
  }
  return process.env.DATABASE_URL
    ? 'DATABASE_URL is set: that database is yours, and the master key that opens it lies here. Unset it once you have kept that key elsewhere'
    : null;
}

/** Prints the results. Returns the exit code: 1 if something is left. */
function printResults(results: readonly CheckResult[], json: boolean): number {
  const isClean = results.every((result) => result.state !== 'left');
  if (json) process.stdout.write(`${JSON.stringify({ removed: isClean, looked_at: results })}\n`);
  else {
    for (const { what, state } of results) process.stdout.write(`  ${state.padEnd(8)}${what}\n`);
    process.stdout.write(`  ${summarize(results)}\n`);
  }
  return isClean ? 0 : 1;
}

const USAGE_ERROR = 2;

function listPlan(planned: readonly string[], json: boolean): number {
  if (json) process.stdout.write(`${JSON.stringify({ would_remove: planned })}\n`);
  else if (planned.length === 0) process.stdout.write('  There is nothing to remove.\n');
  else process.stdout.write(`  Would remove:\n${planned.map((path) => `  ${path}\n`).join('')}`);
  return 0;
}

/** Asks for a confirmation on a terminal; elsewhere, the answer is no with a hint. */
async function isConfirmed(planned: readonly string[], json: boolean): Promise<boolean> {
  if (json || !process.stdin.isTTY) {
    const message = 'this removes data: add --yes, or use --dry-run to see what would be removed';
    process.stderr.write(`gatewarden: ${message}\n`);
    if (json) process.stdout.write(errorDocument({ exitCode: USAGE_ERROR, message }));
    return false;
  }
  listPlan(planned, false);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('  Remove it? [y/N] ');
  terminal.close();
  const isYes = /^y(es)?$/i.test(answer.trim());
  if (!isYes) process.stdout.write('  Nothing was removed.\n');
  return isYes;
}

function summarize(results: readonly CheckResult[]): string {
  if (results.some((result) => result.state === 'left')) return 'Something is left, see above.';
  return results.some((result) => result.state === 'yours')
    ? 'Entries marked yours contain other files and remain.'
    : `Only this folder with its packages remains: remove ${ROOT} to finish.`;
}

/** Recognizes the folder by its state file, because a chosen folder may contain unrelated files with the same names. */
function madeByStart(data: string): boolean {
  try {
    const demo = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8')) as object;
    return ['tenantId', 'email', 'password'].every((name) => name in demo);
  } catch {
    // `start` never ran there, or did not complete.
    return false;
  }
}

/** Returns files outside the data folder: sockets whose own folder has too long a path. */
function madeElsewhere(hubData: string, agentData: string): string[] {
  const name = createHash('sha256').update(hubData).digest('hex').slice(0, 16);
  const sockets = (['status', 'control'] as const).map((kind) =>
    socketPath(agentData, kind, process.env),
  );
  return [join(tmpdir(), `gatewarden-${name}`), ...sockets].filter((path) => isThere(path));
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/**
 * Returns the copies of PostgreSQL's programs that a hub run by root places where the database account can read them.
 */
function copiesOfPostgres(): string[] {
  return [...new Set(['/var/lib', tmpdir()])]
    .filter((folder) => isThere(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => /[/\\]gatewarden-postgres-[0-9a-f]{16}$/.test(path));
}

async function verifyRemoval(
  { made, yours }: { made: readonly string[]; yours: readonly string[] },
  agentData: string,
  cluster: string,
): Promise<CheckResult[]> {
  const tokens = await openTokenStore(agentData, process.env);
  const stored = await Promise.all(TOKENS.map((name) => tokens.read(name)));
  const check = (what: string, isLeft: boolean): CheckResult => ({
    what,
    state: isLeft ? 'left' : 'gone',
  });
  return [
    ...made.filter((path) => !yours.includes(path)).map((path) => check(path, isThere(path))),
    ...[...new Set(yours)].map((what): CheckResult => ({ what, state: 'yours' })),
    check(
      `tokens of the agent (${tokens.where})`,
      stored.some((token) => token !== null),
    ),
    check('a running database of the hub', isDatabaseRunning(cluster)),
    check('a running agent', await agentAnswers(agentData)),
    ...copiesOfPostgres().map((what): CheckResult => ({ what, state: 'shared' })),
  ];
}

/** Reads the process id that PostgreSQL stores. */
function isDatabaseRunning(cluster: string): boolean {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return false;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!(pid > 1)) return false;
  try {
    process.kill(pid, 0);
    // Another program may have the process id by now.
    return (
      process.platform !== 'linux' ||
      readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
    );
  } catch {
    // PostgreSQL was killed and left its file.
    return false;
  }
}

async function agentAnswers(dataDir: string): Promise<boolean> {
  if (!existsSync(dataDir)) return false;
  try {
    await run(process.execPath, [AGENT, 'status', '--data-dir', dataDir, '--json']);
    return true;
  } catch {
    // The refused connection means that no process listens on the socket.
    return false;
  }
}

/** Restores everything that an enforcing agent quarantined. Returns null, or the error. */
async function releaseQuarantine(dataDir: string): Promise<string | null> {
  if (!existsSync(join(dataDir, 'agent.toml'))) return null;
  try {
    const words = ['quarantine', '--release-all', '--data-dir', dataDir, '--json'];
    await run(process.execPath, [AGENT, ...words]);
    return null;
  } catch (error) {
    const output = String((error as { stderr?: string }).stderr ?? '').trim();
    return output.split('\n').at(-1) || 'what is in quarantine could not be put back';
  }
}
