// The operator log reports the start and the end of a channel's failure, and nothing in between.
import { expect, test } from 'vitest';
import { failed, type Outcome } from '../../../platform/delivery/attempt.ts';
import { createLog } from '../../../platform/telemetry/log.ts';
import { createTurns } from './delivery-order.ts';
import type { Ending } from './delivery-outcome.ts';

const MINUTE_MS = 60_000;
const SINCE = new Date('2026-11-20T10:00:00.000Z');
const DELIVERED: Outcome = { is: 'delivered', status: 204, note: null };
const REFUSED = failed({ error: 'connection refused' });

function opened() {
  const lines: { level: number; event: string }[] = [];
  let now = 0;
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const logOutcome = createTurns(log, () => now);
  const route = { tenant_id: 't', route_id: 'r', kind: 'webhook' } as const;
  const state = { failing_since: null, gave_up_at: null } as {
    failing_since: Date | null;
    gave_up_at: Date | null;
  };
  const end = (outcome: Outcome, is: 'failed' | 'retried') => {
    const before = { ...state };
    const retried = { is: 'retried', at: SINCE, before } as const;
    const ending: Ending = outcome.is === 'delivered' ? { is: 'delivered', before } : retried;
    logOutcome(route, outcome, is === 'failed' ? { is, before } : ending);
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
  const route = opened();
  route.arrives();
  expect(route.events()).toEqual([]);
  for (let i = 0; i < 500; i++) {
    route.fails();
    route.later(1);
  }
  expect(route.events()).toEqual(['alert_route_failing']);
  for (let i = 0; i < 500; i++) route.givesUp();
  expect(route.events()).toEqual(['alert_route_gave_up']);
  for (let i = 0; i < 500; i++) route.arrives();
  expect(route.events()).toEqual(['alert_route_recovered']);
});

test('logs an alternating channel twice in ten minutes', () => {
  const route = opened();
  for (let i = 0; i < 100; i++) {
    route.fails();
    route.arrives();
  }
  expect(route.events()).toEqual(['alert_route_failing', 'alert_route_recovered']);
  route.later(11);
  route.fails();
  route.arrives();
  expect(route.events()).toEqual(['alert_route_failing', 'alert_route_recovered']);
});

test('logs a channel that abandons every other alert twice, and later its permanent failures', () => {
  const route = opened();
  for (let i = 0; i < 100; i++) {
    route.givesUp();
    route.arrives();
  }
  expect(route.events()).toEqual(['alert_route_gave_up', 'alert_route_recovered']);
  route.givesUp();
  route.later(11);
  route.fails();
  route.givesUp();
  route.givesUp();
  expect(route.events()).toEqual(['alert_route_failing', 'alert_route_gave_up']);
});

test('logs a permanent failure soon after a success once the ten minutes are over', () => {
  const route = opened();
  route.fails();
  route.arrives();
  route.fails();
  expect(route.events()).toEqual(['alert_route_failing', 'alert_route_recovered']);
  route.later(11);
  route.fails();
  route.fails();
  expect(route.events()).toEqual(['alert_route_failing']);
  route.arrives();
  expect(route.events()).toEqual(['alert_route_recovered']);
});
