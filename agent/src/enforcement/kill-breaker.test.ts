// The breaker and the mode limit the actions of the agent.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/agent-process.ts';
import { openState } from '../store/state-store.ts';
import { openStore } from '../store/store-database.ts';
import { effectiveMode, type Limits, limitedBy, openKillSwitch } from './enforcement-mode.ts';
import { BREAKER_OPEN_MS, createKillBreaker } from './kill-breaker.ts';

test('opens after too many terminations in a minute, over a restart, and closes by time or by hand', () => {
  const { db } = openStore(makeFolder());
  const state = openState(db);
  let now = 1_000_000;
  const messages: string[] = [];
  const make = () =>
    createKillBreaker({
      ...{ limit: 3, state, now: () => now, monotonicMs: () => now },
      opened: (m) => messages.push(m),
    });
  const breaker = make();
  expect([1, 2, 3].map(() => breaker.admit())).toEqual([true, true, true]);
  now += 61_000;
  expect([1, 2, 3].map(() => breaker.admit())).toEqual([true, true, true]);
  expect(breaker.admit()).toBe(false);
  expect(breaker.admit()).toBe(false);
  expect(messages).toHaveLength(1);
  expect(make().state()).toBe('open');
  now += BREAKER_OPEN_MS;
  expect(make().state()).toBe('closed');
  expect(breaker.admit()).toBe(true);
  for (let i = 0; i < 5; i++) breaker.admit();
  expect(breaker.state()).toBe('open');
  breaker.close();
  expect(breaker.state()).toBe('closed');
  db.close();
});

test('keeps its count over a clock jump, and never stays open forever', () => {
  const { db } = openStore(makeFolder());
  const state = openState(db);
  let now = 1_000_000_000;
  let monotonic = 0;
  const breaker = createKillBreaker({
    ...{ limit: 2, state, now: () => now, monotonicMs: () => monotonic },
    opened: () => undefined,
  });
  expect(breaker.admit()).toBe(true);
  now += 3_600_000;
  expect(breaker.admit()).toBe(true);
  now -= 7_200_000;
  expect(breaker.admit()).toBe(false);
  // After a reboot the hub's time continues from the last stored time.
  now -= 60_000;
  monotonic += 1000;
  expect(breaker.state()).toBe('open');
  now -= 3_600_000;
  expect(breaker.state()).toBe('closed');
  db.close();
});

test.each([
  ['enforce', 'enforce', false, 'closed', 'enforce'],
  ['monitor', 'enforce', false, 'closed', 'monitor'],
  ['enforce', 'monitor', false, 'closed', 'monitor'],
  ['enforce', 'off', false, 'closed', 'off'],
  ['enforce', 'enforce', true, 'closed', 'off'],
  ['enforce', 'enforce', false, 'open', 'monitor'],
  ['off', 'enforce', false, 'open', 'off'],
] as const)(
  'evaluates mode %s, ceiling %s, kill switch %s, breaker %s to %s',
  (configured, ceiling, killSwitch, breaker, mode) => {
    const calm = { crashLoop: false, paused: false, untested: false };
    const limits = { configured, ceiling, killSwitch, breaker, ...calm };
    expect(effectiveMode(limits)).toBe(mode);
    const least = mode === 'enforce' ? 'monitor' : mode;
    for (const limit of ['crashLoop', 'paused', 'untested'] as const) {
      expect(effectiveMode({ ...limits, [limit]: true })).toBe(least);
    }
  },
);

test('names exactly the causes that limit the mode', () => {
  const free: Limits = {
    ...{ configured: 'enforce', ceiling: 'enforce', killSwitch: false, breaker: 'closed' },
    ...{ crashLoop: false, paused: false, untested: false },
  };
  expect(limitedBy(free)).toEqual([]);
  expect(limitedBy({ ...free, crashLoop: true, paused: true })).toEqual(['crash_loop', 'pause']);
  expect(limitedBy({ ...free, configured: 'monitor', breaker: 'open' })).toEqual([
    'configuration',
    'breaker',
  ]);
  expect(limitedBy({ ...free, crashLoop: true, killSwitch: true })).toEqual(['kill_switch']);
});

test('turns off at once, also when the state cannot be written', () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'data'), 'a file, and no folder');
  const killSwitch = openKillSwitch(join(folder, 'data'));
  expect(() => killSwitch.turnOff()).toThrow('off only in an agent that runs now');
  expect(killSwitch.isOff()).toBe(true);
});

test('reads the kill switch from a file', () => {
  const killSwitch = openKillSwitch(makeFolder());
  expect(killSwitch.isOff()).toBe(false);
  killSwitch.turnOff();
  killSwitch.turnOff();
  expect(killSwitch.isOff()).toBe(true);
  killSwitch.turnOn();
  expect(killSwitch.isOff()).toBe(false);
});
