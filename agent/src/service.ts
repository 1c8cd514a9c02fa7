// The service: opens what it remembers, wires the loops (watch, scan, push, poll), and stops them in order.

import type { AgentStatus, LocalAnswers } from '@gatewarden/shared/wire/local/service.ts';
import { startCalendar } from './calendar.ts';
import { codeCacheOf } from './code-cache.ts';
import { currentPlatform } from './config/identity.ts';
import type { TokenPlace } from './config/token-store.ts';
import type { AgentConfig, BackendConfig } from './config/toml.ts';
import { listenLocally } from './control/server.ts';
import { socketPath } from './control/sockets.ts';
import { readAskedWhy } from './control/why.ts';
import { createAgentCore } from './core.ts';
import { openHomes } from './discovery/live-homes.ts';
import { readMinutes } from './enforcement/pause.ts';
import { openEditor } from './enforcement/quarantine/editor.ts';
import { messageOf } from './errors.ts';
import type { Log } from './log.ts';
import { createMcpSetup, createOffer, readAskedSetup } from './mcp-setup/index.ts';
import { startScanning } from './scanning.ts';
import { jitter, type Loop, startLoop } from './schedule.ts';
import { isDamage } from './store/database.ts';
import { readAsked } from './sync/access-requests.ts';
import { openBackend } from './sync/backend.ts';
import { healsWithContact, isTokenRefused, isWorthRetrying, waitAfter } from './sync/retry.ts';
import { launchedBy } from './update/launched.ts';
import { startTrial } from './update/trial.ts';
import { startUpdater } from './update/updater.ts';

const WATCH_EVERY_MS = 500;
const HOUSEKEEPING_EVERY_MS = 60_000;
const MAX_START_DELAY_MS = 10_000;

export interface RunningService {
  /** Resolves when the store turns out to be damaged: stopped and started again, it is set aside. */
  damaged: Promise<void>;
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
  /** Whatever a loop stumbles over, it goes on; only a damaged store does not heal by itself. */
  const stumbled = (error: unknown, message: string) => {
    if (isDamage(error)) tellDamage();
    log.error({ err: error }, message);
  };
  const backend = await openBackend({
    ...options,
    storeFailed: (error) => stumbled(error, 'the store cannot be used'),
  });
  const homes = await openHomes();
  const core = createAgentCore({ config, dataDir, backend, homes, log });
  const { pusher, puller, alerts, accessRequests, client, tokens } = backend;

  let pollWorks = false;
  let pushAttempts = 0;
  let pushError: unknown = null;
  let pushFailedAtMs = 0;
  let waitsForScan = false;
  const pushLoop = startLoop(
    async () => {
      // Nothing is pushed before the first contact, nor while the token is refused: the poll opens the way.
      if (!pollWorks || waitsForScan || !pusher.waiting()) return;
      try {
        await pusher.drain();
        pushAttempts = 0;
        pushError = null;
      } catch (error) {
        pushError = error;
        pushFailedAtMs = performance.now();
        if (isDamage(error)) tellDamage();
        if (isTokenRefused(error)) pollWorks = false;
        // What the hub refuses for good is not sent again as it is: the next scan plans anew.
        else if (!isWorthRetrying(error)) waitsForScan = true;
        log.warn({ err: error }, 'the inventory waits');
      }
    },
    {
      firstMs: 0,
      nextMs: () =>
        pushError === null || waitsForScan
          ? HOUSEKEEPING_EVERY_MS
          : waitAfter(pushError, pushAttempts++),
      failed: (error) => stumbled(error, 'pushing failed'),
    },
  );

  const scanning = startScanning({
    ...{ config, dataDir, env, backend, homes, log, stumbled },
    learn: core.learnScan,
    planned: () => {
      waitsForScan = false;
      pushLoop.wake();
    },
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

  let pollAfterMs = 0;
  let pollAttempts = 0;
  let pollError: unknown = null;
  /** When it began to answer again. */
  let recoveredAtMs = 0;
  const pollLoop = startLoop(
    async () => {
      try {
        await tokens.ensure(client, config.backend.subscriberId);
        ({ pollAfterMs } = await puller.pull().catch((error: unknown) => {
          if (isTokenRefused(error) && error.status === 401) tokens.doubtDeviceToken();
          throw error;
        }));
        if (!pollWorks) log.info({ url: config.backend.baseUrl }, 'the hub answers');
        pollWorks = true;
        if (pollError !== null) recoveredAtMs = performance.now();
        pollError = null;
        pollAttempts = 0;
      } catch (error) {
        pollError = error;
        if (isDamage(error)) tellDamage();
        if (isTokenRefused(error)) pollWorks = false;
        log.warn({ reason: messageOf(error) }, 'the hub does not answer as it should');
        return;
      }
      alerts.wake(recoveredAtMs);
      void accessRequests.send();
      const contact = { recoveredAtMs, nowMs: performance.now() };
      if (pushError === null || healsWithContact(pushError, pushFailedAtMs, contact)) {
        pushLoop.wake();
      }
      await core.reportProcesses();
    },
    {
      firstMs: jitter(Math.min(config.deltaIntervalMs / 2, MAX_START_DELAY_MS) * Math.random()),
      nextMs: () => {
        const usual = Math.max(jitter(config.deltaIntervalMs), pollAfterMs);
        // A refused token is tried again with every poll; a hub in trouble is given time.
        return isWorthRetrying(pollError)
          ? Math.max(usual, waitAfter(pollError, pollAttempts++))
          : usual;
      },
      failed: (error) => stumbled(error, 'polling failed'),
    },
  );

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
    // Who works at this device asks; what comes of it, a reviewer says.
    'POST /request': (_key, body) => accessRequests.ask(readAsked(body)),
    'POST /pause': (key, body) => core.pause(key, readMinutes(body)),
    'POST /resume': core.resume,
  };
  const sockets = [
    await listenLocally(socketPath(dataDir, 'status', env), 'status', open),
    await listenLocally(socketPath(dataDir, 'control', env), 'control', {
      'GET /status': status,
      'GET /processes': async () => ({ processes: await core.listProcesses() }),
      'GET /queue': () => core.listAlerts(),
      'GET /quarantine': () => core.listQuarantine(),
      'POST /why': (key, body) => core.why(key, readAskedWhy(body), 'all'),
      'POST /flush': () => {
        alerts.flush();
        pushLoop.wake();
        pollLoop.wake();
      },
      'POST /scan': scanning.wake,
      'POST /update': updater.look,
      'POST /off': () => core.turnOff(),
      'POST /on': () => core.turnOn(),
    }),
  ];

  return {
    damaged,
    superseded,
    async stop() {
      calendar.stop();
      const loops: Loop[] = [pollLoop, pushLoop, watchLoop, housekeeping];
      for (const socket of sockets) await socket.close();
      const stopping = Promise.all([
        scanning.stop(),
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
        backend.clock.save();
        backend.close();
      } catch (error) {
        // A damaged store is not worth more words: it has been told.
        if (!isDamage(error)) throw error;
      }
    },
  };
}
