// Sightings are assembled into entities: newest version by number, bounded for any home, in a stable order.
import { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../test/support/property-runs.ts';
import type { Discovered, Report } from '../source-contract.ts';
import { assemble } from './entity-assembler.ts';

const AT = {
  platform: 'linux' as const,
  root: '/',
  homes: [{ path: '/home/a' }],
  startedAt: new Date(0),
  durationMs: 0,
};
const report = (owner: string | null, ...found: Discovered[]): Report => ({
  source: 'npm',
  owner,
  state: 'read',
  reason: null,
  problems: [],
  found,
});
const npm = (version: string, more: Partial<Discovered> = {}): Discovered => ({
  kind: 'package',
  key: 'pkg',
  name: 'pkg',
  version,
  ...more,
});

test('selects the newest version by number, and the name of the machine', () => {
  const { entities } = assemble(
    [
      report('1', npm('10.0.0', { name: 'Evil' })),
      report(null, npm('9.0.0', { path: '/usr/lib/pkg' })),
    ],
    AT,
  );
  expect(entities).toHaveLength(1);
  expect(entities[0]?.wire).toMatchObject({ name: 'pkg', version: '10.0.0' });
  expect(
    entities[0]?.wire.instances?.map((instance) => [instance.owner, instance.version]),
  ).toEqual([
    [null, '9.0.0'],
    ['1', '10.0.0'],
  ]);
});

test('reports extension permissions without the signed-in user', () => {
  const permissions = [
    'https://k:planted@x.example/*',
    '*://*.x.example/a@b',
    '<all_urls>',
    'storage',
  ];
  const { entities } = assemble([report('1', npm('1', { permissions }))], AT);
  expect(entities[0]?.wire.instances?.[0]?.permissions).toEqual([
    '*://*.x.example/a@b',
    '<all_urls>',
    'https://x.example/*',
    'storage',
  ]);
});

const text = fc.string({ unit: 'binary', maxLength: 40 });
const discovered: fc.Arbitrary<Discovered> = fc.record({
  kind: fc.constantFrom('package' as const, 'mcp_server' as const),
  key: fc.constantFrom('a', 'b'),
  name: text,
  version: fc.option(text, { nil: null }),
  path: fc.option(
    text.map((letter) => `/home/a/${letter.repeat(200)}`),
    { nil: null },
  ),
  executables: fc.array(
    text.map((letter) => `/${letter.repeat(100)}`),
    { maxLength: 90 },
  ),
  permissions: fc.option(
    fc.array(
      text.map((letter) => letter.repeat(20)),
      { maxLength: 300 },
    ),
    { nil: null },
  ),
  details: fc.dictionary(text, fc.oneof(text, fc.array(text, { maxLength: 300 })), { maxKeys: 40 }),
});

test('produces valid wire entities of any sightings, fifty of which fit into a body', () => {
  fc.assert(
    fc.property(fc.array(discovered, { maxLength: 60 }), (found) => {
      for (const { wire } of assemble([report('1', ...found)], AT).entities) {
        expect([...Value.Errors(WireEntity, wire)]).toEqual([]);
        expect(Buffer.byteLength(JSON.stringify(wire))).toBeLessThan((4 * 1024 * 1024) / 50);
        expect(Buffer.byteLength(JSON.stringify(wire.details ?? {}))).toBeLessThanOrEqual(8192);
      }
    }),
    { numRuns: propertyRuns(50) },
  );
});

test('drops absent locations first when coverage exceeds the wire limit', () => {
  const rows = Array.from(
    { length: 5000 },
    (_, i): Report => ({ ...report(String(i)), state: i < 10 ? 'absent' : 'read' }),
  );
  const { coverage } = assemble(rows.slice(0, 4100), AT);
  expect(coverage).toHaveLength(4096);
  expect(coverage.filter((row) => row.state === 'absent').length).toBeLessThan(10);
});
