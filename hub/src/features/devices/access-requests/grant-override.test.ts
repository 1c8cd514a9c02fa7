// An exception wins over the effective override, matches the requested application, and names it.
import { decide, matches, type PolicyOverride } from '@gatewarden/shared/policy.ts';
import { EXECUTION_POLICIES, SCOPE_KINDS } from '@gatewarden/shared/wire/vocabulary.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exceptionMatch, type Subject } from './grant-override.ts';

const ENTITY = {
  entity_id: 'a'.repeat(64),
  kind: 'mcp_server' as const,
  name: 'Editor',
  version: '1.0',
  publisher: 'Example',
};
const HASH = 'b'.repeat(64);
const DEVICE = { platform: 'linux' as const };

const winner = (over: Partial<PolicyOverride>): PolicyOverride => ({
  override_id: '00000000-0000-4000-8000-000000000000',
  revision: 5,
  deleted: false,
  scope_kind: 'tenant',
  match: { entity_id: ENTITY.entity_id },
  execution_policy: 'block',
  effective_at: null,
  expires_at: null,
  ...over,
});
const asked: Subject = { entity: ENTITY, processName: null };

test('names the application when no override is in effect', () => {
  expect(exceptionMatch(asked, 'linux', null)).toEqual({ entity_id: ENTITY.entity_id });
});

test('names a process without an application', () => {
  const process: Subject = { entity: null, processName: 'game' };
  expect(exceptionMatch(process, 'linux', winner({ match: { publisher: 'Example' } }))).toEqual({
    name: 'game',
  });
});

test('names the file beside a block by hash', () => {
  expect(exceptionMatch(asked, 'linux', winner({ match: { executable_sha256: HASH } }))).toEqual({
    executable_sha256: HASH,
    entity_id: ENTITY.entity_id,
  });
});

test('adds criteria against an override for the same device', () => {
  expect(exceptionMatch(asked, 'linux', winner({ scope_kind: 'device' }))).toEqual({
    entity_id: ENTITY.entity_id,
    platform: 'linux',
  });
});

const someMatch = fc
  .record(
    {
      executable_sha256: fc.constant(HASH),
      entity_id: fc.constant(ENTITY.entity_id),
      name: fc.constant('editor'),
      publisher: fc.constant('Example'),
      platform: fc.constant('linux' as const),
      version_below: fc.constant('2.0'),
    },
    { requiredKeys: [] },
  )
  .filter((match) => Object.keys(match).length > 0);

test('wins over any override and still matches', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          match: someMatch,
          scope_kind: fc.constantFrom(...SCOPE_KINDS),
          execution_policy: fc.constantFrom(...EXECUTION_POLICIES),
          revision: fc.integer({ min: 1, max: 99 }),
        }),
        { maxLength: 8 },
      ),
      (list) => {
        const held = list.map((row, i) =>
          winner({ ...row, override_id: `00000000-0000-4000-8000-00000000000${i}` }),
        );
        const facts = {
          name: 'editor',
          application_name: null,
          publisher: null,
          sha256: HASH,
          entities: [ENTITY],
        };
        const before = decide(DEVICE, facts, held, 0);
        const match = exceptionMatch(asked, 'linux', before.override);
        expect(match.entity_id).toBe(ENTITY.entity_id);
        expect(matches(DEVICE, facts, match)).not.toBeNull();
        const exception = winner({
          override_id: 'ffffffff-ffff-4fff-bfff-ffffffffffff',
          revision: 100,
          scope_kind: 'device',
          match,
          execution_policy: 'allow',
        });
        expect(decide(DEVICE, facts, [...held, exception], 0).override).toBe(exception);
      },
    ),
  );
});
