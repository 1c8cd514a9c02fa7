// Users are notified about their own processes once per start, on the desktop only without a tray app.
import { expect, test } from 'vitest';
import { makeOverride } from '../../test/agent-process.ts';
import type { UserKeys } from '../local-api/user-keys.ts';
import type { CorrelatedProcess } from '../processes/process-correlator.ts';
import { createNotices, type UserNotification } from './user-notices.ts';

const override = makeOverride({ match: { name: 'game' }, reason: 'ask Bob' });
const notification = (
  uid: number | null,
  kind: UserNotification['kind'] = 'warned',
  name = 'game',
): UserNotification => ({
  correlated: {
    process: { uid, name },
    mapping: null,
    entities: [],
  } as unknown as CorrelatedProcess,
  override,
  kind,
  entityId: null,
});

function aDesk() {
  const people: Pick<UserKeys, 'issueKey' | 'uidOf'> = {
    issueKey: () => undefined,
    uidOf: (key) => (key === null ? null : Number(key)),
  };
  const shown: [number, string, string][] = [];
  let now = 0;
  let ids = 0;
  const notices = createNotices({
    people,
    makeId: () => String(++ids),
    now: () => now,
    notify: (...shownNotice) => shown.push(shownNotice),
  });
  return { notices, shown, pass: (ms: number) => (now += ms) };
}

const kinds = (desk: ReturnType<typeof aDesk>, key: string | null) =>
  desk.notices.listFor(key).map((notice) => notice.kind);

test('shows a notice to its user, and to nobody without a user', () => {
  const desk = aDesk();
  desk.notices.notify(notification(1000, 'ended'));
  desk.notices.notify(notification(null, 'ended'));
  expect(kinds(desk, '1000')).toEqual(['ended']);
  expect(kinds(desk, '1001')).toEqual([]);
  expect(kinds(desk, null)).toEqual([]);
});

test('groups processes of the same start into a notice, and creates another after ten minutes', () => {
  const desk = aDesk();
  for (let i = 0; i < 5; i++) desk.notices.notify(notification(1000));
  desk.notices.notify(notification(1000, 'ended'));
  expect(kinds(desk, '1000')).toEqual(['warned', 'ended']);
  desk.pass(10 * 60_000);
  desk.notices.notify(notification(1000));
  expect(kinds(desk, '1000')).toEqual(['warned', 'ended', 'warned']);
});

test('stores the newest fifty notices', () => {
  const desk = aDesk();
  for (let i = 0; i < 60; i++) desk.notices.notify(notification(1000, 'ended', `game-${i}`));
  const names = desk.notices.listFor('1000').map((notice) => notice.process_name);
  expect([names.length, names[0], names.at(-1)]).toEqual([50, 'game-10', 'game-59']);
});

test("shows a warning on the desktop unless the user's tray app polled recently", () => {
  const desk = aDesk();
  const title = (name: string) => `Your company does not want ${name} to be used here`;
  desk.notices.notify(notification(1000, 'warned', 'a'));
  desk.notices.listFor('1000');
  desk.notices.notify(notification(1000, 'warned', 'b'));
  desk.notices.notify(notification(1001, 'warned', 'c'));
  desk.notices.notify(notification(1001, 'ended', 'd'));
  desk.pass(30_000);
  desk.notices.notify(notification(1000, 'warned', 'e'));
  expect(desk.shown).toEqual([
    [1000, title('a'), 'ask Bob'],
    [1001, title('c'), 'ask Bob'],
    [1000, title('e'), 'ask Bob'],
  ]);
});
