// The alerts that wait: durable before anything else happens, oldest first, bounded, its losses counted.
import type { WireAlert } from '@gatewarden/shared/wire/sync/alerts.ts';
import { SEVERITIES } from '@gatewarden/shared/wire/vocabulary.ts';
import type { State } from './state-store.ts';
import { type Db, isDiskFull } from './store-database.ts';

export type NewAlert = Omit<WireAlert, 'queued'>;

export interface WaitingAlert {
  alert: WireAlert;
  /** Why the hub does not take it; such a one waits for the next start, not for the network. */
  refused: string | null;
}

export interface AlertStore {
  /** Writes it durably, once: from here on it cannot be lost. What waits already is left as it is. */
  put(alert: NewAlert): void;
  /** The oldest that still can be delivered. */
  oldest(limit: number): WireAlert[];
  /** The hub named these: they are done. */
  remove(alertIds: readonly string[]): void;
  /** An attempt failed: from now on these say `queued`. */
  markTried(alertIds: readonly string[]): void;
  refuse(alertId: string, reason: string): void;
  list(limit: number): WaitingAlert[];
  count(): number;
  /** One was lost that this store never had. */
  lost(): void;
}

export const ALERT_LIMIT = 10_000;

/** Opens the queue. What is found in it at start has outlived a process: its first attempt did not succeed. */
export function openAlerts(
  db: Db,
  state: State,
  options: { limit?: number; makeId: () => string; now: () => number },
): AlertStore {
  const limit = options.limit ?? ALERT_LIMIT;
  const insert = db.prepare(
    'INSERT INTO alerts (alert_id, severity, code, body) VALUES (?, ?, ?, ?) ON CONFLICT (alert_id) DO NOTHING',
  );
  const lessSevere = db.prepare<[], { n: number }>(
    'SELECT count(*) AS n FROM (SELECT 1 FROM alerts WHERE severity > 0 LIMIT 1)',
  );
  const counted = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM alerts');
  // Worst first in the list of severities, so the greatest rank goes first.
  const leastWorthy = db.prepare(
    'DELETE FROM alerts WHERE position = (SELECT position FROM alerts ORDER BY severity DESC, position LIMIT 1)',
  );
  const words = db.prepare("DELETE FROM alerts WHERE code = 'alerts_dropped'");
  try {
    db.exec('UPDATE alerts SET attempts = 1 WHERE attempts = 0');
    // A hub of today may take what one of then did not: once for each start it is asked again.
    db.exec('UPDATE alerts SET refused = NULL WHERE refused IS NOT NULL');
  } catch (error) {
    // They then say that they were not tried before: no reason not to start.
    if (!isDiskFull(error)) throw error;
  }
  // A store of the time before this was counted: what it lost was told.
  if (state.get('alerts_dropped_reported') === null) {
    state.set('alerts_dropped_reported', state.get('alerts_dropped') ?? 0);
  }
  const write = (alert: NewAlert) => {
    const rank = SEVERITIES.indexOf(alert.severity);
    insert.run(alert.alert_id, rank, alert.code ?? null, JSON.stringify(alert));
  };
  const lost = () => state.set('alerts_dropped', (state.get('alerts_dropped') ?? 0) + 1);
  const drop = () => {
    leastWorthy.run();
    lost();
  };
  const takeBackWord = () => {
    if (words.run().changes > 0) state.set('alerts_dropped_reported', 0);
  };
  const isFull = (room: number) => (counted.get()?.n ?? 0) > limit - room;
  const isReportDue = () =>
    (state.get('alerts_dropped') ?? 0) > (state.get('alerts_dropped_reported') ?? 0);
  /** The word of the loss takes the place of something less severe, or waits until there is one. */
  const reportLoss = () => {
    if (!isReportDue()) return;
    takeBackWord();
    if (isFull(1)) {
      if (lessSevere.get()?.n === 0) return;
      drop();
    }
    const dropped = state.get('alerts_dropped') ?? 0;
    write({
      alert_id: options.makeId(),
      occurred_at: new Date(options.now()).toISOString(),
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
  return {
    put: (alert) =>
      db
        .transaction(() => {
          write(alert);
          if (isFull(0)) takeBackWord();
          while (isFull(0)) drop();
          reportLoss();
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
      if (!isReportDue()) return;
      try {
        db.transaction(reportLoss).immediate();
      } catch (error) {
        // What is done is done; the word of the loss waits for room.
        if (!isDiskFull(error)) throw error;
      }
    },
    markTried: (ids) =>
      forEach(db, 'UPDATE alerts SET attempts = attempts + 1 WHERE alert_id = ?', ids),
    refuse(alertId, reason) {
      db.prepare('UPDATE alerts SET refused = ? WHERE alert_id = ?').run(reason, alertId);
    },
    list: (most) => listAlerts(db, most),
    count: () => counted.get()?.n ?? 0,
    lost,
  };
}

/** What waits, oldest first; also for a reader beside the service. */
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
