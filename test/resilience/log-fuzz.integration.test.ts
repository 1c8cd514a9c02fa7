// Malformed log lines and export requests get a clear 4xx, never a 5xx, and store nothing.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { aNode, anExportKey, aRequestLine, aToolCallLine, sendRaw } from '../support/logs.ts';
import { propertyRuns } from '../support/property-runs.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? propertyRuns(1_000));
/** Less than a node may send in the shortest time that these requests take. */
const BY_NODE = 1_000;

let hub: TestHub;
let token: string;
let sent = 0;
let keys: { llmgateway: string; mcpgateway: string };
beforeAll(async () => {
  hub = await startTestHub();
  keys = {
    llmgateway: (await anExportKey(hub, { scope: 'all_apps' })).secret,
    mcpgateway: (await anExportKey(hub, { scope: 'all_backends' })).secret,
  };
});
afterAll(() => hub.stop());

async function send(kind: string, body: string | Buffer) {
  if (sent++ % BY_NODE === 0) ({ token } = await aNode(hub, hub.tenantId));
  return sendRaw(hub, token, kind, body);
}

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 1e308, '', '\0', [], {}, [[]], 'x'.repeat(2_000)),
  fc.constantFrom<unknown>({ __proto__: null, constructor: { prototype: {} } }, 2 ** 53, 0.5),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

/** Every place of a line, as a path of names. */
function placesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  return [
    ...(path.length > 0 ? [path] : []),
    ...Object.entries(value).flatMap(([name, inner]) => placesOf(inner, [...path, name])),
  ];
}

function changed(line: object, path: readonly string[], to: unknown): object {
  const copy = structuredClone(line) as Record<string, unknown>;
  let at = copy;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  at[path.at(-1) ?? ''] = to;
  return copy;
}

const full = {
  tokens: {
    request: 1,
    response: 2,
    cache_read: 3,
    cache_write: 4,
    reasoning: 5,
    max_requested: 6,
  },
  latency_ms: { upstream: 1, gw_processing: 2, guardrails: 3, first_response: 4, total: 5 },
  guardrails: {
    outcome: 'normal',
    is_blocked: false,
    is_anonymized: false,
    actions_and_categories: { block: { pii: ['email'] } },
    request_predictions: [],
    response_predictions: [],
  },
  payload: { hydration_status: 'complete', request_text: {}, response_text: [] },
  metadata: { user_email: 'a', conversation_id: 'b', client_ip: 'c', extra_data: {}, sdk: {} },
  routing: { group_id: 'g', mode: 'm' },
  telemetry: { processing_times: {}, chunk_funnel: {} },
};
const CASES = [
  { kind: 'llm-requests', line: aRequestLine({ model: 'm', provider: 'p' }, full) },
  { kind: 'mcp-tool-calls', line: aToolCallLine({ id: 'x', duration_ms: 1 }) },
].flatMap(({ kind, line }) => placesOf(line).map((path) => ({ kind, line, path })));

async function count(): Promise<number> {
  const found = await hub.context.database.pool.query<{ n: number }>(
    'SELECT (SELECT count(*) FROM llm_requests) + (SELECT count(*) FROM mcp_tool_calls) AS n',
  );
  return found.rows[0]?.n ?? -1;
}

it('stores nothing of a batch with a malformed line', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...CASES), odd, async ({ kind, line, path }, value) => {
      const good = kind === 'llm-requests' ? aRequestLine() : aToolCallLine();
      const bad = changed(line, path, value);
      const body = `${JSON.stringify(good)}\n${JSON.stringify(bad)}`;
      const answer = await send(kind, body);
      expect([202, 400]).toContain(answer.status);
      if (answer.status === 202) accepted += answer.body.accepted;
      else expect(answer.body.error.message).toMatch(/^line 2: \//);
    }),
    { numRuns: RUNS },
  );
  // Not a line of what was refused.
  expect(await count()).toBe(accepted);
}, 300_000);

it('answers 4xx to bodies that are cut or broken anywhere', async () => {
  const line = Buffer.from(JSON.stringify(aRequestLine({}, full)));
  await fc.assert(
    fc.asyncProperty(
      fc.nat(line.length - 1),
      fc.integer({ min: 0, max: 255 }),
      fc.boolean(),
      async (place, byte, isCut) => {
        const body = isCut ? line.subarray(0, place) : Buffer.from(line);
        if (!isCut) body[place] = byte;
        const answer = await send('llm-requests', body);
        expect([202, 400]).toContain(answer.status);
      },
    ),
    { numRuns: Math.ceil(RUNS / 5) },
  );
}, 300_000);

it('answers 4xx to malformed export requests', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('%00', '2026-11-20', '2026-11-20T25:00:00Z', '+', '0x1', '9'.repeat(400), 'é'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('llmgateway', 'mcpgateway'),
      fc.dictionary(fc.constantFrom('start_time', 'end_time', 'cursor', 'limit', 'view'), text),
      async (endpoint, query) => {
        const search = Object.entries(query)
          .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
          .join('&');
        const response = await fetch(`${hub.url}/${endpoint}/logs/export?${search}`, {
          headers: { 'x-gw-log-export-key': keys[endpoint as keyof typeof keys] },
        });
        await response.text();
        expect([200, 400]).toContain(response.status);
      },
    ),
    { numRuns: RUNS },
  );
}, 300_000);
