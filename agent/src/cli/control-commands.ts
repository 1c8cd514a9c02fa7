// The commands that change something in the running service: flush, off, on.

import type { AgentStatus } from '@gatewarden/shared/wire/local/service.ts';
import { ensureDataDir } from '../config/data-dir.ts';
import { openKillSwitch } from '../enforcement/enforcement-mode.ts';
import { type QuarantinedThing, releaseAll } from '../enforcement/quarantine/index.ts';
import { askService, requireOwnFolder } from '../local-api/socket-client.ts';
import { PlainError, Unreachable } from '../runtime/errors.ts';
import { FolderInUse } from '../store/store-database.ts';
import { openContextForAnybody, print } from './command-context.ts';
import type { GlobalOptions } from './config-locator.ts';
import { lockDataDirFor } from './data-dir-lock.ts';

/** `flush`: send the alerts that wait, and ask the hub, now. */
export async function flush(options: GlobalOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const { dataDir, json } = openContextForAnybody(options, env);
  const answer = await askService(dataDir, 'control', 'POST', '/flush');
  if (answer === null) throw new Unreachable(`no agent runs on ${dataDir}`);
  print(json, { flushed: true }, () => ['Sending now']);
}

/** `update`: ask for a newer version now, not within the hour. */
export async function requestUpdate(options: GlobalOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const { dataDir, json } = openContextForAnybody(options, env);
  const status = await askService<AgentStatus>(dataDir, 'control', 'GET', '/status');
  if (status === null) throw new Unreachable(`no agent runs on ${dataDir}`);
  if (status.update.off !== null) throw new PlainError(`no updates: ${status.update.off}`);
  await askService(dataDir, 'control', 'POST', '/update');
  print(json, { asking: true }, () => ['Asking now: see "gatewarden status"']);
}

/** `off` and `on`: the local kill switch. Works without a running service, too: the switch is a file. */
export async function switchEnforcement(
  to: 'off' | 'on',
  options: GlobalOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { dataDir, json } = openContextForAnybody(options, env);
  const ask = async () => (await askService(dataDir, 'control', 'POST', `/${to}`)) !== null;
  let running = await ask();
  let remaining: QuarantinedThing[] = [];
  if (!running) {
    requireOwnFolder(dataDir);
    ensureDataDir(dataDir);
    const killSwitch = openKillSwitch(dataDir);
    if (to === 'off') {
      killSwitch.turnOff();
      try {
        remaining = await releaseWithoutService(dataDir);
      } catch (error) {
        // A running service has started since, and releases its own quarantine.
        if (!(error instanceof FolderInUse)) throw error;
        running = await ask();
        if (!running) throw error;
      }
    } else killSwitch.turnOn();
  }
  print(json, { kill_switch: to === 'off', running }, () => [
    to === 'off'
      ? 'Enforcement is off on this device'
      : 'Enforcement is back to what is configured',
    ...remaining.map((item) => `still in quarantine: ${item.path}: ${item.problem}`),
  ]);
}

/** Releases quarantine without a service. Refused while a service runs, which would take the items again. */
export async function releaseWithoutService(dataDir: string): Promise<QuarantinedThing[]> {
  const lock = await lockDataDirFor(dataDir);
  try {
    return await releaseAll(dataDir);
  } finally {
    lock.release();
  }
}
