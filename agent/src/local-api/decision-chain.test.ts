// The explanation of a name or id shows each match once, at its most specific location.
import { expect, test } from 'vitest';
import { chainOf, isKnownHere, readAskedWhy } from './decision-chain.ts';

const decision = (id: string, more: object = {}) => ({
  ...{ override_id: id, revision: 3, scope_kind: 'tenant' as const, match: {}, entity_name: null },
  ...{ approval_status: 'restricted' as const, execution_policy: 'block' as const },
  ...{ severity: 'high' as const, reason: null, effective_at: null, expires_at: null },
  ...{ in_force: true, ...more },
});
const NOTES = 'a'.repeat(64);
const server = (name: string, id: string, override: ReturnType<typeof decision> | null) => ({
  ...{ entity_id: id, name, version: null, clients: ['cursor'], taken_out: false, override },
  decision: override?.execution_policy ?? ('allow' as const),
});
const notes = decision('1', { match: { entity_id: NOTES }, entity_name: 'Notes' });
const known = {
  enforcement: 'enforce' as const,
  notices: [],
  decisions: [notes, decision('2', { match: { name: 'game' } })],
  servers: [server('Notes', NOTES, notes), server('free', 'b'.repeat(64), null)],
};
const running = {
  ...{ pid: 7, name: 'node', executable_path: '/usr/bin/node', application_name: 'Notes' },
  ...{ entity_id: NOTES, decision: 'block' as const, override_id: '1', protected: null },
};

test('explains a server without processes by its override, or without any override', () => {
  const found = chainOf('notes', { ...known, processes: [] });
  expect(found).toMatchObject({ servers: [{ name: 'Notes', override: { revision: 3 } }] });
  expect(found.decisions).toEqual([]);
  expect(chainOf('FREE', { ...known, processes: [] }).servers).toMatchObject([{ override: null }]);
});

test('explains a running server by its process, and an override without a match separately', () => {
  const found = chainOf(NOTES, { ...known, processes: [running] });
  expect(found.processes).toMatchObject([{ pid: 7, override: { override_id: '1' } }]);
  expect([found.servers, found.decisions]).toEqual([[], []]);
  expect(chainOf('game', { ...known, processes: [] }).decisions).toMatchObject([
    { override_id: '2' },
  ]);
});

test('rejects an invalid query', () => {
  expect(readAskedWhy('{"asked":"game"}')).toBe('game');
  for (const text of ['', 'null', '{}', '{"asked":7}', '{"asked":" "}']) {
    expect(() => readAskedWhy(text)).toThrow(/^(this is no question|name what it is about)/);
  }
  expect(() => readAskedWhy(JSON.stringify({ asked: 'x'.repeat(4097) }))).toThrow(/^name what/);
});

test('finds discovered, running and stopped programs in any case', () => {
  const process = { name: 'code', application_name: 'Visual Studio Code' };
  const notice = { process_name: 'game', application_name: 'Solitaire' };
  const isKnown = (name: string) =>
    isKnownHere(name, [{ wire: { name: 'curl' } }], [process], [notice]);
  for (const name of ['curl', 'CODE', 'visual studio code', 'game'])
    expect(isKnown(name)).toBe(true);
  for (const name of ['cur', 'games', '']) expect(isKnown(name)).toBe(false);
});
