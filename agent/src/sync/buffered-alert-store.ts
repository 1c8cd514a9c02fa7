// Buffered store of alerts, as the queue uses it: it never fails. A full disk costs durability, and nothing else.
import type { WireAlert } from '@gatewarden/shared/wire/sync/alerts.ts';
import { SEVERITIES } from '@gatewarden/shared/wire/vocabulary.ts';
import { type AlertStore, type NewAlert, QUEUED_ALERTS_MAX } from '../store/alert-store.ts';

export interface BufferedAlertStore {
  put(alert: NewAlert): void;
  /** The oldest that are to be sent: first those in the store. */
  oldest(limit: number): WireAlert[];
  remove(ids: readonly string[]): void;
  markTried(ids: readonly string[]): void;
  refuse(id: string, reason: string): void;
  /** Tries to write what waits in memory. */
  write(): void;
  count(): number;
  unwritten(): number;
}

/** The place of the oldest of the least severe. */
function evictionCandidate(alerts: readonly WireAlert[]): number {
  const rank = (alert: WireAlert | undefined) => SEVERITIES.indexOf(alert?.severity ?? 'low');
  return alerts.reduce((best, alert, i) => (rank(alert) > rank(alerts[best]) ? i : best), 0);
}

/** `failed` hears of each time that the store could not be used. */
export function openBufferedAlertStore(
  store: AlertStore,
  failed: (error: unknown) => void,
): BufferedAlertStore {
  /** Alerts that the store did not take, in order. */
  let memory: WireAlert[] = [];
  /** Delivered alerts that the store could not delete: this process does not send them again. */
  const done = new Set<string>();
  const tryTo = (work: () => void): boolean => {
    try {
      work();
      return true;
    } catch (error) {
      failed(error);
      return false;
    }
  };
  const write = () => {
    if (done.size > 0 && tryTo(() => store.remove([...done]))) done.clear();
    while (memory.length > 0) {
      const [{ queued, ...alert }] = memory as [WireAlert];
      if (!tryTo(() => store.put(alert))) return;
      if (queued) tryTo(() => store.markTried([alert.alert_id]));
      memory.shift();
    }
  };
  return {
    put(alert) {
      // In order: behind those that wait for the disk.
      if (memory.length > 0) write();
      if (memory.length === 0 && tryTo(() => store.put(alert))) return;
      memory.push({ ...alert, queued: false });
      if (memory.length <= QUEUED_ALERTS_MAX) return;
      memory.splice(evictionCandidate(memory), 1);
      tryTo(() => store.lost());
    },
    oldest(limit) {
      let stored: WireAlert[] = [];
      tryTo(() => {
        stored = store.oldest(limit + done.size).filter((alert) => !done.has(alert.alert_id));
      });
      return [...stored, ...memory].slice(0, limit);
    },
    remove(ids) {
      memory = memory.filter((alert) => !ids.includes(alert.alert_id));
      if (!tryTo(() => store.remove([...done, ...ids]))) for (const id of ids) done.add(id);
      else done.clear();
    },
    markTried(ids) {
      for (const alert of memory) if (ids.includes(alert.alert_id)) alert.queued = true;
      tryTo(() => store.markTried(ids));
    },
    refuse(id, reason) {
      memory = memory.filter((alert) => alert.alert_id !== id);
      if (!tryTo(() => store.refuse(id, reason))) done.add(id);
    },
    write,
    count() {
      let stored = 0;
      tryTo(() => {
        stored = store.count();
      });
      return stored - done.size + memory.length;
    },
    unwritten: () => memory.length,
  };
}
