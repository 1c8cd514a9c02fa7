// Test requests: a key of the tenant reaches the gateway, the answer comes with latency, tokens and cost, and nothing else is
// sent anywhere.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  cloneDatabase,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';
import {
  chatCompletion,
  type LlmUpstream,
  sendJson,
  startLlmUpstream,
} from '../../../../../test/support/llm-upstream.ts';
import { makeApp, makeProvider, manage } from '../../../../../test/support/management.ts';
import { readConfig } from '../../../platform/config/config.ts';

let hub: TestHub;
let gateway: LlmUpstream;
let key: string;

beforeAll(async () => {
  gateway = await startLlmUpstream(() => undefined);
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  hub = await startTestHub({
    ...{ ...hubConfig(await cloneDatabase()), allowedPrivateNetworks, llmGatewayUrl: gateway.url },
  });
  const api = await manage(hub);
  await makeProvider(api, 'priced', { model_costs: { m: { input_per_1m: 1_000_000 } } });
  await makeProvider(api, 'rerank', { provider_name: 'vendorH_rerank' });
  key = (await makeApp(api, 'help desk')).body.key.secret;
});
afterAll(async () => {
  await hub.stop();
  await gateway.stop();
});
beforeEach(() => {
  gateway.calls.length = 0;
  gateway.answerWith((_call, response) =>
    sendJson(response, chatCompletion('I can read this.'), 200, { 'x-request-id': 'r-1' }),
  );
});

const send = (body: object, token?: string) =>
  hub.console('POST', '/llm/test-requests', {
    body: { app_key: key, provider_label: 'priced', model: 'm', ...body },
    ...(token === undefined ? {} : { token }),
  });

test('returns the answer with latency, tokens and cost', async () => {
  const { status, body } = await send({});
  expect(status).toBe(200);
  expect(body.test).toMatchObject({
    ...{ outcome: 'answered', status: 200, text: 'I can read this.', gateway_request_id: 'r-1' },
    ...{ tokens_request: 11, tokens_response: 7, cost_usd: 11 },
  });
  expect(body.test.latency_ms).toBeGreaterThanOrEqual(0);
  expect(gateway.calls).toHaveLength(1);
  expect(gateway.calls[0]).toMatchObject({ method: 'POST', url: '/v1/chat/completions' });
  expect(gateway.calls[0]?.headers.authorization).toBe(`Bearer ${key}`);
});

test('returns the error of the gateway, and an address that does not answer', async () => {
  gateway.answerWith((_call, response) =>
    sendJson(response, { error: { message: 'The app has no such model.' } }, 404),
  );
  expect((await send({})).body.test).toMatchObject({
    ...{ outcome: 'refused', status: 404, text: 'The app has no such model.', cost_usd: null },
  });
  gateway.answerWith((_call, response) => void response.destroy());
  expect((await send({})).body.test).toMatchObject({ outcome: 'unreachable', status: null });
});

test('sends no key of another tenant, and no key to a provider without text', async () => {
  const other = await hub.newTenant('Other');
  const foreign = await manage({ ...hub, ...other });
  const foreignKey = (await makeApp(foreign, 'foreign')).body.key.secret;
  for (const change of [
    { app_key: foreignKey },
    { app_key: 'gwk_unknown' },
    { provider_label: 'none' },
  ]) {
    expect((await send(change)).body.error.code).toBe('not_found');
  }
  expect((await send({ provider_label: 'rerank' })).body.error.code).toBe('invalid_request');
  expect(gateway.calls).toEqual([]);
});

test('shows the address to viewers, and lets only administrators send', async () => {
  const viewer = await hub.tokenFor('Viewer');
  const address = await hub.console('GET', '/llm/gateway', { token: viewer });
  expect(address.body).toMatchObject({ url: gateway.url });
  expect((await send({}, viewer)).status).toBe(403);
  expect(gateway.calls).toEqual([]);
});
