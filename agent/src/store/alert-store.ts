// The alerts that wait: durable before anything else happens, oldest first, bounded, its losses counted.
import type { WireAlert } from '@gatewarden/shared/wire/sync/alerts.ts';
import { SEVERITIES } from '@gatewarden/shared/wire/vocabulary.ts';
import type { State } from './state-store.ts';
import { type Db, isDiskFull } from './store-database.ts';

export type NewAlert = Omit<WireAlert, 'queued'>;

export interface WaitingAlert {
  alert: WireAlert;
  /** Reason why the hub refuses the alert; a refused alert waits for the next start. */
  refused: string | null;
}

export interface AlertStore {
  /** Writes it durably, once: from here on it cannot be lost. What waits already is left as it is. */
  put(alert: NewAlert): void;
  /** The oldest that still can be delivered. */
  oldest(limit: number): WireAlert[];
  /** The hub named these: they are done. */
  remove(alertIds: readonly string[]): void;
  /** Marks alerts after a failed attempt: from now on they are sent as `queued`. */
  markTried(alertIds: readonly string[]): void;
  refuse(alertId: string, reason: string): void;
  list(limit: number): WaitingAlert[];
  count(): number;
  /** Counts an alert that was lost before it reached this store. */
  lost(): void;
}

/** The bound of the alert queue, on disk and in the memory buffer. Beyond it the least important alert is evicted. */
export const QUEUED_ALERTS_MAX = 10_000;

interface AlertStoreOptions {
  limit?: number;
  makeId: () => string;
  now: () => number;
}

/** Opens the store. An alert from before the start counts as tried, because its first attempt did not succeed. */
export function openAlerts(db: Db, state: State, options: AlertStoreOptions): AlertStore {
  resetAttempts(db);
  const { write, count, isFull, drop, lost } = openAlertRows(db, state, options);
  const losses = openLossReport(db, state, { ...options, write, isFull, drop });
  return {
    put: (alert) =>
      db
        .transaction(() => {
          write(alert);
          if (isFull(0)) losses.withdraw();
          while (isFull(0)) drop();
          losses.report();
        })
        .immediate(),
    oldest: (most) =>
      db
        .prepare<[number], { body: string; attempts: number }>(
          'SELECT body, attempts FROM alerts WHERE refused IS NULL ORDER BY position LIMIT ?',
        )
        .all(most)
        .map((row) => ({ ...(JSON.parse(row.body) as NewAlert), queued: row.attempts > 0 })),
    remove(ids) {
      forEach(db, 'DELETE FROM alerts WHERE alert_id = ?', ids);
      if (!losses.isDue()) return;
      try {
        db.transaction(losses.report).immediate();
      } catch (error) {
        // The removal is durable; the report waits for room on the disk.
        if (!isDiskFull(error)) throw error;
      }
    },
    markTried: (ids) =>
      forEach(db, 'UPDATE alerts SET attempts = attempts + 1 WHERE alert_id = ?', ids),
    refuse(alertId, reason) {
      db.prepare('UPDATE alerts SET refused = ? WHERE alert_id = ?').run(reason, alertId);
    },
    list: (most) => listAlerts(db, most),
    count,
    lost,
  };
}

/** Marks all alerts as tried, and offers refused ones again: a newer hub may accept them. */
function resetAttempts(db: Db): void {
  try {
    db.exec('UPDATE alerts SET attempts = 1 WHERE attempts = 0');
    db.exec('UPDATE alerts SET refused = NULL WHERE refused IS NOT NULL');
  } catch (error) {
    // On a full disk the agent starts with alerts that count as never tried.
    if (!isDiskFull(error)) throw error;
  }
}

function openAlertRows(db: Db, state: State, { limit = QUEUED_ALERTS_MAX }: AlertStoreOptions) {
  const insert = db.prepare(
    'INSERT INTO alerts (alert_id, severity, code, body) VALUES (?, ?, ?, ?) ON CONFLICT (alert_id) DO NOTHING',
  );
  const counted = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM alerts');
  // The least severe alert has the greatest rank, the index in `SEVERITIES`.
  const deleteCandidate = db.prepare(
    'DELETE FROM alerts WHERE position = (SELECT position FROM alerts ORDER BY severity DESC, position LIMIT 1)',
  );
  const count = () => counted.get()?.n ?? 0;
  const lost = () => state.set('alerts_dropped', (state.get('alerts_dropped') ?? 0) + 1);
  return {
    write(alert: NewAlert) {
      const rank = SEVERITIES.indexOf(alert.severity);
      insert.run(alert.alert_id, rank, alert.code ?? null, JSON.stringify(alert));
    },
    count,
    /** True where fewer than `room` alerts more would fit. */
    isFull: (room: number) => count() > limit - room,
    drop() {
      deleteCandidate.run();
      lost();
    },
    lost,
  };
}

/**
 * Reports dropped alerts by an alert of its own, which replaces a less severe alert, or waits until there is room.
 */
function openLossReport(
  db: Db,
  state: State,
  rows: AlertStoreOptions & Pick<ReturnType<typeof openAlertRows>, 'write' | 'isFull' | 'drop'>,
) {
  const lessSevere = db.prepare<[], { n: number }>(
    'SELECT count(*) AS n FROM (SELECT 1 FROM alerts WHERE severity > 0 LIMIT 1)',
  );
  const deleteReports = db.prepare("DELETE FROM alerts WHERE code = 'alerts_dropped'");
  // A store from before losses were counted has reported them.
  if (state.get('alerts_dropped_reported') === null) {
    state.set('alerts_dropped_reported', state.get('alerts_dropped') ?? 0);
  }
  const isDue = () =>
    (state.get('alerts_dropped') ?? 0) > (state.get('alerts_dropped_reported') ?? 0);
  const withdraw = () => {
    if (deleteReports.run().changes > 0) state.set('alerts_dropped_reported', 0);
  };
  const report = () => {
    if (!isDue()) return;
    withdraw();
    if (rows.isFull(1)) {
      if (lessSevere.get()?.n === 0) return;
      rows.drop();
    }
    const dropped = state.get('alerts_dropped') ?? 0;
    rows.write({
      alert_id: rows.makeId(),
      occurred_at: new Date(rows.now()).toISOString(),
      severity: 'critical',
      action: 'agent',
      code: 'alerts_dropped',
      application_name: null,
      process: null,
      override_id: null,
      outcome: null,
      message: `The queue of alerts was full: ${dropped} of the least severe and oldest were dropped so far`,
    });
    state.set('alerts_dropped_reported', dropped);
  };
  return { isDue, withdraw, report };
}

/** Returns the waiting alerts, oldest first; also for a reader beside the service. */
export function listAlerts(db: Db, most: number): WaitingAlert[] {
  return db
    .prepare<[number], { body: string; attempts: number; refused: string | null }>(
      'SELECT body, attempts, refused FROM alerts ORDER BY position LIMIT ?',
    )
    .all(most)
    .map((row) => ({
      alert: { ...(JSON.parse(row.body) as NewAlert), queued: row.attempts > 0 },
      refused: row.refused,
    }));
}

function forEach(db: Db, sql: string, ids: readonly string[]): void {
  const statement = db.prepare(sql);
  db.transaction(() => {
    for (const id of ids) statement.run(id);
  })();
}
