// Names with any letters are created, found by both path forms, and listed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { type Management, manage } from '../../../../../test/support/management.ts';

let hub: TestHub;
let api: Management;

beforeAll(async () => {
  hub = await sharedTestHub();
  api = await manage(hub);
});
afterAll(() => hub.stop());

const NAMES = [
  'a/b',
  'x%2Fy % z',
  '?x=1&y=#',
  'a+b;c',
  'İstanbul',
  '\u202eevil',
  'x\u{10ffff}',
  'line\nfeed',
  '\u{1f600}'.repeat(200),
  // In composed and folded form the name is three times as long.
  '\u{1d160}'.repeat(200),
  `x${'\u0001'.repeat(199)}`,
  '"\\'.repeat(100),
];

test('finds each name by path and query, and in a list of single-item pages', async () => {
  for (const name of NAMES) {
    const made = await api.call('POST', '/apps', { body: { name, mode: 'sdk' } });
    expect(made.status).toBe(201);
    const encoded = encodeURIComponent(name);
    for (const path of [`/apps/${encoded}`, `/app?app_name=${encoded}`]) {
      expect((await api.call('GET', path)).body.app.name).toBe(name);
    }
  }
  const listed: string[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { status, body } = await api.call('GET', `/apps?limit=1${query}`);
    expect(status).toBe(200);
    listed.push(body.items[0].name);
    cursor = body.next_cursor;
  } while (cursor !== null);
  expect(listed.toSorted()).toEqual(NAMES.toSorted());
});
