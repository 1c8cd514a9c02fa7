// The launcher of Windows, in the place of the shell script of Linux: starts the newest good version of the agent, and
// supervises a version on trial. Usage: node launcher.js [--patience SECONDS] COMMAND ... With `run --service` it is the
// process of the Windows service, and the agent is its child. `run --background` returns at once, and the agent of a user
// runs without a window.
// States of a run: starting → serving → (superseded → starting | failed → given up → starting | stopped).
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentScope } from '../config/agent-scope.ts';
import { defaultDataDir } from '../config/data-dir.ts';
import { reportEvent } from '../native/windows/event-log.ts';
import { connectToServiceManager } from '../native/windows/service-control.ts';
import { STOP_MESSAGE } from './launcher-environment.ts';
import {
  type ChosenVersion,
  chooseVersion,
  countTry,
  giveUpVersion,
  type VersionFolders,
} from './version-choice.ts';

/** The service runs for months and mostly waits: a small nursery, and no optimizing compilers. */
const SERVICE_FLAGS = [
  ...['--max-semi-space-size=1', '--optimize-for-size', '--no-opt', '--no-maglev', '--expose-gc'],
];
const TRIAL_SECONDS = 300;
const LOOK_EVERY_MS = 500;
/** An orderly stop that takes longer is cut short. */
const STOP_PATIENCE_MS = 10_000;

interface Launch extends VersionFolders {
  args: readonly string[];
  patienceSeconds: number;
  node: string;
}

/** Options of `run` for the launcher alone: the service control manager, or the sign-in of a user started this process. */
const SERVICE_OPTION = '--service';
const BACKGROUND_OPTION = '--background';
/** No service manager restarts the agent of a user. An agent that ends earlier than this would end again. */
const RESTART_AFTER_MS = 60_000;

/** How a run of the service ended. */
type Ending = { is: 'stopped' } | { is: 'late' } | { is: 'exited'; code: number };

/** Runs the service until it is stopped, over all versions. Returns the exit code. */
async function superviseService(launch: Launch): Promise<number> {
  const isService = launch.args.includes(SERVICE_OPTION);
  // The service control manager waits 30 seconds for this connection.
  const service = isService ? await connectToServiceManager() : null;
  void service?.stopRequested.then(() => process.emit('SIGTERM'));
  const args = launch.args.filter((word) => word !== SERVICE_OPTION);
  let code: number | null = null;
  while (code === null) {
    const start = performance.now();
    code = await superviseRun({ ...launch, args });
    const isOld = performance.now() - start >= RESTART_AFTER_MS;
    if (code !== 0 && isOld && agentScope() === 'user') code = null;
  }
  // Without this report the service control manager applies its recovery actions.
  if (code === 0) service?.reportStopped();
  return code;
}

/** Runs the chosen version to its end. Returns the exit code; null where another run follows. */
async function superviseRun(launch: Launch): Promise<number | null> {
  const chosen = chooseVersion(launch);
  const trial = chosen.isOnTrial ? chosen.version : null;
  if (trial !== null && !countTry(launch)) {
    giveUpVersion(launch, trial, 'it was started 5 times and never was well');
    return null;
  }
  const ending = await runService(chosen, launch);
  if (ending.is === 'stopped') return 0;
  if (ending.is === 'exited' && ending.code !== 0) {
    const process = `The process of the Gatewarden agent ${chosen.version}`;
    reportEvent('ended', `${process} ended unexpectedly with exit code ${ending.code}.`);
  }
  const next = chooseVersion(launch);
  if (next.version !== chosen.version) return null;
  // The service manager supervises a version that passed its trial.
  if (!next.isOnTrial || trial === null) return ending.is === 'exited' ? ending.code : 1;
  giveUpVersion(launch, trial, reasonOf(ending, launch.patienceSeconds));
  return null;
}

function reasonOf(ending: Ending, patienceSeconds: number): string {
  return ending.is === 'exited'
    ? `it ended by itself with ${ending.code}`
    : `it reported nothing good for ${patienceSeconds} seconds`;
}

/** Runs a version of the service to its end. The channel to it closes for an orderly stop. */
function runService(chosen: ChosenVersion, launch: Launch): Promise<Ending> {
  const child = start(chosen, launch, SERVICE_FLAGS, ['ignore', 'inherit', 'inherit', 'ipc']);
  return new Promise((resolve) => {
    let ending: Ending | null = null;
    const stop = (reason: Ending) => {
      ending ??= reason;
      if (child.connected) child.disconnect();
      setTimeout(() => child.kill(), STOP_PATIENCE_MS).unref();
    };
    const trial = chosen.isOnTrial ? watchTrial(launch, () => stop({ is: 'late' })) : undefined;
    const stopByUser = () => stop({ is: 'stopped' });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK']) process.once(signal, stopByUser);
    process.once('disconnect', stopByUser);
    child.on('message', (message) => {
      if (message === STOP_MESSAGE) stopByUser();
    });
    child.once('exit', (code) => {
      clearInterval(trial);
      resolve(ending ?? { is: 'exited', code: code ?? 1 });
    });
  });
}

/** Calls `onLate` where the version is still on trial when its time is over. Returns a timer to clear. */
function watchTrial(launch: Launch, onLate: () => void): NodeJS.Timeout {
  const until = performance.now() + launch.patienceSeconds * 1000;
  const timer = setInterval(() => {
    const isOver = performance.now() > until;
    const isPassed = !existsSync(join(launch.versions, 'trial'));
    if (isPassed || isOver) clearInterval(timer);
    if (isOver && !isPassed) onLate();
  }, LOOK_EVERY_MS);
  return timer;
}

/** Runs a command, with a version that is not on trial. */
function runCommand(launch: Launch): Promise<number> {
  const newest = chooseVersion(launch);
  const chosen = newest.isOnTrial ? chooseVersion(launch, newest.version) : newest;
  const child = start(chosen, launch, [], 'inherit');
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

function start(
  { folder, isOnTrial }: ChosenVersion,
  launch: Launch,
  flags: readonly string[],
  stdio: Parameters<typeof spawn>[2]['stdio'],
): ChildProcess {
  const { GATEWARDEN_TRIAL_SECONDS: _trial, ...env } = process.env;
  const program = join(folder, 'bin', launch.node);
  return spawn(program, [...flags, join(folder, 'app/main.js'), ...launch.args], {
    stdio,
    windowsHide: true,
    env: {
      ...env,
      GATEWARDEN_LAUNCHER: import.meta.filename,
      GATEWARDEN_VERSIONS: launch.versions,
      ...(isOnTrial ? { GATEWARDEN_TRIAL_SECONDS: String(launch.patienceSeconds) } : {}),
    },
  });
}

function readLaunch(words: readonly string[]): Launch {
  const [option, seconds, ...rest] = words;
  const isTimed = option === '--patience';
  return {
    installed: join(import.meta.dirname, '..'),
    versions: join(defaultDataDir(process.env), 'versions'),
    args: isTimed ? rest : words,
    patienceSeconds: isTimed ? Number(seconds) : TRIAL_SECONDS,
    node: process.platform === 'win32' ? 'node.exe' : 'node',
  };
}

/** Starts this launcher again without a window, and leaves it: a program of the sign-in has a console window otherwise. */
function startInBackground(words: readonly string[]): void {
  const rest = words.filter((word) => word !== BACKGROUND_OPTION);
  const args = [...SERVICE_FLAGS, import.meta.filename, ...rest];
  spawn(process.execPath, args, { detached: true, stdio: 'ignore', windowsHide: true }).unref();
}

const words = process.argv.slice(2);
const launch = readLaunch(words);
if (words.includes(BACKGROUND_OPTION)) startInBackground(words);
else {
  const end = launch.args[0] === 'run' ? superviseService(launch) : runCommand(launch);
  process.exitCode = await end;
}
