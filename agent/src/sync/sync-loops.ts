// The two loops that keep device and hub in step: the poll, which opens the way, and the push of the inventory.
import type { BackendConfig } from '../config/agent-config.ts';
import { messageOf } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import { jitter, startLoop } from '../runtime/task-loop.ts';
import { SYSTEM_TIMING, type Timing } from '../runtime/timing.ts';
import type { Backend } from './backend.ts';
import {
  healsWithContact,
  isTokenRefused,
  isWorthRetrying,
  loudness,
  traceIdOf,
  waitAfter,
} from './backoff.ts';

const PUSH_EVERY_MS = 60_000;
/** Somebody waits to see a new device; one that the hub knows has its decisions, and may have booted with all others. */
const START_WITHIN_MS = { isNew: 10_000, isKnown: 30_000 };

export interface SyncLoops {
  /** A scan has said what is to be sent. */
  planned(): void;
  /** Polls and pushes as soon as neither runs. */
  wake(): void;
  stop(): Promise<void>;
}

/** Starts both loops over an open backend. */
export function startSyncLoops(options: {
  backend: Backend;
  hub: Pick<BackendConfig, 'baseUrl' | 'subscriberId'>;
  pollIntervalMs: number;
  /** After each poll that went well. */
  polled: () => Promise<void>;
  reportError: (error: unknown, message: string) => void;
  /** Hears what a poll or a push failed by, which may be the store. */
  doubt: (error: unknown) => void;
  log: Log;
  timing?: Timing;
}): SyncLoops {
  const { backend, hub, reportError, doubt, log, timing = SYSTEM_TIMING } = options;
  const { accessRequests, alerts, client, puller, pusher, tokens } = backend;

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
        pushFailedAtMs = timing.monotonicMs();
        doubt(error);
        if (isTokenRefused(error)) pollWorks = false;
        // What the hub refuses for good is not sent again as it is: the next scan plans anew.
        else if (!isWorthRetrying(error)) waitsForScan = true;
        log[loudness(error, 'warn')]({ err: error }, 'the inventory waits');
      }
    },
    {
      firstMs: 0,
      nextMs: () =>
        pushError === null || waitsForScan
          ? PUSH_EVERY_MS
          : waitAfter(pushError, pushAttempts++, timing.random),
      failed: (error) => reportError(error, 'pushing failed'),
      timing,
    },
  );

  const isKnown = backend.state.get('full_scan_confirmed_at') !== null;
  const startWithinMs = START_WITHIN_MS[isKnown ? 'isKnown' : 'isNew'];
  let pollAfterMs = 0;
  let pollAttempts = 0;
  let pollError: unknown = null;
  /** When it began to answer again. */
  let recoveredAtMs = 0;
  const pollLoop = startLoop(
    async () => {
      try {
        await tokens.ensure(client, hub.subscriberId);
        ({ pollAfterMs } = await puller.pull().catch((error: unknown) => {
          if (isTokenRefused(error) && error.status === 401) tokens.doubtDeviceToken();
          throw error;
        }));
        if (!pollWorks) log.info({ url: hub.baseUrl }, 'the hub answers');
        pollWorks = true;
        if (pollError !== null) recoveredAtMs = timing.monotonicMs();
        pollError = null;
        pollAttempts = 0;
      } catch (error) {
        pollError = error;
        doubt(error);
        if (isTokenRefused(error)) pollWorks = false;
        log[loudness(error, 'warn')](
          { reason: messageOf(error), trace_id: traceIdOf(error) },
          'the hub does not answer as it should',
        );
        return;
      }
      alerts.wake(recoveredAtMs);
      void accessRequests.send();
      const contact = { recoveredAtMs, nowMs: timing.monotonicMs() };
      if (pushError === null || healsWithContact(pushError, pushFailedAtMs, contact)) {
        pushLoop.wake();
      }
      await options.polled();
    },
    {
      firstMs: jitter(
        Math.min(options.pollIntervalMs / 2, startWithinMs) * timing.random(),
        timing.random,
      ),
      nextMs: () => {
        const usual = Math.max(jitter(options.pollIntervalMs, timing.random), pollAfterMs);
        // A refused token is tried again with every poll; a hub in trouble is given time.
        return isWorthRetrying(pollError)
          ? Math.max(usual, waitAfter(pollError, pollAttempts++, timing.random))
          : usual;
      },
      failed: (error) => reportError(error, 'polling failed'),
      timing,
    },
  );

  return {
    planned() {
      waitsForScan = false;
      pushLoop.wake();
    },
    wake() {
      pushLoop.wake();
      pollLoop.wake();
    },
    async stop() {
      await Promise.all([pollLoop.stop(), pushLoop.stop()]);
    },
  };
}
