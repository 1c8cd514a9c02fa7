// The end of a scan removes only entities that it looked for and did not find.
import type { WireCoverage } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { expect, test } from 'vitest';
import {
  type Candidate,
  completelyCovered,
  coveredPairs,
  isSuperseded,
  mergeCoverage,
  selectUnmentioned,
} from './scan-coverage.ts';

const candidate = (id: string, over: Partial<Candidate> = {}): Candidate => ({
  entity_id: id,
  source: 'dpkg',
  owners: [],
  scan_seq: 1,
  ...over,
});
const coverage = (source: string, owner: string | null, state = 'read'): WireCoverage => ({
  source,
  owner,
  state,
  entities: 0,
});
const gone = (all: Candidate[], named: string[], looked: WireCoverage[] | null, seq = 2) =>
  selectUnmentioned(all, new Set(named), looked, seq).map((row) => row.entity_id);

test('removes every unnamed entity without coverage', () => {
  expect(gone([candidate('a'), candidate('b')], ['b'], null)).toEqual(['a']);
});

test('keeps entities of a later scan', () => {
  expect(gone([candidate('a', { scan_seq: 3 })], [], null)).toEqual([]);
});

test('removes entities only from completely read sources', () => {
  const all = [candidate('a'), candidate('b', { source: 'desktop' })];
  expect(gone(all, [], [coverage('dpkg', null), coverage('desktop', null, 'failed')])).toEqual([
    'a',
  ]);
});

test('counts an absent location as read', () => {
  expect(gone([candidate('a')], [], [coverage('dpkg', null, 'absent')])).toEqual(['a']);
});

test('removes an entity of several owners once all were read', () => {
  const shared = candidate('a', { owners: ['alice', 'bob'] });
  expect(gone([shared], [], [coverage('dpkg', 'alice')])).toEqual([]);
  expect(gone([shared], [], [coverage('dpkg', 'alice'), coverage('dpkg', 'bob')])).toEqual(['a']);
});

test('removes nothing that was read successfully', () => {
  expect(gone([candidate('a')], [], [])).toEqual([]);
});

test('supersedes an entity once a later scan read all its locations', () => {
  const entity = { source: 'dpkg', owners: ['alice', null] };
  const alices = coverage('dpkg', 'alice');
  const machine = coverage('dpkg', null);
  const isGone = (all: boolean, ...scans: WireCoverage[][]) =>
    isSuperseded({ coversAll: all, coveredPairsByScan: scans.map(coveredPairs) }, entity);
  expect(isGone(true)).toBe(true);
  expect(isGone(false)).toBe(false);
  expect(isGone(false, [alices])).toBe(false);
  expect(isGone(false, [machine, alices])).toBe(true);
  expect(isGone(false, [alices], [machine])).toBe(false);
});

test('counts a source that is reported as read and unread as unread, in any order', () => {
  const list = [
    coverage('dpkg', null),
    coverage('dpkg', null, 'unreadable'),
    coverage('rpm', null),
  ];
  for (const reports of [list, list.toReversed()]) {
    expect(completelyCovered(reports).map((item) => item.source)).toEqual(['rpm']);
    expect(gone([candidate('a'), candidate('b', { source: 'rpm' })], [], reports)).toEqual(['b']);
    expect(mergeCoverage(reports).find((item) => item.source === 'dpkg')?.state).toBe('unreadable');
  }
  const worse = [coverage('dpkg', null, 'timed_out'), coverage('dpkg', null, 'unparsed')];
  expect(mergeCoverage(worse).map((item) => item.state)).toEqual(['unparsed']);
  expect(
    completelyCovered([coverage('dpkg', '1000'), coverage('dpkg', '1001', 'skipped')]),
  ).toHaveLength(1);
});
