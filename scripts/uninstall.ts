// `npx gatewarden uninstall`: what `start` has made on this machine goes, and what was looked at afterwards is said.
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

interface Look {
  what: string;
  /**
   * `shared`: other hubs of this machine may run from it; `yours`: somebody named the folder, or put something else in it.
   * Both stay until a person takes them away.
   */
  state: 'gone' | 'left' | 'shared' | 'yours';
}

export interface UninstallOptions {
  json: boolean;
  /** Do not ask. */
  yes: boolean;
  /** Remove nothing, and list what would be removed. */
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
 * Puts back what is in quarantine, removes tokens, sockets and data, and checks again. Returns the exit code: 1 if
 * something runs, could not be put back, or is left; 2 if nobody confirmed. What `npm ci` installed stays in this folder.
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
  if (isDatabaseRunning(cluster) || (await agentAnswers(agentData))) {
    return refused(`it is running on ${data}: end it first (Ctrl-C where it was started)`);
  }
  if (process.env.DATABASE_URL) {
    return refused(
      'DATABASE_URL is set: that database is yours, and the master key that opens it lies here. Unset it once you have kept that key elsewhere',
    );
  }
  const isOurs = madeByStart(data);
  const inside = isOurs ? [agentData, join(data, 'hub'), join(data, 'demo.json')] : [];
  const planned = [...inside.filter(isThere), ...madeElsewhere(hubData, agentData)];
  if (dryRun) return listPlan(planned, json);
  if (!yes && !(await isConfirmed(planned, json))) return USAGE_ERROR;
  if (isOurs && existsSync(agentData)) {
    const problem = await giveBack(agentData);
    if (problem !== null) return refused(`${problem}; nothing was taken away`);
    const tokens = await openTokenStore(agentData, process.env);
    for (const name of TOKENS) await tokens.write(name, null);
  }
  const made = [...inside, ...madeElsewhere(hubData, agentData)];
  for (const path of made) rmSync(path, { recursive: true, force: true });
  if (isThere(data) && readdirSync(data).length === 0) rmdirSync(data);
  const yours = [data, hubData].filter((path) => isThere(path));
  const looks = await lookAgain({ made: [data, ...made], yours }, agentData, cluster);
  const isClean = looks.every((one) => one.state !== 'left');
  if (json) process.stdout.write(`${JSON.stringify({ removed: isClean, looked_at: looks })}\n`);
  else {
    for (const { what, state } of looks) process.stdout.write(`  ${state.padEnd(8)}${what}\n`);
    process.stdout.write(`  ${lastWord(looks)}\n`);
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

/** Asks on a terminal; anywhere else the answer is no, with what to do. */
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

function lastWord(looks: readonly Look[]): string {
  if (looks.some((one) => one.state === 'left')) return 'Something is left, see above.';
  return looks.some((one) => one.state === 'yours')
    ? 'What stands above as yours was not made by start alone and stays.'
    : `Nothing of it is left but this folder with its packages: remove ${ROOT} and that is gone, too.`;
}

/** By its own file: whoever names a folder may have other things there that are called alike. */
function madeByStart(data: string): boolean {
  try {
    const demo = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8')) as object;
    return ['tenantId', 'email', 'password'].every((name) => name in demo);
  } catch {
    // Never started there, or not to its end.
    return false;
  }
}

/** What does not lie in the data folder: sockets whose own folder has too long a name. */
function madeElsewhere(hubData: string, agentData: string): string[] {
  const name = createHash('sha256').update(hubData).digest('hex').slice(0, 16);
  const sockets = (['status', 'control'] as const).map((kind) =>
    socketPath(agentData, kind, process.env),
  );
  return [join(tmpdir(), `gatewarden-${name}`), ...sockets].filter((path) => isThere(path));
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** A hub that runs as root in a closed folder copies its database's programs to where another account reaches them. */
function copiesOfPostgres(): string[] {
  return [...new Set(['/var/lib', tmpdir()])]
    .filter((folder) => isThere(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => /[/\\]gatewarden-postgres-[0-9a-f]{16}$/.test(path));
}

async function lookAgain(
  { made, yours }: { made: readonly string[]; yours: readonly string[] },
  agentData: string,
  cluster: string,
): Promise<Look[]> {
  const tokens = await openTokenStore(agentData, process.env);
  const kept = await Promise.all(TOKENS.map((name) => tokens.read(name)));
  const look = (what: string, isLeft: boolean): Look => ({ what, state: isLeft ? 'left' : 'gone' });
  return [
    ...made.filter((path) => !yours.includes(path)).map((path) => look(path, isThere(path))),
    ...[...new Set(yours)].map((what): Look => ({ what, state: 'yours' })),
    look(
      `tokens of the agent (${tokens.where})`,
      kept.some((one) => one !== null),
    ),
    look('a running database of the hub', isDatabaseRunning(cluster)),
    look('a running agent', await agentAnswers(agentData)),
    ...copiesOfPostgres().map((what): Look => ({ what, state: 'shared' })),
  ];
}

/** By the pid that PostgreSQL leaves there. */
function isDatabaseRunning(cluster: string): boolean {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return false;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!(pid > 1)) return false;
  try {
    process.kill(pid, 0);
    // The number may be another program's since.
    return (
      process.platform !== 'linux' ||
      readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
    );
  } catch {
    // It was killed, and its file stayed.
    return false;
  }
}

async function agentAnswers(dataDir: string): Promise<boolean> {
  if (!existsSync(dataDir)) return false;
  try {
    await run(process.execPath, [AGENT, 'status', '--data-dir', dataDir, '--json']);
    return true;
  } catch {
    // Nobody answers there.
    return false;
  }
}

/** What an agent that was let enforce holds here; null where nothing is held any more. */
async function giveBack(dataDir: string): Promise<string | null> {
  if (!existsSync(join(dataDir, 'agent.toml'))) return null;
  try {
    const words = ['quarantine', '--release-all', '--data-dir', dataDir, '--json'];
    await run(process.execPath, [AGENT, ...words]);
    return null;
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr ?? '').trim();
    return said.split('\n').at(-1) || 'what is in quarantine could not be put back';
  }
}
