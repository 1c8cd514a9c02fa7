// Synchronizes device and hub in two loops: the poll for governance, and the push of the inventory, which starts after the
// first successful poll.
import type { BackendConfig } from '../config/agent-config.ts';
import { messageOf } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import { jitter, type Loop, startLoop } from '../runtime/task-loop.ts';
import { SYSTEM_TIMING, type Timing } from '../runtime/timing.ts';
import type { Backend } from './backend.ts';
import {
  healsWithContact,
  isTokenRefused,
  isWorthRetrying,
  logLevelFor,
  traceIdOf,
  waitAfter,
} from './backoff.ts';

const PUSH_EVERY_MS = 60_000;
/** Bounds of the first poll: a new device is awaited, a known one has its policies and may boot with a whole fleet. */
const START_WITHIN_MS = { isNew: 10_000, isKnown: 30_000 };

export interface SyncLoops {
  /** Called when a scan has planned new batches. */
  planned(): void;
  /** Polls and pushes as soon as neither runs. */
  wake(): void;
  stop(): Promise<void>;
}

interface SyncLoopOptions {
  backend: Backend;
  hub: Pick<BackendConfig, 'baseUrl' | 'subscriberId'>;
  pollIntervalMs: number;
  /** Called after each successful poll. */
  polled: () => Promise<void>;
  reportError: (error: unknown, message: string) => void;
  /** Receives the error of a failed poll or push, which may come from the store. */
  doubt: (error: unknown) => void;
  log: Log;
  timing?: Timing;
}

/** State of the contact with the hub, shared by both loops. */
interface ContactState {
  /** True since a poll succeeded and while the token is accepted: only then is anything pushed. */
  pollWorks: boolean;
  /** Monotonic time at which the hub answered again. */
  recoveredAtMs: number;
}

/** Starts both loops over an open backend. */
export function startSyncLoops(options: SyncLoopOptions): SyncLoops {
  const contact: ContactState = { pollWorks: false, recoveredAtMs: 0 };
  const push = startPushLoop(options, contact);
  const poll = startPollLoop(options, contact, push);
  return {
    planned: push.planned,
    wake() {
      push.loop.wake();
      poll.wake();
    },
    async stop() {
      await Promise.all([poll.stop(), push.loop.stop()]);
    },
  };
}

interface PushLoop {
  loop: Loop;
  /** A scan has planned new batches. */
  planned(): void;
  /** Pushes now, unless the hub asked this loop to wait. */
  wakeAfterContact(): void;
}

function startPushLoop(options: SyncLoopOptions, contact: ContactState): PushLoop {
  const { doubt, log, timing = SYSTEM_TIMING } = options;
  const { pusher } = options.backend;
  let attempts = 0;
  let failure: { error: unknown; atMs: number } | null = null;
  let waitsForScan = false;
  const loop = startLoop(
    async () => {
      if (!contact.pollWorks || waitsForScan || !pusher.waiting()) return;
      try {
        await pusher.drain();
        attempts = 0;
        failure = null;
      } catch (error) {
        failure = { error, atMs: timing.monotonicMs() };
        doubt(error);
        if (isTokenRefused(error)) contact.pollWorks = false;
        // A refused batch is not sent again as it is: the next scan plans anew.
        else if (!isWorthRetrying(error)) waitsForScan = true;
        log[logLevelFor(error, 'warn')]({ err: error }, 'the inventory waits');
      }
    },
    {
      firstMs: 0,
      nextMs: () =>
        failure === null || waitsForScan
          ? PUSH_EVERY_MS
          : waitAfter(failure.error, attempts++, timing.random),
      failed: (error) => options.reportError(error, 'pushing failed'),
      timing,
    },
  );
  return {
    loop,
    planned() {
      waitsForScan = false;
      loop.wake();
    },
    wakeAfterContact() {
      const { recoveredAtMs } = contact;
      const recovery = { recoveredAtMs, nowMs: timing.monotonicMs() };
      if (failure === null || healsWithContact(failure.error, failure.atMs, recovery)) loop.wake();
    },
  };
}

function startPollLoop(options: SyncLoopOptions, contact: ContactState, push: PushLoop): Loop {
  const { backend, hub, doubt, log, pollIntervalMs, timing = SYSTEM_TIMING } = options;
  const { accessRequests, alerts, client, puller, tokens } = backend;
  let pollAfterMs = 0;
  let attempts = 0;
  let failure: unknown = null;

  const poll = async () => {
    await tokens.ensure(client, hub.subscriberId);
    ({ pollAfterMs } = await puller.pull().catch((error: unknown) => {
      if (isTokenRefused(error) && error.status === 401) tokens.doubtDeviceToken();
      throw error;
    }));
    if (!contact.pollWorks) log.info({ url: hub.baseUrl }, 'the hub answers');
    contact.pollWorks = true;
    if (failure !== null) contact.recoveredAtMs = timing.monotonicMs();
    failure = null;
    attempts = 0;
  };

  return startLoop(
    async () => {
      try {
        await poll();
      } catch (error) {
        failure = error;
        doubt(error);
        if (isTokenRefused(error)) contact.pollWorks = false;
        log[logLevelFor(error, 'warn')](
          { reason: messageOf(error), trace_id: traceIdOf(error) },
          'the hub does not answer as it should',
        );
        return;
      }
      alerts.wake(contact.recoveredAtMs);
      void accessRequests.send();
      push.wakeAfterContact();
      await options.polled();
    },
    {
      firstMs: firstPollMs(options, timing),
      nextMs: () => {
        const usual = Math.max(jitter(pollIntervalMs, timing.random), pollAfterMs);
        // A refused token is tried with every poll; an overloaded hub gets its backoff.
        return isWorthRetrying(failure)
          ? Math.max(usual, waitAfter(failure, attempts++, timing.random))
          : usual;
      },
      failed: (error) => options.reportError(error, 'polling failed'),
      timing,
    },
  );
}

/** Spreads the first polls of a fleet; a new device polls sooner, because somebody waits to see it. */
function firstPollMs({ backend, pollIntervalMs }: SyncLoopOptions, timing: Timing): number {
  const isKnown = backend.state.get('full_scan_confirmed_at') !== null;
  const withinMs = START_WITHIN_MS[isKnown ? 'isKnown' : 'isNew'];
  return jitter(Math.min(pollIntervalMs / 2, withinMs) * timing.random(), timing.random);
}
