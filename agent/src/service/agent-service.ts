// The service: opens what it remembers, wires the loops (watch, scan, push, poll), and stops them in order.

import type { AgentStatus, LocalAnswers } from '@gatewarden/shared/wire/local/service.ts';
import type { AgentConfig, BackendConfig } from '../config/agent-config.ts';
import { currentPlatform, putBackIdentity } from '../config/device-identity.ts';
import type { TokenPlace } from '../config/token-store.ts';
import { openHomes } from '../discovery/homes/live-homes.ts';
import { readMinutes } from '../enforcement/pause-rules.ts';
import { openEditor } from '../enforcement/quarantine/edit-client.ts';
import { readAskedWhy } from '../local-api/decision-chain.ts';
import { createOwnerCheck } from '../local-api/device-owner-check.ts';
import { socketPath } from '../local-api/socket-paths.ts';
import { listenLocally } from '../local-api/socket-server.ts';
import { openPeople } from '../local-api/user-keys.ts';
import { createMcpSetup, createOffer, readAskedSetup } from '../mcp-setup/index.ts';
import { codeCacheOf } from '../runtime/code-cache.ts';
import type { Log } from '../runtime/log.ts';
import { type Loop, startLoop } from '../runtime/task-loop.ts';
import { isDamage } from '../store/store-database.ts';
import { readAsked } from '../sync/access-requests.ts';
import { openBackend } from '../sync/backend.ts';
import { loudness } from '../sync/backoff.ts';
import { startSyncLoops } from '../sync/sync-loops.ts';
import { launchedBy } from '../update/launcher-environment.ts';
import { startTrial } from '../update/update-trial.ts';
import { startUpdater } from '../update/updater.ts';
import { createAgentCore } from './agent-core.ts';
import { startCalendar } from './daily-calendar.ts';
import { watchForLoss } from './data-dir-watchdog.ts';
import { startScanning } from './scan-scheduler.ts';

const WATCH_EVERY_MS = 500;
const HOUSEKEEPING_EVERY_MS = 60_000;
/** A few names are looked at, nothing is opened. */
const LOOK_AFTER_EVERY_MS = 5_000;

export interface RunningService {
  /** Resolves when the store turns out to be damaged: stopped and started again, it is set aside. */
  damaged: Promise<void>;
  /** Resolves when files of the data folder were taken away: stopped, it restores their content. */
  displaced: Promise<void>;
  /** Resolves with the version that is ready to be started in place of this one. */
  superseded: Promise<string>;
  stop(): Promise<void>;
}

/** Starts everything and returns when the loops run. The caller holds the lock of the data folder. */
export async function startService(options: {
  config: AgentConfig & { backend: BackendConfig };
  dataDir: string;
  tokens: TokenPlace;
  env: NodeJS.ProcessEnv;
  log: Log;
  /** The store showed damage before. */
  suspect?: boolean;
  /** The store as it was before a newer version took over, where a copy was kept. */
  storeBefore?: string | null;
}): Promise<RunningService> {
  const { config, dataDir, env, log } = options;
  const { promise: superseded, resolve: tellSuperseded } = Promise.withResolvers<string>();
  const { promise: damaged, resolve: tellDamage } = Promise.withResolvers<void>();
  const { promise: displaced, resolve: tellDisplaced } = Promise.withResolvers<void>();
  /** Whatever a loop stumbles over, it goes on; only a damaged store does not heal by itself. */
  const stumbled = (error: unknown, message: string) => {
    if (isDamage(error)) tellDamage();
    log[loudness(error, 'error')]({ err: error }, message);
  };
  const backend = await openBackend({
    ...options,
    storeFailed: (error) => stumbled(error, 'the store cannot be used'),
  });
  const homes = await openHomes();
  const people = openPeople(dataDir);
  const core = createAgentCore({ config, dataDir, backend, homes, people, log });
  const { pusher, alerts, accessRequests, client } = backend;

  const sync = startSyncLoops({
    ...{ backend, log, stumbled },
    doubt: (error) => {
      if (isDamage(error)) tellDamage();
    },
    hub: config.backend,
    pollIntervalMs: config.deltaIntervalMs,
    polled: core.reportProcesses,
  });

  const scanning = startScanning({
    ...{ config, dataDir, env, backend, homes, log, stumbled },
    learn: core.learnScan,
    planned: sync.planned,
  });
  backend.onFullScanWanted(scanning.wake);
  const calendar = startCalendar({
    ...{ dataDir, log },
    pattern: config.dailySchedule,
    deviceId: client.device.device_id,
    tellEverything: () => {
      backend.state.set('full_scan_due', true);
      scanning.wake();
    },
  });

  const watchLoop = startLoop(() => core.watch(), {
    firstMs: 0,
    nextMs: () => WATCH_EVERY_MS,
    failed: (error) => stumbled(error, 'watching processes failed'),
  });
  const housekeeping = startLoop(async () => backend.clock.save(), {
    firstMs: HOUSEKEEPING_EVERY_MS,
    nextMs: () => HOUSEKEEPING_EVERY_MS,
    failed: (error) => stumbled(error, 'housekeeping failed'),
  });

  const launched = launchedBy(env);
  const updater = startUpdater({
    ...{ config, dataDir, launched, backend, log, stumbled },
    staged: tellSuperseded,
  });
  const status = (): AgentStatus => ({ ...core.status(), update: updater.status() });
  const trial = startTrial({ launched, status, waiting: pusher.waiting, log });

  const mcp = createMcpSetup({
    ownerOf: core.ownerOf,
    ...{ homes: homes.list, platform: currentPlatform(), state: backend.state },
    ask: openEditor(codeCacheOf(dataDir)),
    offer: createOffer(client, Date.now),
    log: (fields, message) => log.info(fields, message),
  });
  const requireOwner = createOwnerCheck({
    people,
    homes: () => homes.list,
    owner: config.backend.owner,
    serviceUid: process.getuid?.() ?? null,
  });
  const fileRequest = async (body: string) => {
    const asked = readAsked(body);
    const isKnown = asked.process_name === null || (await core.isKnown(asked.process_name));
    return { ...accessRequests.ask(asked), is_known: isKnown };
  };
  const open: LocalAnswers = {
    'GET /status': status,
    'GET /processes': async (key) => ({ processes: await core.listOwnProcesses(key) }),
    'GET /notices': core.listNotices,
    'GET /decisions': core.listDecisions,
    'GET /mcp-servers': core.listServers,
    'GET /gateway': mcp.list,
    'POST /gateway/put-in': (key, body) => mcp.putIn(key, readAskedSetup(body)),
    'POST /gateway/take-out': (key, body) => mcp.takeOut(key, readAskedSetup(body)),
    'GET /seen': core.listSeen,
    'POST /why': (key, body) => core.why(key, readAskedWhy(body), 'own'),
    'POST /request': (key, body) => {
      requireOwner(key);
      return fileRequest(body);
    },
    'POST /pause': (key, body) => core.pause(key, readMinutes(body)),
    'POST /resume': core.resume,
  };
  const sockets = [
    await listenLocally(() => socketPath(dataDir, 'status', env), 'status', open),
    await listenLocally(() => socketPath(dataDir, 'control', env), 'control', {
      'GET /status': status,
      'GET /processes': async () => ({ processes: await core.listProcesses() }),
      'GET /queue': () => core.listAlerts(),
      'GET /quarantine': () => core.listQuarantine(),
      'POST /why': (key, body) => core.why(key, readAskedWhy(body), 'all'),
      'POST /request': (_key, body) => fileRequest(body),
      'POST /flush': () => {
        client.tryNow();
        alerts.flush();
        sync.wake();
      },
      'POST /scan': scanning.wake,
      'POST /update': updater.look,
      'POST /off': () => core.turnOff(),
      'POST /on': () => core.turnOn(),
    }),
  ];

  const lookForLoss = watchForLoss({
    dataDir,
    save() {
      backend.saveBeside();
      core.quarantine.saveBeside();
      putBackIdentity(dataDir, client.device.device_id);
    },
    displaced: tellDisplaced,
    log,
  });
  const lookAfter = startLoop(
    async () => {
      lookForLoss();
      if (people.lookAfter()) log.warn('keys of people were taken away: they are written again');
      for (const socket of sockets) {
        if (await socket.lookAfter()) log.warn('a local socket was taken away: it is opened again');
      }
    },
    {
      firstMs: LOOK_AFTER_EVERY_MS,
      nextMs: () => LOOK_AFTER_EVERY_MS,
      failed: (error) => stumbled(error, 'looking after the data folder failed'),
    },
  );

  return {
    damaged,
    displaced,
    superseded,
    async stop() {
      calendar.stop();
      // First, or it might open a socket again that was just closed.
      await lookAfter.stop();
      const loops: Loop[] = [watchLoop, housekeeping];
      for (const socket of sockets) await socket.close();
      const stopping = Promise.all([
        scanning.stop(),
        sync.stop(),
        ...loops.map((loop) => loop.stop()),
        alerts.stop(),
        core.settle(),
        updater.stop(),
        trial?.stop(),
      ]);
      // What is under way may hang on a hub that does not answer: that request is given up, not waited for.
      client.close();
      await stopping;
      try {
        core.quarantine.close();
        backend.clock.save();
        backend.close();
      } catch (error) {
        // A damaged store is not worth more words: it has been told.
        if (!isDamage(error)) throw error;
      }
    },
  };
}
