// Budgets from the hub to the node: spend is added with each row, channels get an alert, and a spent budget that blocks refuses
// requests until it is raised.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestApp, type TestGateway } from '../../../test/support/gateway.ts';
import {
  chatCompletion,
  type LlmUpstream,
  sendJson,
  startLlmUpstream,
} from '../../../test/support/llm-upstream.ts';

let gateway: TestGateway;
let upstream: LlmUpstream;
let app: TestApp;

beforeAll(async () => {
  upstream = await startLlmUpstream((_call, response) => sendJson(response, chatCompletion('Hi')));
  gateway = await startTestGateway();
  app = await gateway.makeApp({ provider_settings: { api_key: 'k', base_url: upstream.url } });
  // 18 tokens of a request cost 18 dollars.
  await gateway.hub.console('PUT', '/llm/prices', {
    headers: { 'if-match': (await gateway.hub.console('GET', '/llm/prices')).body.version },
    body: { overrides: { m: { input_per_1m: 1_000_000, output_per_1m: 1_000_000 } } },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});

const ask = () =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] }),
  });
const budgets = async () => (await gateway.hub.console('GET', '/llm/budgets')).body;
const setBudget = (scope: string, monthly_usd: number, blocks = true) =>
  gateway.hub.console('PUT', `/llm/budgets/${scope}`, { body: { monthly_usd, blocks } });
const notices = async () => {
  const { rows } = await gateway.hub.context.database.pool.query(
    'SELECT scope, percent FROM llm_budget_notices WHERE tenant_id = $1 ORDER BY scope, percent',
    [gateway.hub.tenantId],
  );
  return rows;
};

test('refuses requests of an app with a spent budget until the budget is raised', async () => {
  const answer = await ask();
  expect(answer.status).toBe(200);
  await gateway.rowOf(answer.headers.get('x-request-id') ?? '');
  expect(await budgets()).toMatchObject({ spent_usd: 18, items: [] });
  const { body } = await setBudget(app.appId, 18);
  expect(body.budget).toMatchObject({
    ...{ scope: app.appId, app_id: app.appId, app_name: app.name, monthly_usd: 18 },
    ...{ spent_usd: 18, is_exhausted: true, blocks: true },
  });
  expect(await notices()).toEqual([{ scope: app.appId, percent: 100 }]);
  await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe(429);
  const refused = (await (await ask()).json()) as { error: { code: string; message: string } };
  expect(refused.error.code).toBe('budget_exhausted');
  expect(refused.error.message).toContain('budget of this app is spent');
  // Requests that passed before the node knew have cost more.
  await setBudget(app.appId, 1_000);
  await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe(200);
});

test('sends an alert once, and refuses nothing with a budget that only alerts', async () => {
  await setBudget('organization', 36, false);
  await setBudget('organization', 36, false);
  const { items } = await budgets();
  expect(items[0]).toMatchObject({ scope: 'organization', app_id: null, is_exhausted: false });
  const { context } = gateway.hub;
  const alert = { name: 'Ops', kind: 'webhook', url: 'https://example.com/hook' };
  expect((await gateway.hub.console('POST', '/alert-routes', { body: alert })).status).toBe(201);
  await setBudget('organization', 10, false);
  const { rows } = await context.database.pool.query(
    'SELECT subject AS about, severity FROM notification_deliveries WHERE tenant_id = $1',
    [gateway.hub.tenantId],
  );
  expect(rows).toEqual([{ about: 'budget_notice', severity: 'high' }]);
  const audit = await gateway.hub.console('GET', '/audit?operation=llm_budget.reached');
  const [latest] = audit.body.items;
  expect(latest).toMatchObject({
    ...{ actor: { kind: 'hub' }, resource: { kind: 'llm_budget', id: 'organization' } },
    detail: { percent: 100, monthly_usd: 10 },
  });
});

test('deletes a budget, and rejects a budget of an unknown app', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect((await setBudget(unknown, 1)).body.error.code).toBe('not_found');
  const remove = (scope: string) => gateway.hub.console('DELETE', `/llm/budgets/${scope}`);
  expect((await remove(app.appId)).status).toBe(200);
  expect((await remove(app.appId)).body.error.code).toBe('not_found');
  expect((await budgets()).items.map(({ scope }: { scope: string }) => scope)).toEqual([
    'organization',
  ]);
});
