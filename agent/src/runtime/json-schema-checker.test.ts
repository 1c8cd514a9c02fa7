// The built-in validator agrees with the schema library on hub responses, and its derived schemas equal the wire
// schemas.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import { ReleaseManifest } from '@gatewarden/shared/wire/sync/updates.ts';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { type JsonSchema, makeCheck } from './json-schema-checker.ts';

const endpoints = Object.entries(SYNC_ENDPOINTS);

test('derives its schemas from the wire schemas', () => {
  const stored = readFileSync(join(import.meta.dirname, '../sync/hub-responses.json'), 'utf8');
  const answers = Object.fromEntries(endpoints.map(([name, { answer }]) => [name, answer]));
  const derived = { ...answers, releaseManifest: ReleaseManifest };
  expect(JSON.parse(stored), 'run "npm run dump"').toEqual(JSON.parse(JSON.stringify(derived)));
});

const INSTANT = '2026-11-21T10:00:00.000Z';
const UUID = '01900000-0000-7000-8000-000000000001';
const SHA = 'a'.repeat(64);
const OVERRIDE = {
  override_id: UUID,
  revision: 1,
  deleted: false,
  scope_kind: 'tenant',
  match: { name: 'x' },
  approval_status: 'blocked',
  execution_policy: 'block',
  severity: 'high',
  reason: null,
  effective_at: null,
  expires_at: INSTANT,
};
const GOOD: Record<string, object> = {
  enroll: { device_token: 't', expires_at: INSTANT, request_id: 'r' },
  discoveredApps: { batch_id: UUID, accepted: 1, unchanged: 0, request_id: 'r' },
  unknownProcesses: { batch_id: UUID, accepted: 1, request_id: 'r' },
  runningProcesses: { accepted: 1, request_id: 'r' },
  activity: { accepted: 1, request_id: 'r' },
  accessRequests: {
    accepted: [UUID],
    refused: [{ access_request_id: UUID, reason: 'no' }],
    request_id: 'r',
  },
  alerts: { accepted: [UUID], request_id: 'r' },
  delta: {
    overrides: [OVERRIDE],
    next_cursor: 'c',
    has_more: false,
    server_time: INSTANT,
    poll_after_seconds: 60,
    enforcement_ceiling: 'enforce',
    inventory_epoch: 'e',
    inventory_confirmed: true,
    discovery: { personal_homes: true },
  },
  update: { manifest: '{}', signature: `${'A'.repeat(86)}==` },
  mcpOffer: {
    servers: [{ server_id: 'a', name: 'A', config_name: 'a', url: 'https://h/a/mcp' }],
  },
  processMap: {
    version: 1,
    mappings: [
      { process_name: 'x', platform: null, match: 'glob', application_name: 'X', entity_id: SHA },
    ],
  },
};

/** Every place in a document, as a list of keys. */
function places(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...at, key]))];
}

function changed(value: unknown, [key, ...rest]: string[], change: unknown): unknown {
  if (key === undefined) return change;
  const copy = structuredClone(value) as Record<string, unknown>;
  if (rest.length === 0 && change === undefined) delete copy[key];
  else copy[key] = changed(copy[key], rest, change);
  return copy;
}

test.each(endpoints.map(([name, { answer }]) => [name, answer as TSchema] as const))(
  'validates responses to %s like the schema library',
  (name, schema) => {
    const good = GOOD[name] ?? {};
    const check = makeCheck(JSON.parse(JSON.stringify(schema)) as JsonSchema);
    expect(check(good)).toBeNull();
    expect(check({ ...good, newer: { field: [1] } })).toBeNull();
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(undefined, '', UUID, SHA, INSTANT, -1, 0, 1.5, 'block', 'enforce', {}, []),
    );
    fc.assert(
      fc.property(fc.constantFrom(...places(good)), odd, (place, change) => {
        // The value is serialized, as on the wire.
        const value = JSON.parse(JSON.stringify(changed(good, place, change) ?? null));
        expect(check(value) === null).toBe(Value.Check(schema, value));
      }),
      { numRuns: propertyRuns(500) },
    );
  },
);

test('names the location of an error', () => {
  const check = makeCheck(JSON.parse(JSON.stringify(SYNC_ENDPOINTS.delta.answer)) as JsonSchema);
  const wrong = changed(GOOD.delta, ['overrides', '0', 'match', 'nmae'], 'x');
  expect(check(wrong)).toEqual({ pointer: '/overrides/0/match/nmae', reason: 'must be left out' });
});

test('rejects an unknown keyword', () => {
  expect(() => makeCheck({ type: 'string', contentEncoding: 'x' } as JsonSchema)).toThrow(
    'contentEncoding',
  );
});
