// Cursors return each row beyond the lag once and in order, for any rows and page sizes, redacted with the current
// patterns.
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
} from '../../../../../test/support/logs.ts';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

const row = fc.record({
  // Few different times: ties are what goes wrong.
  minutes: fc.constantFrom(1, 14, 16, 17, 17, 90, 60 * 24 * 2, 60 * 24 * 14),
  id: fc.string({ minLength: 1, maxLength: 4, unit: 'grapheme' }),
  size: fc.constantFrom(0, 0, 0, 400_000),
});

it('pages through any LLM requests with any limits', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(row, { maxLength: 25, selector: ({ id }) => id }),
      fc.integer({ min: 1, max: 7 }),
      async (rows, limit) => {
        const tenant = await hub.newTenant('Paged');
        const node = await aNode(hub, tenant.tenantId);
        const base = Date.now();
        const lines = rows.map(({ minutes, id, size }) =>
          aRequestLine(
            { id, timestamp: new Date(base - minutes * 60_000).toISOString() },
            { payload: { request_text: 'x'.repeat(size) } },
          ),
        );
        if (lines.length > 0) expect((await node.send('llm-requests', lines)).status).toBe(202);
        const key = await anExportKey(hub, { scope: 'all_apps' }, tenant);
        const seen: string[] = [];
        let query: Record<string, string | number> = {
          limit,
          start_time: minutesAgo(60 * 24 * 15 - 1),
        };
        for (;;) {
          const page = await exportPage(hub, 'llmgateway', key.secret, query);
          expect(page.checkpoint.type).toBe('checkpoint');
          expect(page.events.length).toBeLessThanOrEqual(limit);
          expect(page.checkpoint.rows).toBe(page.events.length);
          seen.push(...page.events.map((event) => event.request.id));
          query = { limit, cursor: page.checkpoint.next_cursor };
          if (!page.checkpoint.has_more) break;
        }
        const expected = rows
          .filter(({ minutes }) => minutes > 15)
          .sort(
            (a, b) => b.minutes - a.minutes || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)),
          )
          .map(({ id }) => id.toWellFormed().replaceAll('\0', '\ufffd'));
        expect(seen).toEqual(expected);
      },
    ),
    { numRuns: propertyRuns(30) },
  );
}, 240_000);

it('orders tool calls of the same microsecond by their arrival', async () => {
  const tenant = await hub.newTenant('Tied');
  const node = await aNode(hub, tenant.tenantId);
  const started_at = minutesAgo(30).replace('Z', '007Z');
  const names = Array.from({ length: 20 }, (_, i) => `tool ${i}`);
  for (const name of names) {
    await node.send('mcp-tool-calls', [
      aToolCallLine({ started_at }, { event_id: randomUUID(), tool: { name } }),
    ]);
  }
  const key = await anExportKey(hub, { scope: 'all_backends' }, tenant);
  const seen: string[] = [];
  let query: Record<string, string | number> = { limit: 3 };
  for (;;) {
    const page = await exportPage(hub, 'mcpgateway', key.secret, query);
    seen.push(...page.events.map((event) => event.tool.name));
    query = { limit: 3, cursor: page.checkpoint.next_cursor };
    if (!page.checkpoint.has_more) break;
  }
  expect(seen).toEqual(names);
});

it('exports a late row to readers before its position, and counts it', async () => {
  const tenant = await hub.newTenant('Late');
  const node = await aNode(hub, tenant.tenantId, 'late-node');
  await node.send('llm-requests', [aRequestLine({ id: 'late', timestamp: minutesAgo(100) })]);
  const { body } = await hub.console('GET', '/llm/requests', {
    tenantId: tenant.tenantId,
    token: tenant.adminToken,
  });
  expect(body.items.map((event: { request_id: string }) => event.request_id)).toEqual(['late']);
  const metrics = await (await fetch(`${hub.url}/metrics`)).text();
  expect(metrics).toMatch(
    /gatewarden_late_log_rows_total\{kind="llm_request",node="late-node"\} 1/,
  );
});

it('redacts a row with the current patterns beyond those of its arrival', async () => {
  const tenant = await hub.newTenant('older-rules');
  const own = await aNode(hub, tenant.tenantId);
  await own.send('llm-requests', [
    aRequestLine({ timestamp: minutesAgo(20) }, { metadata: { extra_data: { kept: 'yes' } } }),
  ]);
  const older = '{"kept":"yes","JWT-Claims":{"sub":"x"},"note":"password=hunter2"}';
  await hub.context.database.pool.query(
    `UPDATE llm_requests SET redaction_version = 0, event = replace(event, '{"kept":"yes"}', $2)
     WHERE tenant_id = $1`,
    [tenant.tenantId, older],
  );
  const { secret } = await anExportKey(hub, { scope: 'all_apps' }, tenant);
  const [event] = (await exportPage(hub, 'llmgateway', secret)).events;
  const shown = { kept: 'yes', note: 'password=[REDACTED]' };
  expect(event.metadata.extra_data).toEqual(shown);
  const { body } = await hub.console('GET', '/llm/requests', {
    tenantId: tenant.tenantId,
    token: tenant.adminToken,
  });
  expect(body.items[0].event.metadata.extra_data).toEqual(shown);
});

it('keeps claims of an old tool call, which only LLM requests lose', async () => {
  const tenant = await hub.newTenant('older-calls');
  const own = await aNode(hub, tenant.tenantId);
  const extra = { jwt_claims: { sub: 'x' }, note: 'kept' };
  await own.send('mcp-tool-calls', [
    aToolCallLine({ started_at: minutesAgo(20) }, { metadata: { extra_data: extra } }),
  ]);
  await hub.context.database.pool.query(
    `UPDATE mcp_tool_calls SET redaction_version = 0,
       event = replace(event, '"kept"', '"password=hunter2"'), tool_name = $2
     WHERE tenant_id = $1`,
    [tenant.tenantId, `sk-${'proj'}-A1b2C3d4E5f6G7h8I9j0K1l2`],
  );
  const { secret } = await anExportKey(hub, { scope: 'all_backends' }, tenant);
  const [event] = (await exportPage(hub, 'mcpgateway', secret)).events;
  const shown = { jwt_claims: { sub: 'x' }, note: 'password=[REDACTED]' };
  expect(event.metadata.extra_data).toEqual(shown);
  const { body } = await hub.console('GET', '/mcp/tool-calls', {
    tenantId: tenant.tenantId,
    token: tenant.adminToken,
  });
  expect(body.items[0]).toMatchObject({
    tool: '[REDACTED_API_KEY]',
    event: { metadata: { extra_data: shown } },
  });
});
