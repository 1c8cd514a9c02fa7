// Tests which changes lead to a notification.
import type { AgentStatus, Notice } from '@gatewarden/shared/wire/local/service.ts';
import { expect, test } from 'vitest';
import { texts } from '../texts.ts';
import { type Memory, NOTHING_KNOWN, observe } from './notification-reducer.ts';
import { stateOf } from './state.ts';

const STATUS: AgentStatus = {
  device_id: '01900000-0000-7000-8000-000000000002',
  agent_version: '0.1.0',
  enforcement: 'enforce',
  limited_by: [],
  hub: { url: 'https://hub.example.com', reachable: true, last_contact_at: null, last_error: null },
  cursor: null,
  overrides: 0,
  alerts_queued: 0,
  alerts_dropped: 0,
  requests_queued: 0,
  inventory_queued: false,
  last_scan: null,
  breaker: 'closed',
  pause: { allowed_minutes: 0, left_minutes: 0, until: null },
  contact: null,
  update: { off: null, channel: 'stable', last_asked_at: null, next: null, refused: null, bad: [] },
};
const AWAY = { ...STATUS, hub: { ...STATUS.hub, reachable: false, last_error: 'ECONNREFUSED' } };
const notice = (id: number, kind: Notice['kind'], reason: string | null = null): Notice => ({
  notice_id: `01900000-0000-7000-8000-00000000000${id}`,
  at: '2026-06-01T12:00:00Z',
  kind,
  application_name: 'Game',
  process_name: 'game',
  entity_id: null,
  override_id: '01900000-0000-7000-8000-000000000003',
  reason,
});

/** Observes states a minute apart; returns the titles of notifications for each. */
function titles(looks: readonly (readonly [AgentStatus | null, Notice[] | null])[]): string[][] {
  let memory: Memory = NOTHING_KNOWN;
  return looks.map(([status, notices], at) => {
    const seen = observe(memory, status, notices, at * 60_000);
    memory = seen.memory;
    return seen.news.map((newItem) => newItem.title);
  });
}

test('notifies once of what happens after the start, and never of what happened before', () => {
  const [old, warned, ended] = [notice(1, 'ended'), notice(2, 'warned'), notice(3, 'ended')];
  expect(
    titles([
      [STATUS, [old]],
      [STATUS, [old, warned]],
      [STATUS, [old, warned, ended]],
      [STATUS, [old, warned, ended]],
    ]),
  ).toEqual([[], [texts.news.warned.title('Game')], [texts.news.ended.title('Game')], []]);
});

test('notifies only once of a state that could not be read in between', () => {
  const [old, fresh] = [notice(1, 'ended'), notice(2, 'ended')];
  expect(
    titles([
      [STATUS, null],
      [STATUS, [old]],
      [STATUS, null],
      [STATUS, [old, fresh]],
    ]),
  ).toEqual([[], [], [], [texts.news.ended.title('Game')]]);
});

test('uses the reason of a policy as the text', () => {
  const { memory } = observe(NOTHING_KNOWN, STATUS, [], 0);
  const both = [notice(1, 'warned', 'ask Bob'), notice(2, 'failed')];
  expect(observe(memory, STATUS, both, 0).news.map((newItem) => newItem.text)).toEqual([
    'ask Bob',
    texts.news.failed.text,
  ]);
});

test('notifies of an unreachable hub when it lasts, and then of its return', () => {
  const { lost, back } = texts.news;
  expect(
    titles([
      [STATUS, []],
      [AWAY, []],
      [STATUS, []],
      [AWAY, []],
      [AWAY, []],
      [AWAY, []],
      [STATUS, []],
    ]),
  ).toEqual([[], [], [], [], [lost.title], [], [back.title]]);
});

test('notifies once of waiting alerts and of their delivery, and at once of lost alerts', () => {
  const queued = (waiting: number, dropped: number): [AgentStatus, Notice[]] => [
    { ...STATUS, alerts_queued: waiting, alerts_dropped: dropped },
    [],
  ];
  expect(titles([queued(0, 7), queued(2, 7), queued(3, 7), queued(4, 9), queued(0, 9)])).toEqual([
    [],
    [],
    [texts.news.queued.title(3)],
    [texts.news.dropped.title(2)],
    [texts.news.sent.title],
  ]);
});

test('notifies of a stopped agent when it lasts, without further notifications about it', () => {
  expect(
    titles([
      [STATUS, [notice(1, 'ended')]],
      [null, []],
      [null, []],
      [STATUS, [notice(1, 'ended')]],
    ]),
  ).toEqual([[], [], [texts.news.stopped.title], [texts.news.started.title]]);
});

test('summarizes the state in a word', () => {
  expect(stateOf(null)).toBe('away');
  expect(stateOf(STATUS)).toBe('ok');
  expect(stateOf({ ...STATUS, enforcement: 'monitor' })).toBe('ok');
  expect(stateOf(AWAY)).toBe('attention');
  // A service that has just started has not polled yet; a service that the hub refuses is not well, though the hub is
  // reached.
  expect(stateOf({ ...STATUS, hub: { ...STATUS.hub, reachable: false } })).toBe('ok');
  const refused = { ...STATUS.hub, last_error: '401 invalid_agent_token: no' };
  expect(stateOf({ ...STATUS, hub: refused })).toBe('attention');
  expect(stateOf({ ...STATUS, enforcement: 'off' })).toBe('attention');
  expect(stateOf({ ...STATUS, breaker: 'open' })).toBe('attention');
  const pause = { ...STATUS.pause, until: '2026-06-01T12:00:00Z' };
  expect(stateOf({ ...AWAY, pause })).toBe('paused');
});
