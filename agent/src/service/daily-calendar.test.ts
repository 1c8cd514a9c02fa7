// The daily job has a minute of the day per device, reports everything, and deletes old recovery copies.
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cron } from 'croner';
import { expect, test } from 'vitest';
import { makeFolder, until } from '../../test/agent-process.ts';
import { createLog } from '../runtime/log.ts';
import { uuid7 } from '../runtime/uuid7.ts';
import { ownMinute, removeOld, startCalendar } from './daily-calendar.ts';

test('assigns each device a minute of the day, and spreads a fleet over all minutes', () => {
  const id = uuid7();
  expect(ownMinute(id)).toBe(ownMinute(id));
  const minutes = Array.from({ length: 20_000 }, () => ownMinute(uuid7()));
  const counts = Map.groupBy(minutes, (minute) => minute);
  expect(counts.size).toBe(1440);
  expect(Math.max(...[...counts.values()].map((same) => same.length))).toBeLessThan(60);
  const next = new Cron(ownMinute(id), { paused: true }).nextRuns(2).map(Number);
  expect((next[1] ?? 0) - (next[0] ?? 0)).toBeLessThanOrEqual(25 * 3_600_000);
});

test('runs at its time, reports everything, and deletes old recovery copies', async () => {
  const dataDir = makeFolder();
  const old = [
    'agent.db.corrupt-1',
    'agent.db.corrupt-1-wal',
    'quarantine.db.corrupt-2',
    'agent.db.newer-4',
  ];
  for (const name of [...old, 'agent.db', 'agent.db.corrupt-x', 'agent.db.corrupt-3']) {
    writeFileSync(join(dataDir, name), '');
    if (name !== 'agent.db.corrupt-3') utimesSync(join(dataDir, name), 1000, 1000);
  }
  let reportCount = 0;
  const calendar = startCalendar({
    pattern: '* * * * * *',
    deviceId: uuid7(),
    dataDir,
    requestFullReport: () => reportCount++,
    log: createLog('silent'),
  });
  await until(() => reportCount > 1);
  calendar.stop();
  expect(readdirSync(dataDir).sort()).toEqual([
    'agent.db',
    'agent.db.corrupt-3',
    'agent.db.corrupt-x',
  ]);
  expect(() => removeOld(dataDir, 0)).not.toThrow();
});
