// Purpose: runs the agent as a service: opens its store, starts the loops and the local API, and stops them in order.
// Main types: `RunningService`, `ServiceOptions`.
// Invariants: a failed task never ends a loop; a damaged store ends the service, and the next start resets it.
// Depends on: agent-core (enforcement), scan-scheduler, sync/sync-loops, update/updater, local-api/.
// Start reading at `startService`.
import type { AgentStatus } from '@gatewarden/shared/wire/local/service.ts';
import { ensureDataDir } from '../config/data-dir.ts';
import { putBackIdentity } from '../config/device-identity.ts';
import { putBackTokens } from '../config/token-store.ts';
import { openHomes } from '../discovery/homes/live-homes.ts';
import type { LocalSocket } from '../local-api/socket-server.ts';
import { openUserKeys, type UserKeys } from '../local-api/user-keys.ts';
import { type Loop, startLoop } from '../runtime/task-loop.ts';
import { isDamage } from '../store/store-database.ts';
import { type Backend, openBackend } from '../sync/backend.ts';
import { logLevelFor } from '../sync/backoff.ts';
import { startSyncLoops } from '../sync/sync-loops.ts';
import { launchedBy } from '../update/launcher-environment.ts';
import { startTrial } from '../update/update-trial.ts';
import { startUpdater } from '../update/updater.ts';
import { type AgentCore, createAgentCore } from './agent-core.ts';
import { startCalendar } from './daily-calendar.ts';
import { openLocalApi } from './local-api-routes.ts';
import { type ScanScheduler, startScanScheduler } from './scan-scheduler.ts';
import type { ServiceOptions } from './service-options.ts';

/** The interval at which the process list is compared (tick-loop.ts); reads within a tick: processes/process-watcher.ts. */
const PROCESS_CHECK_INTERVAL_MS = 500;
const HOUSEKEEPING_INTERVAL_MS = 60_000;
/** The watchdog reads the status of a few files. */
const WATCHDOG_INTERVAL_MS = 5_000;

export interface RunningService {
  /** Resolves when the store turns out to be damaged: the next start sets it aside. */
  damaged: Promise<void>;
  /** Resolves with the version that is ready to replace this version. */
  superseded: Promise<string>;
  stop(): Promise<void>;
}

/** Starts everything and returns when the loops run. The caller has locked the data folder. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { config, dataDir, env, log } = options;
  const { promise: superseded, resolve: reportSuperseded } = Promise.withResolvers<string>();
  const { promise: damaged, resolve: reportDamage } = Promise.withResolvers<void>();
  const doubt = (error: unknown) => {
    if (isDamage(error)) reportDamage();
  };
  const reportError = (error: unknown, message: string) => {
    doubt(error);
    log[logLevelFor(error, 'error')]({ err: error }, message);
  };
  const backend = await openBackend({
    ...options,
    storeFailed: (error) => reportError(error, 'the store cannot be used'),
  });
  const homes = await openHomes();
  const userKeys = openUserKeys(dataDir);
  const core = createAgentCore({ config, dataDir, backend, homes, userKeys, log });
  const sync = startSyncLoops({
    ...{ backend, log, reportError, doubt },
    hub: config.backend,
    pollIntervalMs: config.deltaIntervalMs,
    polled: core.reportProcesses,
  });
  const scans = startScanScheduler({
    ...{ config, dataDir, env, backend, homes, log, reportError },
    applyScan: core.applyScan,
    planned: sync.planned,
  });
  backend.onFullScanWanted(scans.wake);
  const calendar = startDailyReport({ config, dataDir, log }, backend, scans);
  const loops = startLoops(core, backend, reportError);
  const launched = launchedBy(env);
  const updater = startUpdater({
    ...{ config, dataDir, launched, backend, log, reportError },
    staged: reportSuperseded,
  });
  const status = (): AgentStatus => ({ ...core.queries.status(), update: updater.status() });
  const trial = startTrial({ launched, status, waiting: backend.pusher.waiting, log });
  const sockets = await openLocalApi(options, {
    ...{ core, backend, homes, userKeys, scans, sync, updater, status },
  });
  const watchdog = startWatchdog({
    ...{ options, backend, userKeys, sockets, reportError },
  });
  return {
    damaged,
    superseded,
    async stop() {
      calendar.stop();
      // The watchdog stops first: it would reopen a socket that was just closed.
      await watchdog.stop();
      for (const socket of sockets) await socket.close();
      const stopping = Promise.all([
        scans.stop(),
        sync.stop(),
        ...loops.map((loop) => loop.stop()),
        backend.alerts.stop(),
        core.drain(),
        updater.stop(),
        trial?.stop(),
      ]);
      // A request to an unresponsive hub is aborted, not waited for.
      backend.client.close();
      await stopping;
      closeStores(core, backend);
    },
  };
}

function startDailyReport(
  { config, dataDir, log }: Pick<ServiceOptions, 'config' | 'dataDir' | 'log'>,
  backend: Backend,
  scans: ScanScheduler,
) {
  return startCalendar({
    ...{ dataDir, log },
    pattern: config.dailySchedule,
    deviceId: backend.client.device.device_id,
    requestFullReport: () => {
      backend.state.set('full_scan_due', true);
      scans.wake();
    },
  });
}

type ReportError = (error: unknown, message: string) => void;

function startLoops(core: AgentCore, backend: Backend, reportError: ReportError): Loop[] {
  return [
    startLoop(() => core.tick(), {
      firstMs: 0,
      nextMs: () => PROCESS_CHECK_INTERVAL_MS,
      failed: (error) => reportError(error, 'watching processes failed'),
    }),
    startLoop(async () => backend.clock.save(), {
      firstMs: HOUSEKEEPING_INTERVAL_MS,
      nextMs: () => HOUSEKEEPING_INTERVAL_MS,
      failed: (error) => reportError(error, 'housekeeping failed'),
    }),
  ];
}

/** Starts the loop that restores removed files of the data folder: identity, tokens, keys of users, sockets. */
function startWatchdog(parts: {
  options: ServiceOptions;
  backend: Backend;
  userKeys: UserKeys;
  sockets: readonly LocalSocket[];
  reportError: ReportError;
}): Loop {
  const { options, backend, userKeys, sockets, reportError } = parts;
  const { dataDir, tokens, log } = options;
  const check = async () => {
    ensureDataDir(dataDir);
    putBackIdentity(dataDir, backend.client.device.device_id);
    await putBackTokens(tokens, dataDir);
    if (userKeys.restoreRemoved()) log.warn('restored keys of users, which were removed');
    for (const socket of sockets) {
      if (await socket.reopenIfRemoved())
        log.warn('opened a local socket again, which was removed');
    }
  };
  return startLoop(check, {
    firstMs: WATCHDOG_INTERVAL_MS,
    nextMs: () => WATCHDOG_INTERVAL_MS,
    failed: (error) => reportError(error, 'looking after the data folder failed'),
  });
}

function closeStores(core: AgentCore, backend: Backend): void {
  try {
    core.quarantine.close();
    backend.clock.save();
    backend.close();
  } catch (error) {
    // The damage of a store is reported already.
    if (!isDamage(error)) throw error;
  }
}
