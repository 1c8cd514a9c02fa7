// Overrides and their inbox survive crashes between two writes, pulls of several pages, and values of a newer hub.
import { appliedDigest } from '@gatewarden/shared/digests.ts';
import { expect, test } from 'vitest';
import { makeFolder, makeOverride } from '../../test/agent-process.ts';
import { openOverrides } from './override-store.ts';
import { openState } from './state-store.ts';
import { openStore } from './store-database.ts';

test('applies received overrides at the next start after a crash', () => {
  const folder = makeFolder();
  const first = openStore(folder).db;
  const override = makeOverride({ match: { name: 'x' }, revision: 4 });
  openOverrides(first, openState(first)).receive([override], 'cursor-4', true);
  first.close();
  const { db } = openStore(folder);
  const state = openState(db);
  const overrides = openOverrides(db, state);
  expect(state.get('cursor')).toBe('cursor-4');
  expect(overrides.count()).toBe(0);
  overrides.applyInbox();
  expect(overrides.load()).toEqual([override]);
  expect(overrides.digest()).toBe(appliedDigest([override]));
  db.close();
});

test('applies a pull with its last page, also after a crash', () => {
  const folder = makeFolder();
  const first = openStore(folder).db;
  const [a, b] = [makeOverride({ match: { name: 'a' } }), makeOverride({ match: { name: 'b' } })];
  const before = openOverrides(first, openState(first));
  before.receive([a], 'c1', false);
  expect(before.applyInbox()).toBe(false);
  first.close();
  const { db } = openStore(folder);
  const overrides = openOverrides(db, openState(db));
  expect(overrides.applyInbox()).toBe(false);
  expect(overrides.count()).toBe(0);
  overrides.receive([b], 'c2', true);
  expect(overrides.applyInbox()).toBe(true);
  expect(overrides.count()).toBe(2);
  expect(overrides.applyInbox()).toBe(false);
  db.close();
});

test('replaces the whole set at the last page of a pull without a cursor', () => {
  const { db } = openStore(makeFolder());
  const state = openState(db);
  const overrides = openOverrides(db, state);
  const old = makeOverride({ match: { name: 'old' } });
  overrides.receive([old], 'c1', true);
  overrides.applyInbox();
  const [a, b, c] = ['a', 'b', 'c'].map((name) => makeOverride({ match: { name } }));
  if (!a || !b || !c) throw new Error('three were made');
  overrides.stage([a], true);
  overrides.stage([b], true);
  overrides.applyInbox();
  expect(overrides.load()).toEqual([old]);
  overrides.stage([c], false);
  overrides.receiveStaged('c2');
  overrides.applyInbox();
  expect(overrides.load().map((o) => o.override_id)).toEqual([b.override_id, c.override_id].sort());
  overrides.stage([], true);
  overrides.receiveStaged('c3');
  overrides.applyInbox();
  expect(overrides.count()).toBe(0);
  db.close();
});

test('stores and counts an override of a newer form without applying it', () => {
  const { db } = openStore(makeFolder());
  const overrides = openOverrides(db, openState(db));
  const newer = { ...makeOverride({ match: { name: 'x' } }), match: { name: 'x', colour: 'red' } };
  overrides.receive([newer, makeOverride({ match: { name: 'y' } })], 'c', true);
  overrides.applyInbox();
  expect(overrides.count()).toBe(2);
  expect(overrides.load()).toHaveLength(1);
  overrides.receive([{ ...newer, revision: 9, deleted: true }], 'd', true);
  overrides.applyInbox();
  expect(overrides.count()).toBe(1);
  db.close();
});
