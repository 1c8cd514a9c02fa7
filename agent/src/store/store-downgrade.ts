// Downgrade of the store: an older agent cannot use the store of a newer agent. It starts with the copy from before
// that agent, where there is one, and takes over waiting alerts and essential state as far as they can be read.
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { messageOf } from '../runtime/errors.ts';
import { createRecoveryCopy, ENDINGS } from './database-backup.ts';
import type { AgentState } from './state-keys.ts';

type Db = Database.Database;

export interface Downgrade {
  /** Path to which the newer store was moved. */
  setAside: string;
  /** Alerts that were taken over from it; null: they could not be read there. */
  alerts: number | null;
}

const isNumber = (value: unknown) => Number.isFinite(value);

/** State that is always taken over, where its type is known to this agent. */
const CARRIED: { [K in keyof AgentState]?: (value: unknown) => boolean } = {
  belongs_to: (value) => typeof value === 'string',
  enforcement_ceiling: (value) => ['enforce', 'monitor', 'off'].includes(value as string),
  scan_seq: isNumber,
  access_requests: Array.isArray,
  alerts_dropped: isNumber,
  alerts_dropped_reported: isNumber,
  breaker_opened_at: isNumber,
  kill_switch_reported: (value) => typeof value === 'boolean',
  updates_reported: Array.isArray,
};

/**
 * Replaces the newer store by a store of this agent. The successor is completed beside it first: after a crash
 * `finishDowngrade` continues. `before`: the copy from before the newer agent; `open` opens or creates a store.
 */
export function downgradeStore(
  file: string,
  before: string | null,
  open: (file: string) => Db,
  now: () => number,
): Downgrade {
  const next = `${file}.back`;
  for (const ending of ['', ...ENDINGS]) rmSync(next + ending, { force: true });
  const making = `${next}-making`;
  for (const ending of ['', ...ENDINGS]) rmSync(making + ending, { force: true });
  if (before !== null && existsSync(before)) copyFileSync(before, making);
  const db = open(making);
  let alerts: number | null;
  try {
    alerts = carryOver(file, db);
  } finally {
    db.close();
  }
  renameSync(making, next);
  const setAside = `${file}.newer-${now()}`;
  createRecoveryCopy(file, setAside);
  renameSync(next, file);
  return { setAside, alerts };
}

/** A start that found the newer store aside (or none any more) and its successor not yet in its place. */
export function finishDowngrade(file: string): void {
  if (existsSync(file) || !existsSync(`${file}.back`)) return;
  // A log without its database belongs to a removed file, and would be replayed into this file.
  for (const ending of ENDINGS) rmSync(file + ending, { force: true });
  renameSync(`${file}.back`, file);
}

/** Waiting alerts of the newer store replace those of the copy: the others were delivered since. */
function carryOver(from: string, db: Db): number | null {
  db.prepare('ATTACH DATABASE ? AS newer').run(from);
  try {
    carryState(db);
    return carryAlerts(db);
  } finally {
    db.exec('DETACH DATABASE newer');
  }
}

function carryState(db: Db): void {
  const write = db.prepare(
    'INSERT INTO main.state (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const copy = db.transaction(() => {
    const rows = db
      .prepare<[], { key: string; value: string }>('SELECT key, value FROM newer.state')
      .all();
    // A copy counts scans from before: what the hub has heard since is higher.
    db.exec("DELETE FROM main.state WHERE key = 'scan_seq'");
    for (const { key, value } of rows) {
      if (CARRIED[key as keyof AgentState]?.(parsed(value)) === true) write.run(key, value);
    }
  });
  try {
    copy();
  } catch (error) {
    if (!isOfAnotherForm(error)) throw error;
    db.exec("DELETE FROM main.state WHERE key = 'scan_seq'");
  }
}

function carryAlerts(db: Db): number | null {
  const copy = db.transaction(() => {
    db.exec('DELETE FROM main.alerts');
    return db
      .prepare(
        `INSERT INTO main.alerts (alert_id, severity, code, body, attempts, refused)
         SELECT alert_id, severity, code, body, attempts, refused FROM newer.alerts
         WHERE json_extract(body, '$.alert_id') = alert_id ORDER BY position`,
      )
      .run().changes;
  });
  try {
    return copy();
  } catch (error) {
    if (!isOfAnotherForm(error)) throw error;
    return null;
  }
}

/** Not there, called otherwise, or of other types: what cannot be read stays in the file that is set aside. */
function isOfAnotherForm(error: unknown): boolean {
  return /no such (table|column)|malformed JSON|constraint failed|cannot store/.test(
    messageOf(error),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
