// Delivers the alerts that wait in SQLite: at once, oldest first, one request at a time, deleted only when the hub names
// them. Where the disk takes nothing, what is new waits in memory and what is done is remembered there.
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

/** The queue's states: idle (nothing waits), sending, paused (after a failure, until its time has come or `wake`). */
export function startAlertQueue(options: {
  store: AlertStore;
  client: SyncClient;
  log: (fields: object, message: string) => void;
  /** The store could not be used. */
  storeFailed: (error: unknown) => void;
  timing?: Timing | undefined;
}): AlertQueue {
  const { client, log, timing = SYSTEM_TIMING } = options;
  const shelf: BufferedAlertStore = openBufferedAlertStore(options.store, options.storeFailed);
  let cancel: (() => void) | null = null;
  let sending: Promise<void> | null = null;
  let paused = false;
  let pausedBy: unknown = null;
  let pausedAtMs = 0;
  let failures = 0;
  let stopped = false;
  let batchLimit = BATCH_LIMIT;

  const waitFor = (error: unknown) => {
    if (stopped) return;
    paused = true;
    pausedBy = error;
    pausedAtMs = timing.monotonicMs();
    // A refused token may be good again with the next poll, which wakes us; time alone does not heal it.
    if (isTokenRefused(error)) return;
    cancel = timing.after(waitAfter(error, failures++, timing.random), flush);
  };

  const deliver = async () => {
    while (!stopped) {
      const alerts = shelf.oldest(batchLimit);
      if (alerts.length === 0) return;
      const ids = alerts.map((alert) => alert.alert_id);
      try {
        const { accepted } = await client.post('alerts', {
          device: client.device,
          alerts,
        });
        failures = 0;
        batchLimit = BATCH_LIMIT;
        const named = accepted.map((id) => id.toLowerCase()).filter((id) => ids.includes(id));
        shelf.remove(named);
        if (named.length === 0) throw new Error('the hub accepted none of the alerts');
      } catch (error) {
        shelf.markTried(ids);
        if (isRefusedBody(error) && shrinkOrRefuse(alerts, error)) continue;
        log({ err: error, waiting: shelf.count() }, 'alerts wait');
        waitFor(error);
        return;
      }
    }
  };

  /** One alert that the hub will never take must not hold up the others. */
  const shrinkOrRefuse = (alerts: readonly WireAlert[], error: HubRefused): boolean => {
    const [only] = alerts;
    if (alerts.length > 1) batchLimit = Math.ceil(alerts.length / 2);
    else if (error.status === 413) {
      // No single alert is that large: whatever says so says it of all, and not for ever.
      return false;
    } else if (only !== undefined) {
      shelf.refuse(only.alert_id, error.message);
      batchLimit = BATCH_LIMIT;
      log({ alert_id: only.alert_id, reason: error.message }, 'the hub refuses an alert');
    }
    return true;
  };

  const kick = () => {
    if (stopped || sending !== null || paused) return;
    sending = deliver().finally(() => {
      sending = null;
      // Raised between the last look and now.
      if (!paused && !stopped && shelf.oldest(1).length > 0) kick();
    });
  };

  const flush = () => {
    cancel?.();
    cancel = null;
    paused = false;
    kick();
  };

  kick();
  return {
    raise(alert) {
      shelf.put(alert);
      kick();
    },
    wake(recoveredAtMs = 0) {
      shelf.write();
      const contact = { recoveredAtMs, nowMs: timing.monotonicMs() };
      if (!paused || healsWithContact(pausedBy, pausedAtMs, contact)) flush();
    },
    flush,
    unwritten: shelf.unwritten,
    async stop() {
      stopped = true;
      cancel?.();
      await sending;
      shelf.write();
    },
  };
}

function isRefusedBody(error: unknown): error is HubRefused {
  if (!(error instanceof HubRefused)) return false;
  return error.status === 413 || (error.status === 400 && !isAboutHeaders(error));
}
