// Both export endpoints over real HTTP: envelope, order, cursors, windows, keys and errors.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import {
  aNode,
  anExportKey,
  aRequestLine,
  aToolCallLine,
  exportPage,
  type LogNode,
  minutesAgo,
} from '../../../../../test/support/logs.ts';
import { type Management, makeApp, manage } from '../../../../../test/support/management.ts';

let hub: TestHub;
let api: Management;
let node: LogNode;
let allApps: string;

beforeAll(async () => {
  hub = await sharedTestHub();
  api = await manage(hub);
  await makeApp(api, 'Logged');
  node = await aNode(hub, hub.tenantId);
  allApps = (await anExportKey(hub, { scope: 'all_apps' })).secret;
});
afterAll(() => hub.stop());

describe('LLM request', () => {
  it('exports every field, redacted, in the envelope', async () => {
    const secret = `sk-${'proj-'}A1b2C3d4E5f6G7h8I9j0K1l2`;
    const line = aRequestLine(
      { id: 'full', timestamp: minutesAgo(20).replace('Z', '456Z'), endpoint: '/v1/chat?key=x' },
      {
        app: { name: ' LOGGED ' },
        payload: { request_text: { messages: [`my key ${secret}`] }, response_text: 'fine' },
        metadata: {
          extra_data: {
            user_email: 'A@Example.com',
            jwt_claims: { sub: 'x' },
            nested: { jwt_claims: { sub: 'x' }, text: '{"jwt_claims":{"sub":"x"},"b":1}' },
            conversation_id: 'c',
          },
        },
        guardrails: { actions_and_categories: { block: { secrets: ['api'] } }, is_blocked: true },
      },
    );
    const sent = await node.send('llm-requests', [line]);
    expect(sent).toMatchObject({ status: 202, body: { accepted: 1, duplicates: 0 } });
    const page = await exportPage(hub, 'llmgateway', allApps);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('application/x-ndjson');
    expect(page.started).toEqual({
      type: 'export_started',
      schema_version: 'v1',
      scope: 'all_apps',
      app_name: null,
      app_count: 1,
      effective_start_time: expect.stringMatching(/\.\d{3}Z$/),
      effective_end_time: expect.any(String),
      max_exportable_time: expect.any(String),
      end_time_clamped: false,
      limit: 1000,
    });
    expect(page.events).toEqual([
      {
        type: 'llmgateway.request',
        schema_version: 'v1',
        cursor: expect.any(String),
        app: { name: 'Logged' },
        request: {
          id: 'full',
          timestamp: line.request.timestamp.replace('456Z', 'Z'),
          endpoint: '/v1/chat',
          model: null,
          provider: null,
          stream: false,
          status_code: null,
          error_type: null,
          error_message: null,
        },
        tokens: {
          request: null,
          response: null,
          cache_read: 0,
          cache_write: null,
          reasoning: null,
          max_requested: null,
        },
        latency_ms: {
          upstream: null,
          gw_processing: null,
          guardrails: null,
          first_response: null,
          total: null,
        },
        guardrails: {
          outcome: null,
          is_blocked: true,
          is_anonymized: false,
          actions_and_categories: { block: { secrets: ['api'] } },
          request_predictions: [],
          response_predictions: [],
        },
        payload: {
          hydration_status: 'complete',
          request_text: { messages: ['my key [REDACTED_API_KEY]'] },
          response_text: 'fine',
        },
        metadata: {
          user_email: 'A@Example.com',
          conversation_id: 'c',
          client_ip: null,
          extra_data: {
            user_email: 'A@Example.com',
            nested: { text: '{"b":1}' },
            conversation_id: 'c',
          },
          sdk: null,
        },
        routing: { group_id: null, mode: null },
        telemetry: { processing_times: null, chunk_funnel: null },
      },
    ]);
    expect(page.checkpoint).toEqual({
      type: 'checkpoint',
      schema_version: 'v1',
      next_cursor: page.events[0].cursor,
      rows: 1,
      has_more: false,
      effective_end_time: page.started.effective_end_time,
      max_exportable_time: page.started.max_exportable_time,
    });
  });

  it('exports a request once, after the lag', async () => {
    const fresh = aRequestLine({ timestamp: minutesAgo(5) });
    const old = aRequestLine();
    expect((await node.send('llm-requests', [fresh, old, old])).body).toMatchObject({
      accepted: 2,
      duplicates: 1,
    });
    const again = aRequestLine({ id: old.request.id, timestamp: minutesAgo(60 * 24 * 3) });
    expect((await node.send('llm-requests', [again])).body).toMatchObject({
      accepted: 0,
      duplicates: 1,
    });
    const page = await exportPage(hub, 'llmgateway', allApps, {
      start_time: minutesAgo(60 * 24 * 4),
    });
    const ids = page.events.map((event) => event.request.id);
    expect(ids.filter((id) => id === old.request.id)).toHaveLength(1);
    expect(ids).not.toContain(fresh.request.id);
  });
});

describe('export pages', () => {
  it('orders rows by time and code point, and continues at the cursor', async () => {
    const timestamp = minutesAgo(60 * 26);
    const ids = ['b', 'a', 'Z', 'é', '😀', '\uffee', 'a!'];
    await node.send(
      'llm-requests',
      ids.map((id) => aRequestLine({ id, timestamp })),
    );
    const window = { start_time: timestamp, end_time: minutesAgo(60 * 25) };
    const seen: string[] = [];
    let query: Record<string, string | number> = { ...window, limit: 2 };
    for (;;) {
      const page = await exportPage(hub, 'llmgateway', allApps, query);
      seen.push(...page.events.map((event) => event.request.id));
      query = { cursor: page.checkpoint.next_cursor, limit: 2 };
      if (!page.checkpoint.has_more) break;
    }
    expect(seen).toEqual(['Z', 'a', 'a!', 'b', 'é', '\uffee', '😀']);
  });

  it('pins the cursor of an empty page to the end, and accepts it again', async () => {
    const window = { start_time: minutesAgo(60 * 200), end_time: minutesAgo(60 * 199) };
    const first = await exportPage(hub, 'llmgateway', allApps, window);
    expect(first.checkpoint).toMatchObject({ rows: 0, has_more: false });
    const cursor = first.checkpoint.next_cursor;
    const second = await exportPage(hub, 'llmgateway', allApps, { cursor, ...window });
    expect(second.checkpoint).toMatchObject({ rows: 0, has_more: false, next_cursor: cursor });
  });

  it('clamps an end however far away it is', async () => {
    for (const end_time of ['9999-12-31T23:59:59.999999Z', '2300-01-01', minutesAgo(-1)]) {
      const { status, started } = await exportPage(hub, 'llmgateway', allApps, { end_time });
      expect({ status, clamped: started.end_time_clamped }).toEqual({ status: 200, clamped: true });
      expect(started.effective_end_time).toBe(started.max_exportable_time);
    }
  });

  it.each([
    ['gzip', 'gzip'],
    ['*;q=0, gzip', 'gzip'],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', 'gzip'],
    ['gzip;q=0, *', null],
    ['identity, *;q=0', null],
  ])('compresses pages for clients that accept it: %s', async (asked, as) => {
    const response = await fetch(`${hub.url}/llmgateway/logs/export?limit=1`, {
      headers: { 'x-gw-log-export-key': allApps, 'accept-encoding': asked },
    });
    expect(response.headers.get('content-encoding')).toBe(as);
    expect(await response.text()).toContain('"checkpoint"');
  });
});

describe('export keys', () => {
  it("opens only the key's own scope, and nothing after revocation or deactivation", async () => {
    await makeApp(api, 'Other app');
    await node.send('llm-requests', [
      aRequestLine({ id: 'of-other' }, { app: { name: 'other app' } }),
      aRequestLine({ id: 'of-nobody' }, { app: { name: 'never heard of' } }),
    ]);
    const own = await anExportKey(hub, { scope: 'app', app_name: 'other app' });
    const page = await exportPage(hub, 'llmgateway', own.secret);
    expect(page.started).toMatchObject({ scope: 'app', app_name: 'Other app', app_count: 1 });
    expect(page.events.map((event) => event.request.id)).toEqual(['of-other']);
    const everything = await exportPage(hub, 'llmgateway', allApps);
    const names = everything.events.map((event) => event.app.name);
    expect(names).toContain('never heard of');
    // A cursor is bound to its scope.
    const cursor = everything.checkpoint.next_cursor;
    expect((await exportPage(hub, 'llmgateway', own.secret, { cursor })).lines[0].error.code).toBe(
      'invalid_cursor',
    );
    const app = await api.call('GET', '/apps/other%20app');
    await api.call('PATCH', '/apps/other%20app', {
      ifMatch: app.body.app.version,
      body: { enabled: false },
    });
    expect((await exportPage(hub, 'llmgateway', own.secret)).status).toBe(403);
    const without = await exportPage(hub, 'llmgateway', allApps);
    expect(without.events.map((event) => event.request.id)).not.toContain('of-other');
  });

  it('answers 401 to an invalid key, 403 to a key of the other endpoint, revoked or expired', async () => {
    expect((await exportPage(hub, 'llmgateway', '')).status).toBe(401);
    expect((await exportPage(hub, 'llmgateway', `gwl_${'a'.repeat(46)}`)).status).toBe(401);
    expect((await exportPage(hub, 'llmgateway', hub.agentToken)).status).toBe(401);
    const wrong = await exportPage(hub, 'mcpgateway', allApps);
    expect(wrong).toMatchObject({ status: 403 });
    const key = await anExportKey(hub, { scope: 'all_apps' });
    await hub.console('DELETE', `/log-export-keys/${key.keyId}`, {
      headers: { 'if-match': key.version },
    });
    const refused = await exportPage(hub, 'llmgateway', key.secret);
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.lines[0].error.code).toBe('log_export_key_inactive');
    const reveal = await hub.console('POST', `/log-export-keys/${key.keyId}/reveal`);
    expect(reveal.status).toBe(409);
  });
});

describe('tool calls', () => {
  it('exports calls by backend and for the tenant, with microseconds', async () => {
    const made = await hub.console('POST', '/mcp/backends', {
      body: {
        slug: 'weather',
        name: 'Weather',
        url: 'https://mcp.example.com/',
        auth: { kind: 'none' },
      },
    });
    expect(made.status).toBe(201);
    const backend = made.body.backend;
    const started_at = minutesAgo(40).replace('Z', '789Z');
    const line = aToolCallLine(
      { id: 7, started_at, completed_at: started_at.replace('789Z', '999Z') },
      {
        tool: { name: 'forecast' },
        payload: { tool_arguments: { city: 'Bern', api_key: 'x' } },
        metadata: {
          user_email: 'a@example.com',
          agent: 'client/1',
          extra_data: { headers: { a: 1 } },
        },
        response: { success: true },
      },
    );
    const sent = await node.send('mcp-tool-calls', [
      line,
      line,
      aToolCallLine({}, { backend: { name: 'gone' } }),
    ]);
    expect(sent).toMatchObject({ status: 202, body: { accepted: 2, duplicates: 1 } });
    const page = await exportPage(hub, 'mcpgateway', backend.log_export_key);
    expect(page.started).toMatchObject({ backend: { id: backend.id, name: 'Weather' } });
    expect(page.started).not.toHaveProperty('scope');
    expect(page.events).toEqual([
      {
        type: 'mcpgateway.tool_call',
        schema_version: 'v1',
        cursor: expect.any(String),
        backend: { id: backend.id, name: 'Weather' },
        request: {
          id: '7',
          log_id: expect.any(Number),
          started_at,
          completed_at: started_at.replace('789Z', '999Z'),
          duration_ms: 0.21,
        },
        auth: { mode: null },
        tool: { name: 'forecast' },
        guardrails: {
          input: { outcome: null, is_blocked: false, predictions: null },
          output: { outcome: null, is_blocked: false, predictions: null },
        },
        payload: {
          tool_arguments: { city: 'Bern', api_key: '[REDACTED]' },
          response_content: null,
        },
        response: { success: true, error_message: null },
        metadata: {
          user_email: 'a@example.com',
          agent: 'client/1',
          extra_data: { headers: '[REDACTED_HEADERS]' },
        },
      },
    ]);
    const { body } = await hub.console('POST', '/mcp/settings/reveal-tenant-log-export-key');
    const all = await exportPage(hub, 'mcpgateway', body.tenant_log_export_key);
    expect(all.started.scope).toEqual({
      type: 'tenant',
      tenant_id: hub.tenantId,
      backend_count: 1,
    });
    expect(all.events.map((event) => event.backend.name).sort()).toEqual(['Weather', 'gone']);
  });

  it('completes a running call in its place', async () => {
    const running = aToolCallLine({ started_at: minutesAgo(50) }, { tool: { name: 'slow' } });
    await node.send('mcp-tool-calls', [running]);
    const done = {
      ...running,
      request: { ...running.request, completed_at: minutesAgo(38) },
      response: { success: true },
    };
    expect((await node.send('mcp-tool-calls', [done])).body).toMatchObject({ accepted: 1 });
    expect((await node.send('mcp-tool-calls', [done])).body).toMatchObject({ duplicates: 1 });
    const { body } = await hub.console('POST', '/mcp/settings/reveal-tenant-log-export-key');
    const page = await exportPage(hub, 'mcpgateway', body.tenant_log_export_key);
    const [slow] = page.events.filter((event) => event.tool.name === 'slow');
    expect(slow.response.success).toBe(true);
  });
});
