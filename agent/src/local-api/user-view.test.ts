// A user at the device sees nothing of another user's home.
import { expect, test } from 'vitest';
import { makeOverride } from '../../test/agent-process.ts';
import { assemble, type ScanResult } from '../discovery/scan/entity-assembler.ts';
import type { Discovered, Report } from '../discovery/source-contract.ts';
import { decisionsFor, entitiesVisibleTo, type Known, serversFor } from './user-view.ts';

const DEVICE = {
  device_id: '01900000-0000-7000-8000-000000000002',
  hostname: 'shared-desk',
  platform: 'linux',
  os_version: '13',
  arch: 'x64',
  agent_version: '0.1.0',
} as const;
const NOW = Date.parse('2026-06-01T12:00:00Z');

function scanOf(found: readonly (readonly [string | null, Discovered])[]): ScanResult {
  const reports = found.map(
    ([owner, sighting]): Report => ({
      source: 'mcp_config',
      owner,
      state: 'read',
      reason: null,
      found: [sighting],
      problems: [],
    }),
  );
  return assemble(reports, {
    platform: 'linux',
    root: '/',
    homes: [{ path: '/home/ann' }, { path: '/home/ben' }],
    startedAt: new Date(NOW),
    durationMs: 1,
  });
}

const server = (key: string, home: string, secretly: string): Discovered => ({
  kind: 'mcp_server',
  key,
  name: `${key} of ${home}`,
  version: '1',
  path: `${home}/.config/${secretly}`,
  executables: [`${home}/bin/${secretly}`],
  details: { secretly: [secretly] },
});

const scan = scanOf([
  ['1000', server('notes', '/home/ann', 'ann-notes')],
  ['1001', server('notes', '/home/ben', 'ben-notes')],
  ['1001', server('diary', '/home/ben', 'ben-diary')],
  [null, { ...server('tool', '/opt', 'tool'), kind: 'package' }],
]);
const known = (more: Partial<Known>): Known => ({
  ...{ overrides: [], scan, takenOut: [], platform: 'linux', hubNowMs: NOW },
  ...more,
});
const idOf = (name: string) =>
  scan.entities.find((entity) => entity.wire.name.startsWith(name))?.wire.entity_id ?? '';

test('shows entities of the user and the machine as sent, and nothing of another home', () => {
  const seen = entitiesVisibleTo(scan, DEVICE, '1000');
  expect(JSON.stringify(seen)).not.toMatch(/ben|1001|diary/);
  const tool = scan.entities.find((entity) => entity.wire.kind === 'package')?.wire;
  expect(seen.entities.find((entity) => entity.wire.kind === 'package')).toEqual({
    wire: tool,
    shared_with_others: false,
  });
  expect(seen.entities.find((entity) => entity.wire.kind === 'mcp_server')).toMatchObject({
    shared_with_others: true,
    wire: { entity_id: idOf('notes'), name: 'notes of /home/ann', instances: [{ owner: '1000' }] },
  });
  expect(seen.coverage.map((row) => row.owner)).toEqual(['1000', null]);
});

test('shows only machine entities to a client without a key', () => {
  const seen = entitiesVisibleTo(scan, DEVICE, null);
  expect(seen.entities.map((entity) => entity.wire.kind)).toEqual(['package']);
  expect(entitiesVisibleTo(null, DEVICE, '1000')).toMatchObject({ scanned_at: null, entities: [] });
});

test("lists overrides for the user's entities, the strictest first, with their effect now", () => {
  const about = (name: string, policy: 'warn' | 'block', times = {}) =>
    makeOverride({ match: { entity_id: idOf(name) }, execution_policy: policy, ...times });
  const overrides = [
    about('notes', 'warn', { expires_at: '2026-06-01T11:00:00Z' }),
    about('diary', 'block'),
    about('tool', 'block', { effective_at: '2026-06-01T11:00:00Z' }),
    makeOverride({ match: { name: 'game' }, execution_policy: 'quarantine' }),
  ];
  const { decisions, more } = decisionsFor(known({ overrides }), '1000');
  expect(
    decisions.map((decision) => [
      decision.match.name ?? decision.entity_name,
      decision.execution_policy,
      decision.in_force,
    ]),
  ).toEqual([
    ['game', 'quarantine', true],
    ['tool of /opt', 'block', true],
    ['notes of /home/ann', 'warn', false],
  ]);
  expect(more).toBe(0);
  const [, mine] = decisionsFor(known({ overrides: overrides.slice(0, 2) }), '1001').decisions;
  expect(mine?.entity_name).toBe('notes of /home/ben');
  const many = Array.from({ length: 501 }, () => makeOverride({ match: { name: 'game' } }));
  expect(decisionsFor(known({ overrides: many, scan: null }), null).more).toBe(1);
});

test('lists MCP servers of the user and the machine with overrides, quarantined servers included', () => {
  const entity = {
    ...{ entity_id: 'e'.repeat(64), kind: 'mcp_server' as const, name: 'gone' },
    ...{ version: null, publisher: null },
  };
  const overrides = [
    makeOverride({ match: { kind: 'mcp_server' }, execution_policy: 'warn' }),
    makeOverride({ match: { entity_id: idOf('notes') }, approval_status: 'approved' }),
    makeOverride({ match: { entity_id: entity.entity_id }, execution_policy: 'quarantine' }),
  ];
  const all = known({ overrides, takenOut: [{ owner: '1000', entity }] });
  const ann = serversFor(all, '1000').servers;
  expect(JSON.stringify(ann)).not.toMatch(/ben|diary/);
  expect(
    ann.map((server) => [
      server.name,
      server.override?.match,
      server.override?.entity_name,
      server.taken_out,
    ]),
  ).toEqual([
    ['gone', { entity_id: entity.entity_id }, 'gone', true],
    ['notes of /home/ann', { entity_id: idOf('notes') }, 'notes of /home/ann', false],
  ]);
  expect(decisionsFor(all, '1000').decisions[0]).toMatchObject({ entity_name: 'gone' });
  const ben = serversFor(all, '1001').servers;
  expect(ben.map((server) => [server.name, server.decision])).toEqual([
    ['diary of /home/ben', 'warn'],
    ['notes of /home/ben', overrides[1]?.execution_policy],
  ]);
  expect(serversFor(all, null).servers).toEqual([]);
  expect(serversFor(known({}), '1001').servers[0]).toMatchObject({
    decision: 'allow',
    override: null,
  });
});
