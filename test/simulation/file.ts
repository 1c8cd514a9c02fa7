// Reads the agent's file past the agent, which may end at any of its own statements.
import type { AgentState } from '@gatewarden/agent/src/store/state-keys.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { query } from './disk.ts';

export interface QueueRow {
  alert_id: string;
  severity: number;
  code: string | null;
}

export function remembered<K extends keyof AgentState>(key: K): AgentState[K] | null {
  const row = query<{ value: string }>('SELECT value FROM state WHERE key = ?').get(key);
  return row === undefined ? null : (JSON.parse(row.value) as AgentState[K]);
}

/** The alerts that wait, oldest first. */
export const queueOf = (): QueueRow[] =>
  query<QueueRow>('SELECT alert_id, severity, code FROM alerts ORDER BY position').all();

/** Pages that were received and are not applied. */
export const waitingPages = (): number =>
  query<{ n: number }>("SELECT count(*) AS n FROM override_inbox WHERE purpose <> 'staged'").get()
    ?.n ?? 0;

/** Returns the pending changes of the stored set; empty if pending rows are to replace the set. */
export function waitingChanges(): WireOverride[] {
  const rows = query<{ purpose: string; body: string }>(
    "SELECT purpose, body FROM override_inbox WHERE purpose <> 'staged' ORDER BY position",
  ).all();
  if (rows.some((row) => row.purpose === 'replace')) return [];
  return rows.map((row) => JSON.parse(row.body) as WireOverride);
}

/** True while the last page of a pull is still to come. */
export const isUnfinished = (): boolean => remembered('pull_unfinished') === true;

/** Returns the entities that the agent regards as stored by the hub. */
export const confirmed = (): string[] =>
  query<{ name: string }>(
    "SELECT entity_id || ':' || lower(hex(hash)) AS name FROM confirmed_entities ORDER BY 1",
  )
    .all()
    .map((row) => row.name);

/** Alerts and batches of the inventory that are still to be sent. */
export const waitingRows = (): number =>
  query<{ n: number }>(
    'SELECT (SELECT count(*) FROM alerts) + (SELECT count(*) FROM outgoing_batches) AS n',
  ).get()?.n ?? 0;

/** The overrides that count, as they came. */
export const readOverrideBodies = (): string[] =>
  query<{ body: string }>('SELECT body FROM overrides ORDER BY override_id')
    .all()
    .map((row) => row.body);
