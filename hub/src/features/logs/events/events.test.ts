// Times have microseconds, findings are extracted, and requests are priced.
import type { LlmRequestLine } from '@gatewarden/shared/wire/nodes/logs.ts';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { categoriesOf, FINDINGS, findingsOf } from './findings.ts';
import { costOf, llmRow } from './llm.ts';
import { microsText, millisText, parseMicros } from './times.ts';

describe('times', () => {
  test.each([
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000000Z'],
    ['2026-11-20T10:00:00', '2026-11-20T10:00:00.000000Z'],
    ['2026-11-20T10:00:00.123456789+02:00', '2026-11-20T08:00:00.123456Z'],
    ['2026-11-20T10:00:00-0530', '2026-11-20T15:30:00.000000Z'],
    ['2026-11-20T10:00:00,5+01', '2026-11-20T09:00:00.500000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000000Z'],
    ['2024-02-29T23:59Z', '2024-02-29T23:59:00.000000Z'],
    ['9999-12-31T23:59:59-23:59', '2255-01-01T00:00:00.000000Z'],
  ])('normalizes %s', (text, exact) => {
    expect(microsText(parseMicros(text) ?? 0)).toBe(exact);
  });

  test.each([
    ...['', 'now', '2026-02-29', '2026-13-01', '2026-11-20T24:00:00Z', '2026-11-20T10:60:00Z'],
    ...['2026-11-20T10:00:00 00:00', '2026-11-20T10:00:00+24:00', '20261120T100000Z', '1e9'],
    ...[
      '2026-11-20 10:00:00Z',
      '2026-11-20T10:00:00.Z',
      ' 2026-11-20',
      '2026-11-20T10',
      '2026-11-20T10:00:60Z',
    ],
  ])('rejects the time %j', (text) => {
    expect(parseMicros(text)).toBeNull();
  });

  it('round-trips times, whose text order is their order in time', () => {
    const micros = fc.integer({ min: 0, max: 7_000_000_000_000_000 });
    fc.assert(
      fc.property(micros, micros, (a, b) => {
        expect(parseMicros(microsText(a))).toBe(a);
        expect(microsText(a) < microsText(b)).toBe(a < b);
        expect(parseMicros(millisText(a))).toBe(Math.floor(a / 1_000) * 1_000);
      }),
    );
  });
});

describe('findings', () => {
  it('extracts keys below an action as identifiers, once each', () => {
    const actions = { block: { PII: ['x'], b: [] }, redact: { pii: [] } };
    expect(categoriesOf(actions, (id) => id)).toEqual(['b', 'pii']);
    expect(findingsOf([])).toBe(0);
  });
  it('extracts and redacts sent findings that the event does not show', () => {
    const key = `sk-${'proj-'}A1b2C3d4E5f6G7h8I9j0K1l2`;
    const line: LlmRequestLine = {
      app: { name: 'A' },
      request: { id: 'r', timestamp: '2026-11-20T10:00:00Z', endpoint: '/v1/x' },
      guardrails: { actions_and_categories: { password: { PII: [] }, block: { [key]: [] } } },
    };
    const around = { tenantId: 't', app: null, storePayloads: true, cost: null };
    const row = llmRow(line, 0, around);
    expect(row.categories).toEqual(['[redacted_api_key]', 'pii']);
    expect(row.findings).toBe(FINDINGS.any | FINDINGS.pii);
  });
  test.each([
    ['prompt_injection', FINDINGS.injection],
    ['Custom Prompt-Injection', FINDINGS.injection],
    ['my-jailbreaks', FINDINGS.jailbreak],
    ['exploit.v2', FINDINGS.exploit],
    ['leaked_credentials', FINDINGS.secrets],
    ['pii.email', FINDINGS.pii],
    ['spiii', 0],
    ['pcidss', 0],
    ['edm-7', FINDINGS.edm],
    ['customer data', FINDINGS.client],
    ['toxicity', 0],
  ])('classifies %s', (category, bit) => {
    expect(findingsOf([category])).toBe(FINDINGS.any | bit);
  });
});

test.each([
  [{ request: 1_000_000, response: 0, cache_read: 0 }, { input_per_1m: 2 }, 2],
  [{ request: 1_000_000, response: 0, cache_read: 500_000 }, { input_per_1m: 2 }, 2],
  [
    { request: 1_000_000, response: 0, cache_read: 500_000 },
    { input_per_1m: 2, cache_per_1m: 0 },
    1,
  ],
  [{ request: null, response: 100_000, cache_read: 0 }, { output_per_1m: 10 }, 1],
  [{ request: 5, response: 5, cache_read: 10 }, { input_per_1m: null }, null],
  [{ request: 5, response: 5, cache_read: 10 }, null, null],
])('prices %j at %j', (tokens, prices, cost) => {
  expect(costOf(tokens, prices)).toBe(cost);
});

test.each([
  [{ status_code: 500 }, false, true],
  [{ status_code: 429 }, false, true],
  [{ status_code: 404 }, false, false],
  [{ error_type: 'reset' }, false, true],
  [{ status_code: 200, error_type: 'reset' }, false, false],
  [{}, false, false],
  // A block by guardrails is no failure, whatever status the gateway returns.
  [{ status_code: 503 }, true, false],
  [{ error_type: 'guardrail_blocked' }, true, false],
])('classifies a request of %j, blocked: %s, as a failure: %s', (request, is_blocked, failed) => {
  const line = {
    app: { name: 'a' },
    request: { id: 'r', timestamp: '2026-11-20T10:00:00Z', endpoint: '/', ...request },
    guardrails: { is_blocked },
  };
  const around = { tenantId: 't', app: null, storePayloads: true, cost: null };
  expect(llmRow(line, 0, around).is_failed).toBe(failed);
});
