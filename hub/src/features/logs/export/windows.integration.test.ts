// Windows of the exports end at max_exportable_time, and invalid requests are rejected before the stream.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { anExportKey, exportPage, minutesAgo } from '../../../../../test/support/logs.ts';

let hub: TestHub;
let allApps: string;
let allBackends: string;

beforeAll(async () => {
  hub = await sharedTestHub();
  allApps = (await anExportKey(hub, { scope: 'all_apps' })).secret;
  allBackends = (await anExportKey(hub, { scope: 'all_backends' })).secret;
});
afterAll(() => hub.stop());

describe('export window', () => {
  it.each([
    ['llmgateway', 'inside the lag', minutesAgo(2), {}],
    ['llmgateway', 'in an hour', minutesAgo(-60), {}],
    ['llmgateway', 'in a century', '2126-01-01', { end_time: '2127-01-01' }],
    ['llmgateway', 'inside the lag, for metrics', minutesAgo(2), { view: 'metrics' }],
    ['mcpgateway', 'inside the lag', minutesAgo(14), {}],
    ['mcpgateway', 'in a second', minutesAgo(-1 / 60), { end_time: minutesAgo(-5) }],
  ] as const)(
    'rejects for %s a start_time %s and names max_exportable_time',
    async (gateway, _when, start_time, more) => {
      const key = gateway === 'llmgateway' ? allApps : allBackends;
      const refused = await exportPage(hub, gateway, key, { start_time, ...more });
      expect(refused.status).toBe(400);
      expect(refused.lines[0].error).toEqual({
        code: 'invalid_request',
        message: expect.stringMatching(
          /^\/query\/start_time must not be after max_exportable_time, which is \d{4}-.*Z$/,
        ),
      });
    },
  );

  it('never ends a window or pins a cursor after max_exportable_time', async () => {
    const { started } = await exportPage(hub, 'llmgateway', allApps, { limit: 1 });
    const start_time = started.max_exportable_time;
    for (const end_time of [minutesAgo(1), minutesAgo(-60), '2300-01-01']) {
      const page = await exportPage(hub, 'llmgateway', allApps, { start_time, end_time });
      expect(page.checkpoint.rows).toBe(0);
      expect(page.started.end_time_clamped).toBe(true);
      expect(page.started.effective_end_time <= page.started.max_exportable_time).toBe(true);
      // The cursor is pinned to the effective end, so that the next page begins there.
      const next = await exportPage(hub, 'llmgateway', allApps, {
        cursor: page.checkpoint.next_cursor,
      });
      expect(next.started.effective_start_time).toBe(page.started.effective_end_time);
    }
  });

  it('prefers a cursor to a valid start_time, and rejects a malformed start_time', async () => {
    const { checkpoint } = await exportPage(hub, 'llmgateway', allApps, { limit: 1 });
    const cursor = checkpoint.next_cursor;
    const start = (start_time: string) =>
      exportPage(hub, 'llmgateway', allApps, { cursor, start_time });
    const alone = await exportPage(hub, 'llmgateway', allApps, { cursor });
    const beside = await start('2126-01-01');
    expect(beside.started.effective_start_time).toBe(alone.started.effective_start_time);
    expect((await start('2026-11-20 10:00:00Z')).status).toBe(400);
  });
});

const DAY = 60 * 24;
const HOUR_AGO = minutesAgo(60);
describe('rejection before the stream', () => {
  it.each([
    [{ limit: '0' }, 400, 'invalid_request'],
    [{ limit: '1.5' }, 400, 'invalid_request'],
    [{ limit: '-1' }, 400, 'invalid_request'],
    [{ limit: '' }, 400, 'invalid_request'],
    [{ start_time: 'yesterday' }, 400, 'invalid_request'],
    [{ start_time: '2026-11-20T10:00:00 00:00' }, 400, 'invalid_request'],
    [{ start_time: '2026-02-30T10:00:00Z' }, 400, 'invalid_request'],
    [{ start_time: HOUR_AGO, end_time: HOUR_AGO }, 400, 'invalid_request'],
    [{ start_time: minutesAgo(60), end_time: minutesAgo(70) }, 400, 'invalid_request'],
    [{ start_time: minutesAgo(15 * DAY + 1) }, 400, 'before_retention'],
    [{ end_time: minutesAgo(15 * DAY + 1) }, 400, 'before_retention'],
    [{ end_time: minutesAgo(15 * DAY - 60) }, 400, 'before_retention'],
    [{ cursor: 'nonsense' }, 400, 'invalid_cursor'],
    [{ start_time: '2026\0' }, 400, 'invalid_request'],
    [{ start_time: HOUR_AGO.replace('T', ' ') }, 400, 'invalid_request'],
    [{ end_time: HOUR_AGO.replace('T', ' ') }, 400, 'invalid_request'],
    [{ nonsense: '1' }, 400, 'invalid_request'],
    [{ star_time: HOUR_AGO }, 400, 'invalid_request'],
    [{ START_TIME: HOUR_AGO }, 400, 'invalid_request'],
    [{ view: 'logs', tenant_id: 'x' }, 400, 'invalid_request'],
  ])('rejects %j', async (query, status, code) => {
    const page = await exportPage(hub, 'llmgateway', allApps, query as Record<string, string>);
    expect(page.status).toBe(status);
    expect(page.headers.get('content-type')).toBe('application/x-ndjson');
    expect(page.lines).toEqual([{ type: 'error', error: { message: expect.any(String), code } }]);
  });

  it('reduces a limit that is too large to 5000', async () => {
    const page = await exportPage(hub, 'llmgateway', allApps, { limit: '99999999999999999999' });
    expect(page.started.limit).toBe(5000);
  });

  it.each(['nonsense=1', 'view=logs', 'limit=1&limit=2'])(
    'rejects the MCP export query ?%s',
    async (query) => {
      const response = await fetch(`${hub.url}/mcpgateway/logs/export?${query}`, {
        headers: { 'x-gw-log-export-key': allBackends },
      });
      expect(response.status).toBe(400);
      expect(response.headers.get('content-type')).toBe('application/x-ndjson');
      expect(await response.text()).toMatch(/"code":"invalid_request"/);
    },
  );

  it('answers an error of the metrics view as a single JSON object', async () => {
    const response = await fetch(`${hub.url}/llmgateway/logs/export?view=metrics&nonsense=1`, {
      headers: { 'x-gw-log-export-key': allApps },
    });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_request' } });
  });

  it('answers an unknown view with a single JSON object', async () => {
    const response = await fetch(`${hub.url}/llmgateway/logs/export?view=x`, {
      headers: { 'x-gw-log-export-key': allApps },
    });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({ type: 'error', error: { code: 'invalid_view' } });
  });
});
