// Stores whose log was torn or changed, as a power cut leaves them.
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { uuid7 } from '../src/runtime/uuid7.ts';
import { openAlerts } from '../src/store/alert-store.ts';
import { openState } from '../src/store/state-store.ts';
import { openStore } from '../src/store/store-database.ts';
import { makeFolder } from './agent-process.ts';
import { makeAlert } from './waiting-alerts.ts';

const OPTIONS = { makeId: uuid7, now: Date.now };

/** So many copies, each cut or changed at a random place of the log: each opens with a beginning of what was written. */
export function damageLogs(times: number, random: () => number): { kept: number[] } {
  const folder = makeFolder();
  const { db } = openStore(folder);
  const alerts = openAlerts(db, openState(db), OPTIONS);
  const ids = Array.from({ length: 120 }, () => uuid7());
  for (const id of ids) alerts.put(makeAlert(id));
  const kept: number[] = [];
  for (let time = 0; time < times; time++) {
    const copy = makeFolder();
    const [file, log] = [join(copy, 'agent.db'), join(copy, 'agent.db-wal')];
    copyFileSync(join(folder, 'agent.db'), file);
    copyFileSync(join(folder, 'agent.db-wal'), log);
    const bytes = readFileSync(log);
    const at = Math.floor(random() * bytes.length);
    if (random() < 0.5) truncateSync(log, at);
    else {
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      writeFileSync(log, bytes);
    }
    kept.push(openDamaged(copy, ids));
  }
  db.close();
  return { kept };
}

function openDamaged(folder: string, ids: readonly string[]): number {
  const { db, setAside } = openStore(folder);
  expect(setAside).toBeNull();
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  const alerts = openAlerts(db, openState(db), OPTIONS);
  const left = alerts.oldest(1000).map((alert) => alert.alert_id);
  expect(left).toEqual(ids.slice(0, left.length));
  alerts.put(makeAlert(uuid7()));
  db.close();
  return left.length;
}

/** Changes bytes of the file itself, from its middle on. */
export function damageFile(dataDir: string): void {
  const file = join(dataDir, 'agent.db');
  const bytes = readFileSync(file);
  bytes.fill(0xa5, Math.floor(bytes.length / 2));
  writeFileSync(file, bytes);
}
