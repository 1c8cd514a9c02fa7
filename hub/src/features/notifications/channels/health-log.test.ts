// The operator log reports the start and the end of a channel's failure, and nothing in between.
import { expect, test } from 'vitest';
import { failed, type Outcome } from '../../../platform/delivery/attempt.ts';
import { createLog } from '../../../platform/telemetry/log.ts';
import { createHealthLog } from './health-log.ts';
import type { DeliveryResult } from './record-outcome.ts';

const MINUTE_MS = 60_000;
const SINCE = new Date('2026-11-20T10:00:00.000Z');
const DELIVERED: Outcome = { is: 'delivered', status: 204, note: null };
const REFUSED = failed({ error: 'connection refused' });

function opened() {
  const lines: { level: number; event: string }[] = [];
  let now = 0;
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const logOutcome = createHealthLog(log, () => now);
  const claim = { tenant_id: 't', channel_id: 'r', kind: 'webhook' } as const;
  const state = { failing_since: null, gave_up_at: null } as {
    failing_since: Date | null;
    gave_up_at: Date | null;
  };
  const end = (outcome: Outcome, is: 'failed' | 'retried') => {
    const before = { ...state };
    const retried = { is: 'retried', at: SINCE, before } as const;
    const ending: DeliveryResult =
      outcome.is === 'delivered' ? { is: 'delivered', before } : retried;
    logOutcome(claim, outcome, is === 'failed' ? { is, before } : ending);
    state.failing_since = outcome.is === 'delivered' ? null : SINCE;
    state.gave_up_at =
      is === 'failed' ? SINCE : outcome.is === 'delivered' ? null : state.gave_up_at;
  };
  return {
    fails: () => end(REFUSED, 'retried'),
    givesUp: () => end(REFUSED, 'failed'),
    arrives: () => end(DELIVERED, 'retried'),
    later: (minutes: number) => {
      now += minutes * MINUTE_MS;
    },
    events: () => lines.splice(0).map((line) => line.event),
  };
}

test('logs a failing channel three times: at its first failure, at the first abandoned delivery, and at recovery', () => {
  const channel = opened();
  channel.arrives();
  expect(channel.events()).toEqual([]);
  for (let i = 0; i < 500; i++) {
    channel.fails();
    channel.later(1);
  }
  expect(channel.events()).toEqual(['notification_channel_failing']);
  for (let i = 0; i < 500; i++) channel.givesUp();
  expect(channel.events()).toEqual(['notification_channel_abandoned']);
  for (let i = 0; i < 500; i++) channel.arrives();
  expect(channel.events()).toEqual(['notification_channel_recovered']);
});

test('logs an alternating channel twice in ten minutes', () => {
  const channel = opened();
  for (let i = 0; i < 100; i++) {
    channel.fails();
    channel.arrives();
  }
  expect(channel.events()).toEqual([
    'notification_channel_failing',
    'notification_channel_recovered',
  ]);
  channel.later(11);
  channel.fails();
  channel.arrives();
  expect(channel.events()).toEqual([
    'notification_channel_failing',
    'notification_channel_recovered',
  ]);
});

test('logs a channel that abandons every other alert twice, and later its permanent failures', () => {
  const channel = opened();
  for (let i = 0; i < 100; i++) {
    channel.givesUp();
    channel.arrives();
  }
  expect(channel.events()).toEqual([
    'notification_channel_abandoned',
    'notification_channel_recovered',
  ]);
  channel.givesUp();
  channel.later(11);
  channel.fails();
  channel.givesUp();
  channel.givesUp();
  expect(channel.events()).toEqual([
    'notification_channel_failing',
    'notification_channel_abandoned',
  ]);
});

test('logs a permanent failure soon after a success once the ten minutes are over', () => {
  const channel = opened();
  channel.fails();
  channel.arrives();
  channel.fails();
  expect(channel.events()).toEqual([
    'notification_channel_failing',
    'notification_channel_recovered',
  ]);
  channel.later(11);
  channel.fails();
  channel.fails();
  expect(channel.events()).toEqual(['notification_channel_failing']);
  channel.arrives();
  expect(channel.events()).toEqual(['notification_channel_recovered']);
});
