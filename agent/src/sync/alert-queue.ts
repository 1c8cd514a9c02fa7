// Delivers waiting alerts: at once, oldest first, a request at a time, deleted only when the hub confirms them. Where
// the disk is full, new alerts wait in memory, and confirmed alerts are remembered there. The bound is QUEUED_ALERTS_MAX of
// store/alert-store.ts.
import type { WireAlert } from '@gatewarden/shared/wire/sync/alerts.ts';
import { BATCH_LIMIT } from '@gatewarden/shared/wire/sync/limits.ts';
import { SYSTEM_TIMING, type Timing } from '../runtime/timing.ts';
import type { AlertStore, NewAlert } from '../store/alert-store.ts';
import {
  HubRefused,
  healsWithContact,
  isAboutHeaders,
  isTokenRefused,
  waitAfter,
} from './backoff.ts';
import { type BufferedAlertStore, openBufferedAlertStore } from './buffered-alert-store.ts';
import type { SyncClient } from './hub-client.ts';

export interface AlertQueue {
  /** Durable when it returns, where the disk takes it; on its way right after. */
  raise(alert: NewAlert): void;
  /** The hub was just reached, without a failure since `recoveredAtMs`: try now, unless it asked this queue itself to wait. */
  wake(recoveredAtMs?: number): void;
  /** A person wants it sent now. */
  flush(): void;
  /** So many wait in memory, for the disk did not take them. */
  unwritten(): number;
  stop(): Promise<void>;
}

interface AlertQueueOptions {
  store: AlertStore;
  client: SyncClient;
  log: (fields: object, message: string) => void;
  /** Called when the store cannot be used. */
  storeFailed: (error: unknown) => void;
  timing?: Timing | undefined;
}

/**
 * Starts the queue. Its states are idle (nothing waits), sending (a request is under way) and paused (after a failure, until
 * its backoff has passed or `wake` or `flush` is called).
 */
export function startAlertQueue(options: AlertQueueOptions): AlertQueue {
  const { timing = SYSTEM_TIMING } = options;
  const buffer: BufferedAlertStore = openBufferedAlertStore(options.store, options.storeFailed);
  const deliverBatch = createDelivery(options, buffer);
  let cancelBackoff: (() => void) | null = null;
  let sending: Promise<void> | null = null;
  let paused: { error: unknown; atMs: number } | null = null;
  let failures = 0;
  let stopped = false;

  const pause = (error: unknown) => {
    if (stopped) return;
    paused = { error, atMs: timing.monotonicMs() };
    // Time does not make a refused token valid: the next successful poll wakes the queue.
    if (isTokenRefused(error)) return;
    cancelBackoff = timing.after(waitAfter(error, failures++, timing.random), flush);
  };

  const deliver = async () => {
    while (!stopped) {
      const result = await deliverBatch();
      if (result === 'empty') return;
      if (result === 'delivered') failures = 0;
      else if (result !== 'retry') {
        if (result.isAnswered) failures = 0;
        return pause(result.error);
      }
    }
  };

  const start = () => {
    if (stopped || sending !== null || paused !== null) return;
    sending = deliver().finally(() => {
      sending = null;
      // An alert may be raised between the last read of the store and now.
      if (paused === null && !stopped && buffer.oldest(1).length > 0) start();
    });
  };

  const flush = () => {
    cancelBackoff?.();
    cancelBackoff = null;
    paused = null;
    start();
  };

  start();
  return {
    raise(alert) {
      buffer.put(alert);
      start();
    },
    wake(recoveredAtMs = 0) {
      buffer.write();
      const contact = { recoveredAtMs, nowMs: timing.monotonicMs() };
      if (paused === null || healsWithContact(paused.error, paused.atMs, contact)) flush();
    },
    flush,
    unwritten: buffer.unwritten,
    async stop() {
      stopped = true;
      cancelBackoff?.();
      await sending;
      buffer.write();
    },
  };
}

/** `isAnswered`: the hub accepted the request, and none of its alerts. */
type DeliveryResult = 'empty' | 'delivered' | 'retry' | { error: unknown; isAnswered: boolean };

/** Returns a function that sends a batch; a batch that the hub refuses is halved until a single alert is refused. */
function createDelivery(
  { client, log }: AlertQueueOptions,
  buffer: BufferedAlertStore,
): () => Promise<DeliveryResult> {
  let batchLimit = BATCH_LIMIT;

  /** Returns whether delivery goes on: a refused alert must not delay the others. */
  const shrinkOrRefuse = (alerts: readonly WireAlert[], error: HubRefused): boolean => {
    const [only] = alerts;
    if (alerts.length > 1) batchLimit = Math.ceil(alerts.length / 2);
    // No single alert is too large: something on the way refuses all of them, and not for ever.
    else if (error.status === 413) return false;
    else if (only !== undefined) {
      buffer.refuse(only.alert_id, error.message);
      batchLimit = BATCH_LIMIT;
      log({ alert_id: only.alert_id, reason: error.message }, 'the hub refuses an alert');
    }
    return true;
  };

  return async () => {
    const alerts = buffer.oldest(batchLimit);
    if (alerts.length === 0) return 'empty';
    const ids = alerts.map((alert) => alert.alert_id);
    let isAnswered = false;
    try {
      const { accepted } = await client.post('alerts', { device: client.device, alerts });
      isAnswered = true;
      batchLimit = BATCH_LIMIT;
      const removed = accepted.map((id) => id.toLowerCase()).filter((id) => ids.includes(id));
      buffer.remove(removed);
      if (removed.length === 0) throw new Error('the hub accepted none of the alerts');
      return 'delivered';
    } catch (error) {
      buffer.markTried(ids);
      if (isRefusedBody(error) && shrinkOrRefuse(alerts, error)) return 'retry';
      log({ err: error, waiting: buffer.count() }, 'alerts wait');
      return { error, isAnswered };
    }
  };
}

function isRefusedBody(error: unknown): error is HubRefused {
  if (!(error instanceof HubRefused)) return false;
  return error.status === 413 || (error.status === 400 && !isAboutHeaders(error));
}
