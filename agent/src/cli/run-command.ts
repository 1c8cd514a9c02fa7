// `run`: the service in the foreground, until a signal or the end of whoever started it.
import { join } from 'node:path';
import { whenNpmEnds } from '@gatewarden/shared/npm-parent.ts';
import { ensureDataDir, protectMachineFolder } from '../config/data-dir.ts';
import { refuseBesideMachineAgent } from '../config/machine-agent.ts';
import { openTokenStore } from '../config/token-store.ts';
import { reportEvent } from '../native/windows/event-log.ts';
import { messageOf, PlainError } from '../runtime/errors.ts';
import { createLog } from '../runtime/log.ts';
import { startService } from '../service/agent-service.ts';
import { keepStore, keptStore, openVersions } from '../update/installed-versions.ts';
import { type Launched, launchedBy, STOP_MESSAGE } from '../update/launcher-environment.ts';
import { AGENT_VERSION } from '../version.ts';
import { openContext, requireBackend } from './command-context.ts';
import type { GlobalOptions } from './config-locator.ts';
import { lockDataDirFor } from './data-dir-lock.ts';
import { adoptToken } from './enroll-command.ts';

/** An orderly stop that takes longer than this is cut short: what must not be lost is in the store already. */
const STOP_PATIENCE_MS = 4500;

/** Runs until it is stopped; then the process ends with 0. */
export async function run(options: GlobalOptions, env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await runUntilStopped(options, env);
  } catch (error) {
    reportEvent('failed', `The Gatewarden agent failed: ${messageOf(error)}`);
    throw error;
  }
}

async function runUntilStopped(options: GlobalOptions, env: NodeJS.ProcessEnv): Promise<void> {
  refuseBesideMachineAgent();
  const { config: found, dataDir } = openContext(options, env);
  const config = requireBackend(found);
  protectMachineFolder({ configFile: config.file, dataDir }, env);
  ensureDataDir(dataDir);
  const lock = await lockDataDirFor(dataDir);
  const log = createLog(env.GATEWARDEN_AGENT_LOG_LEVEL ?? 'info', join(dataDir, 'logs'));
  const stop = Promise.withResolvers<string>();
  awaitStop(stop.resolve);
  const tokens = await openTokenStore(dataDir, env);
  const moved = await adoptToken(config.file, tokens);
  if (moved === 'moved') {
    log.info({ kept_in: tokens.where }, 'the token was moved out of the configuration file');
  } else if (moved === 'left') {
    log.warn({ file: config.file }, 'the token could not be taken out of the configuration file');
  }
  if (tokens.where === 'file') {
    log.warn(
      { kept_in: 'file' },
      'there is no keychain here: tokens lie in a file that only its owner can read',
    );
  }
  const launched = launchedBy(env);
  const storeBefore = launched === null ? null : keptStore(launched.folder);
  const requestStop = () => {
    // A launcher that is not asked would take the end for a failure of a version on trial.
    if (launched === null || !process.send) stop.resolve('stop requested');
    else process.send(STOP_MESSAGE);
  };
  const parts = { config, dataDir, tokens, env, log, storeBefore, requestStop };
  let service = await startService(parts);
  log.info(
    { event: 'ready', version: AGENT_VERSION, data_dir: dataDir, hub: config.backend.baseUrl },
    'ready',
  );
  reportEvent('started', `The Gatewarden agent ${AGENT_VERSION} has started.`);
  let next: string | null = null;
  const whyItEnds = () =>
    Promise.race([
      stop.promise,
      service.damaged.then(() => 'damaged' as const),
      service.superseded.then((version) => {
        next = version;
        return `version ${version} takes over`;
      }),
    ]);
  let reason = await whyItEnds();
  if (reason === 'damaged') {
    log.error('the store is damaged: a recovery copy is kept, and a new store is created');
    await service.stop();
    service = await startService({ ...parts, suspect: true });
    reason = await whyItEnds();
  }
  const isDamaged = reason === 'damaged';
  log.info({ reason: isDamaged ? 'the store is damaged again' : reason }, 'stopping');
  setTimeout(() => {
    log.warn('stopping took too long');
    process.exit(0);
  }, STOP_PATIENCE_MS).unref();
  await service.stop();
  if (isDamaged) throw new PlainError(`the store in ${dataDir} is damaged again`);
  lock.release();
  log.info('stopped');
  reportEvent('stopped', `The Gatewarden agent ${AGENT_VERSION} has stopped: ${reason}.`);
  if (next !== null && launched !== null) handOver(next, { launched, dataDir, env });
}

/**
 * Starts the newer version with the same process id, so that the service manager sees no end. Windows replaces no program
 * of a process: there the launcher starts the newer version after this end.
 */
function handOver(
  version: string,
  { launched, dataDir, env }: { launched: Launched; dataDir: string; env: NodeJS.ProcessEnv },
): void {
  keepStore(dataDir, launched.folder);
  openVersions(launched.folder).swap(version, AGENT_VERSION);
  if (process.platform === 'win32') process.exit(0);
  const { GATEWARDEN_TRIAL_SECONDS: _trial, ...kept } = env;
  process.execve?.('/bin/sh', ['/bin/sh', launched.launcher, ...process.argv.slice(2)], kept);
}

/** Calls `stop` with the reason: a signal, or the parent that spawned us with a channel is gone. */
function awaitStop(stop: (reason: string) => void): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  if (process.channel) process.on('disconnect', () => stop('parent is gone'));
  whenNpmEnds(() => stop('npm ended'));
}
