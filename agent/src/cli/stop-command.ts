// `stop`: stops the agent of a user, which no service manager controls. With `--delete-data` nothing of the agent is left
// but its program: an uninstallation does this before it removes the program.
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { agentScope } from '../config/agent-scope.ts';
import { defaultDataDir } from '../config/data-dir.ts';
import { deleteTokens } from '../config/token-store.ts';
import { askService } from '../local-api/socket-client.ts';
import { PlainError, Unreachable } from '../runtime/errors.ts';
import { comparablePath } from '../runtime/path-comparison.ts';
import { openContext, print } from './command-context.ts';
import type { GlobalOptions } from './config-locator.ts';
import { releaseWithoutService } from './control-commands.ts';

export interface StopOptions extends GlobalOptions {
  deleteData?: boolean;
}

/** The launcher ends an agent that does not stop in order within 10 seconds. */
const PATIENCE_MS = 20_000;
const CHECK_INTERVAL_MS = 100;

/** Runs the command. Returns once the processes have ended, so that an installer can replace their files. */
export async function stop(options: StopOptions, env: NodeJS.ProcessEnv): Promise<void> {
  if (agentScope() === 'machine') {
    throw new PlainError(
      "the agent of this device is a service: the system's service manager stops it",
    );
  }
  const { dataDir, json } = openContext(options, env);
  const answer = await askService<{ pids: number[] }>(dataDir, 'control', 'POST', '/stop');
  if (answer !== null) await awaitEnd(answer.pids);
  else if (options.deleteData !== true) throw new Unreachable(`no agent runs on ${dataDir}`);
  if (options.deleteData === true) await deleteData(dataDir, options, env);
  print(json, { stopped: answer !== null, deleted: options.deleteData === true }, () => [
    answer === null ? `No agent runs on ${dataDir}` : 'The agent has stopped',
    ...(options.deleteData === true ? [`Deleted ${dataDir}`] : []),
  ]);
}

async function awaitEnd(pids: readonly number[]): Promise<void> {
  const start = performance.now();
  while (pids.some(isRunning)) {
    if (performance.now() - start > PATIENCE_MS) throw new PlainError('the agent does not stop');
    await wait(CHECK_INTERVAL_MS);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A folder that the configuration names may contain files of the user: the command line must name it, too. */
async function deleteData(
  dataDir: string,
  options: StopOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const expected = resolve(options.dataDir ?? defaultDataDir(env));
  if (comparablePath(dataDir) !== comparablePath(expected)) {
    throw new PlainError(`${dataDir} is not the usual data folder: name it by --data-dir`);
  }
  const remaining = await releaseWithoutService(dataDir);
  if (remaining.length > 0) {
    throw new PlainError(`${remaining.length} could not be put back: ${dataDir} is kept`);
  }
  await deleteTokens(dataDir, env);
  rmSync(dataDir, { recursive: true, force: true });
}
