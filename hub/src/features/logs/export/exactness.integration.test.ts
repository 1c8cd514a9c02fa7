// Collectors receive exactly what nodes sent: every digit, every completed call, and everything behind deleted rows.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import {
  aNode,
  anExportKey,
  aRequestLine,
  aToolCallLine,
  exportPage,
  minutesAgo,
  sendRaw,
} from '../../../../../test/support/logs.ts';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const EMAIL = 'gone@example.com';

it('continues a cursor behind erased rows of its window', async () => {
  const tenant = await hub.newTenant('Erased');
  const node = await aNode(hub, tenant.tenantId);
  const send = (id: string, minutes: number, user_email: string | null) =>
    node.send('llm-requests', [
      aRequestLine({ id, timestamp: minutesAgo(minutes) }, { metadata: { user_email } }),
    ]);
  await send('first', 60, null);
  await send('erased', 50, EMAIL);
  await send('later', 20, null);
  const { secret } = await anExportKey(hub, { scope: 'all_apps' }, tenant);
  const page = (query: Record<string, string | number>) =>
    exportPage(hub, 'llmgateway', secret, query);
  const ids = (of: { events: { request: { id: string } }[] }) =>
    of.events.map(({ request }) => request.id);
  const end_time = minutesAgo(30);
  const first = await page({ limit: 1, end_time });
  expect(first.checkpoint).toMatchObject({ has_more: true, rows: 1 });
  const erased = await hub.console('POST', `/people/${EMAIL}/erase`, {
    tenantId: tenant.tenantId,
    token: tenant.adminToken,
  });
  expect(erased.status).toBe(200);
  const cursor = first.checkpoint.next_cursor;
  // The requested window is empty now, and the checkpoint reports that.
  const asked = await page({ cursor, end_time });
  expect(asked.checkpoint).toMatchObject({ rows: 0, has_more: false, next_cursor: cursor });
  const next = await page({ cursor });
  expect(ids(next)).toEqual(['later']);
  expect(next.checkpoint.effective_end_time).toBe(next.checkpoint.max_exportable_time);
  const last = await page({ cursor: next.checkpoint.next_cursor });
  expect(last.checkpoint).toMatchObject({
    rows: 0,
    has_more: false,
    next_cursor: next.checkpoint.next_cursor,
  });
});

it('bounds a window of LLM requests by times with milliseconds, like its rows', async () => {
  const tenant = await hub.newTenant('Window');
  const node = await aNode(hub, tenant.tenantId);
  const at = minutesAgo(60).slice(0, -1);
  const timestamp = `${at}400Z`;
  await node.send('llm-requests', [aRequestLine({ id: 'row', timestamp })]);
  await node.send('mcp-tool-calls', [aToolCallLine({ started_at: timestamp })]);
  const llm = (await anExportKey(hub, { scope: 'all_apps' }, tenant)).secret;
  const mcp = (await anExportKey(hub, { scope: 'all_backends' }, tenant)).secret;
  const from = await exportPage(hub, 'llmgateway', llm, { start_time: timestamp });
  expect(from.started.effective_start_time).toBe(`${at}Z`);
  expect(from.checkpoint.rows).toBe(1);
  const before = await exportPage(hub, 'llmgateway', llm, { end_time: timestamp });
  expect(before.checkpoint).toMatchObject({ effective_end_time: `${at}Z`, rows: 0 });
  // Tool calls have microseconds, and so have their windows.
  const end_time = `${at}900Z`;
  const call = await exportPage(hub, 'mcpgateway', mcp, { start_time: timestamp, end_time });
  expect(call.started).toMatchObject({
    effective_start_time: timestamp,
    effective_end_time: end_time,
  });
  expect(call.checkpoint.rows).toBe(1);
});

async function exportedText(endpoint: 'llmgateway' | 'mcpgateway', key: string): Promise<string> {
  const response = await fetch(`${hub.url}/${endpoint}/logs/export`, {
    headers: { 'x-gw-log-export-key': key },
  });
  expect(response.status).toBe(200);
  return response.text();
}

const NUMBERS =
  '{"id":12345678901234567890,"pi":3.14159265358979323846264338327950288,"small":1e-400,"list":[-9007199254740993,1,2.50],"text":"12345678901234567890"}';
const SHOWN = NUMBERS.replace('2.50', '2.5');

it('keeps every digit of numbers in free-form JSON', async () => {
  const tenant = await hub.newTenant('Digits');
  const node = await aNode(hub, tenant.tenantId);
  const line = JSON.stringify(
    aRequestLine(
      {},
      {
        tokens: { request: 7 },
        payload: {
          request_text: ['HERE'],
          response_text: '{"password":"x","id":12345678901234567890}',
        },
        metadata: { extra_data: { own: 'HERE', 'k\\"': 'HERE', rawJSON: '1' } },
        guardrails: { request_predictions: ['HERE'], response_predictions: ['HERE'] },
        telemetry: { processing_times: { big: 'HERE' }, chunk_funnel: { big: 'HERE' } },
      },
    ),
  ).replaceAll('"HERE"', NUMBERS);
  expect((await sendRaw(hub, node.token, 'llm-requests', line)).status).toBe(202);
  const { secret } = await anExportKey(hub, { scope: 'all_apps' }, tenant);
  const text = await exportedText('llmgateway', secret);
  expect(text.split(SHOWN).length - 1).toBe(7);
  expect(text).toContain(
    JSON.stringify('{"password":"[REDACTED]","id":12345678901234567890}').slice(1, -1),
  );
  expect(text).toContain('"rawJSON":"1"');
  const call = JSON.stringify(
    aToolCallLine(
      {},
      {
        payload: { tool_arguments: { at: 'HERE' }, response_content: ['HERE'] },
        metadata: { extra_data: { own: 'HERE' } },
        guardrails: { input: { predictions: ['HERE'] }, output: { predictions: ['HERE'] } },
      },
    ),
  )
    .replaceAll('"HERE"', NUMBERS)
    .replace('"request":{', '"request":{"id":12345678901234567890,');
  expect((await sendRaw(hub, node.token, 'mcp-tool-calls', call)).status).toBe(202);
  const calls = await anExportKey(hub, { scope: 'all_backends' }, tenant);
  const callLines = await exportedText('mcpgateway', calls.secret);
  expect(callLines.split(SHOWN).length - 1).toBe(5);
  expect(callLines).toContain('"id":"12345678901234567890"');
});

it('exports a number beyond doubles as callLines, and a typed field as a number', async () => {
  const tenant = await hub.newTenant('Beyond');
  const node = await aNode(hub, tenant.tenantId);
  const raw = (more: string) =>
    JSON.stringify(aRequestLine()).replace(/\}$/, `,${more.replaceAll("'", '"')}}`);
  const sent = await sendRaw(
    hub,
    node.token,
    'llm-requests',
    raw(
      "'metadata':{'extra_data':{'far':[1e400,-1E+999]}},'latency_ms':{'total':1.00000000000000000001}",
    ),
  );
  expect(sent.status).toBe(202);
  const { secret } = await anExportKey(hub, { scope: 'all_apps' }, tenant);
  const [event] = (await exportPage(hub, 'llmgateway', secret)).events;
  expect(event.metadata.extra_data).toEqual({ far: ['1e400', '-1E+999'] });
  expect(event.latency_ms.total).toBe(1);
  for (const bad of [
    "'payload':{'request_text':12345678901234567890}",
    "'latency_ms':{'total':1e400}",
    "'tokens':{'request':12345678901234567890}",
  ]) {
    const answer = await sendRaw(hub, node.token, 'llm-requests', raw(bad));
    expect(answer.status).toBe(400);
  }
});

it('completes a call by its event_id, whatever time the completion has', async () => {
  const tenant = await hub.newTenant('Completed');
  const node = await aNode(hub, tenant.tenantId);
  const event_id = randomUUID();
  const [first, second] = [minutesAgo(40), minutesAgo(39)];
  const completed_at = minutesAgo(38);
  await node.send('mcp-tool-calls', [aToolCallLine({ started_at: first }, { event_id })]);
  const later = aToolCallLine(
    { started_at: second, completed_at },
    { event_id, response: { success: true } },
  );
  const repeats = async () => {
    const metrics = await (await fetch(`${hub.url}/metrics`)).text();
    return Number(/kind="mcp_tool_call",result="duplicate"\} (\d+)/.exec(metrics)?.[1] ?? 0);
  };
  const before = await repeats();
  const answer = await node.send('mcp-tool-calls', [later]);
  expect(answer.body).toMatchObject({ accepted: 1, duplicates: 0 });
  expect(await repeats()).toBe(before);
  const again = await node.send('mcp-tool-calls', [later]);
  expect(again.body).toMatchObject({ accepted: 0, duplicates: 1 });
  expect(await repeats()).toBe(before + 1);
  const { secret } = await anExportKey(hub, { scope: 'all_backends' }, tenant);
  const { events } = await exportPage(hub, 'mcpgateway', secret);
  expect(events).toHaveLength(1);
  // The call keeps its position, which collectors may have passed.
  expect(events[0].request).toMatchObject({
    started_at: first.replace('Z', '000Z'),
    completed_at: completed_at.replace('Z', '000Z'),
    duration_ms: Date.parse(completed_at) - Date.parse(first),
  });
  expect(events[0].response.success).toBe(true);
});

const call = fc.record({
  minutes: fc.constantFrom(20, 60 * 24, 60 * 24 * 3),
  /** The delay of the start time in the completing line; null if the call never completes. */
  moved: fc.constantFrom(null, 0, 1, 60 * 24),
  repeats: fc.constantFrom(0, 1),
  endsFirst: fc.boolean(),
});

it('exports simultaneous calls of two hubs once and completed, in any order', async () => {
  const other = await startTestHub(hub.config);
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 20 }), async (calls) => {
        const tenant = await hub.newTenant('At once');
        const nodes = [
          await aNode(hub, tenant.tenantId),
          await aNode({ url: other.url, context: hub.context }, tenant.tenantId, 'other'),
        ];
        const lines = calls.flatMap(({ minutes, moved, repeats, endsFirst }, i) => {
          const of = { event_id: randomUUID(), tool: { name: `tool ${i}` } };
          const running = aToolCallLine({ started_at: minutesAgo(minutes) }, of);
          if (moved === null) return Array<object>(1 + repeats).fill(running);
          const done = aToolCallLine(
            { started_at: minutesAgo(minutes + moved), completed_at: minutesAgo(1) },
            { ...of, response: { success: true } },
          );
          const both = endsFirst ? [done, running] : [running, done];
          return repeats === 0 ? both : [...both, ...both];
        });
        const answers = await Promise.all(
          lines.map((line, i) => nodes[i % 2]?.send('mcp-tool-calls', [line])),
        );
        expect(answers.map((answer) => answer?.status)).toEqual(lines.map(() => 202));
        const { secret } = await anExportKey(hub, { scope: 'all_backends' }, tenant);
        const { events } = await exportPage(hub, 'mcpgateway', secret, {
          start_time: minutesAgo(60 * 24 * 10),
        });
        const results = events.map(({ tool, response }) => [tool.name, response.success]);
        expect(results.sort()).toEqual(
          calls.map(({ moved }, i) => [`tool ${i}`, moved === null ? null : true]).sort(),
        );
      }),
      { numRuns: propertyRuns(10) },
    );
  } finally {
    await other.stop();
  }
}, 240_000);
