// Settings of an app have their effect on the client, on the provider and on the row.
import Anthropic from '@anthropic-ai/sdk';
import { importCatalog } from '@gatewarden/hub/src/features/management/imports/index.ts';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, type TestGateway, useGateway } from '../../../test/support/gateway.ts';
import {
  chatChunks,
  chatCompletion,
  type LlmUpstream,
  message,
  messageEvents,
  sendEvents,
  sendJson,
} from '../../../test/support/llm-upstream.ts';

const CARD = '4111 1111 1111 1111';
let gateway: TestGateway;
let upstream: LlmUpstream;

useGateway((started) => {
  ({ gateway, upstream } = started);
});
beforeEach(() => {
  upstream.answerWith((call, response) => {
    const text = `Echo: ${call.json.messages?.at(-1)?.content ?? ''}`;
    sendJson(response, chatCompletion(text, call.json.model));
  });
});

const makeApp = (app: Record<string, unknown>, models: string[] = ['m']) =>
  gateway.makeApp({
    provider_settings: { api_key: 'sk-upstream', base_url: upstream.url },
    selected_models: models,
    app,
  });

interface Answer {
  status: number;
  headers: Headers;
  id: string;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  json: any;
}

async function post(
  app: TestApp,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const id = response.headers.get('x-request-id') ?? '';
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    headers: response.headers,
    id,
    text,
    json: isJson ? JSON.parse(text) : null,
  };
}

const ask = (
  app: TestApp,
  content = 'Hello',
  more: object = {},
  headers: Record<string, string> = {},
) =>
  post(
    app,
    '/v1/chat/completions',
    { model: 'm', messages: [{ role: 'user', content }], ...more },
    headers,
  );

const guarded = (action: string, scope = 'both') => ({
  detection: {
    enabled_categories: { pci: true },
    category_actions: { pci: action },
    category_scopes: { pci: scope },
  },
});

describe('guardrail', () => {
  test('redacts a request before it reaches the provider, and the row', async () => {
    const app = await makeApp(guarded('redact', 'request'));
    const { status, id } = await ask(app, `My card is ${CARD}.`);
    expect(status).toBe(200);
    expect(upstream.calls[0]?.body.toString()).not.toContain(CARD);
    expect(upstream.calls[0]?.json.messages[0].content).toMatch(/^My card is \[REDACTED/);
    const row = await gateway.rowOf(id);
    expect(row.guardrails).toMatchObject({
      outcome: 'redacted',
      is_anonymized: true,
      is_blocked: false,
    });
    expect(row.guardrails?.actions_and_categories).toMatchObject({
      redact: { pci: expect.any(Array) },
    });
    expect(JSON.stringify(row)).not.toContain(CARD);
  });

  test('blocks a request, which never reaches the provider', async () => {
    const app = await makeApp(guarded('block'));
    const { status, json, id } = await ask(app, `My card is ${CARD}.`);
    expect(status).toBe(403);
    expect(json.error).toMatchObject({ code: 'guardrail_blocked', type: 'permission_error' });
    expect(upstream.calls).toEqual([]);
    expect(await gateway.rowOf(id)).toMatchObject({
      request: { status_code: 403, error_type: 'guardrail_blocked' },
      guardrails: { outcome: 'blocked', is_blocked: true },
    });
  });

  test('redacts an answer', async () => {
    const app = await makeApp(guarded('redact', 'response'));
    upstream.answerWith((_call, response) => sendJson(response, chatCompletion(`It is ${CARD}.`)));
    const { json } = await ask(app);
    expect(json.choices[0].message.content).toMatch(/^It is \[REDACTED.*\]\.$/);
  });

  test.each([
    ['/v1/chat/completions', 'vendorA', (pieces: string[]) => chatChunks(pieces)],
    ['/v1/messages', 'vendorC_messages', (pieces: string[]) => messageEvents(pieces)],
  ])(
    'redacts a card that is split over chunks of a stream: %s',
    async (path, provider_name, events) => {
      const app = await gateway.makeApp({
        ...{ provider_name, app: guarded('redact', 'response') },
        provider_settings: { api_key: 'k', base_url: upstream.url },
      });
      upstream.answerWith((_call, response) =>
        sendEvents(response, events(['It is 4111 ', '1111 11', '11 1111, ', 'thanks.'])),
      );
      const body = {
        model: 'm',
        stream: true,
        max_tokens: 5,
        messages: [{ role: 'user', content: 'x' }],
      };
      const { text, id } = await post(app, path, body);
      const pieces = [...text.matchAll(/"(?:content|text)":"((?:[^"\\]|\\.)*)"/g)].map(
        ([, piece]) => piece,
      );
      expect(pieces.join('')).toMatch(/^It is \[REDACTED[^\]]*\], thanks\.$/);
      expect(text).toMatch(/(\[DONE\]|message_stop)/);
      expect((await gateway.rowOf(id)).payload?.response_text).toMatch(/^It is \[REDACTED/);
    },
  );

  test('ends a stream with an error of the API when it blocks', async () => {
    const app = await makeApp(guarded('block', 'response'));
    upstream.answerWith((_call, response) =>
      sendEvents(response, chatChunks([`It is ${CARD}`, '.'])),
    );
    const { text, id } = await ask(app, 'x', { stream: true });
    expect(text).not.toContain('4111');
    expect(text).toContain('"code":"guardrail_blocked"');
    expect((await gateway.rowOf(id)).guardrails).toMatchObject({ is_blocked: true });
  });

  test('enforces patterns and exact values of imported definitions', async () => {
    const { hub } = gateway;
    const definitions = [
      { edm_id: 'codes', name: 'Codes', patterns: [{ pattern: 'X-[0-9]{4}' }] },
      { edm_id: 'clients', name: 'Clients', kind: 'edm', values: ['Byron Ltd'] },
    ];
    const file = JSON.stringify({ custom_definitions: definitions });
    await importCatalog(
      { db: hub.context.database.db, sealer: hub.context.sealer },
      hub.tenantId,
      file,
    );
    const app = await makeApp({
      detection: {
        custom_definitions: definitions.map(({ edm_id }) => ({
          ...{ definition_id: edm_id, action: 'redact', scope: 'request' },
        })),
      },
    });
    const { id } = await ask(app, 'X-1234 is of Byron Ltd.');
    expect(upstream.calls[0]?.json.messages[0].content).toBe(
      '[REDACTED_CODES] is of [REDACTED_CLIENTS].',
    );
    expect((await gateway.rowOf(id)).guardrails?.actions_and_categories).toMatchObject({
      redact: { codes: ['Codes'], edm: ['clients'] },
    });
  });

  test('reports settings that a node cannot enforce in the row', async () => {
    const app = await makeApp({ detection: { scan_images: true } });
    const row = await gateway.rowOf((await ask(app)).id);
    expect(row.metadata?.extra_data).toMatchObject({
      guardrails_not_enforced: ['/detection/scan_images'],
    });
  });
});

describe('check', () => {
  test.each([
    ['sdk', '/sdk/v1/check'],
    ['vendorB_studio', '/studio/v1/check'],
  ])('returns a verdict to an app of the mode %s', async (mode, path) => {
    const created = await gateway.api.call('POST', '/apps', {
      body: { name: `check ${mode}`, mode, ...guarded('redact') },
    });
    const app = { key: created.body.key.secret } as TestApp;
    const check = () => post(app, path, { input: [`Card ${CARD}`], output: 'fine' });
    await expect.poll(async () => (await check()).status, { interval: 20 }).toBe(200);
    const { json, id } = await check();
    expect(json).toMatchObject({ outcome: 'redacted', is_blocked: false, output: 'fine' });
    expect(json.input[0]).toMatch(/^Card \[REDACTED/);
    expect(await gateway.rowOf(id)).toMatchObject({
      request: { endpoint: path, status_code: 200 },
    });
    expect((await ask(app)).json.error.code).toBe('wrong_app_mode');
  });
});

describe('limit', () => {
  test('rejects with 429 and Retry-After above the rate', async () => {
    const app = await makeApp({ limits: { rate_limit: { value: 2, duration: 'hour' } } });
    expect([(await ask(app)).status, (await ask(app)).status]).toEqual([200, 200]);
    const { status, headers, json } = await ask(app);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(json.error.code).toBe('rate_limit_exceeded');
  });

  test('rejects a request with too many input tokens', async () => {
    const app = await makeApp({ limits: { token_limits: { max_per_request: 20 } } });
    expect((await ask(app, 'short')).status).toBe(200);
    expect((await ask(app, 'word '.repeat(50))).json.error.code).toBe('too_many_input_tokens');
  });
});

describe('access', () => {
  test('rejects another source address', async () => {
    const app = await makeApp({ access: { allowed_source_ips: ['192.0.2.0/24'] } });
    const { json, id } = await ask(app);
    expect(json.error.code).toBe('source_address_denied');
    expect(await gateway.rowOf(id)).toMatchObject({ metadata: { client_ip: '127.0.0.1' } });
  });

  test('requires an identity of an allowed domain, and logs it with the conversation', async () => {
    const app = await makeApp({
      access: {
        ...{ enforce_identity: true, identity_header_mode: true, enforce_conversation_id: true },
        ...{ identity_token_headers: ['x-person'], allowed_user_domains: ['example.com'] },
      },
    });
    expect((await ask(app)).json.error.code).toBe('identity_required');
    const as = (email: string) =>
      ask(app, 'x', {}, { 'x-person': email, 'x-conversation-id': 'c-1' });
    expect((await as('eve@evil.example')).json.error.code).toBe('user_not_allowed');
    const { id, status } = await as('ada@example.com');
    expect(status).toBe(200);
    expect((await gateway.rowOf(id)).metadata).toMatchObject({
      ...{ user_email: 'ada@example.com', conversation_id: 'c-1' },
    });
    expect(upstream.calls[0]?.headers['x-person']).toBe(undefined);
  });

  test('refuses a disabled app within two seconds', async () => {
    const app = await makeApp({});
    await gateway.api.call('PATCH', `/apps/${encodeURIComponent(app.name)}`, {
      ifMatch: app.version,
      body: { enabled: false },
    });
    const startedAt = performance.now();
    await expect
      .poll(async () => (await ask(app)).json.error?.code, { interval: 20 })
      .toBe('app_disabled');
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

describe('failover', () => {
  const group = (weights: Record<string, number>) => ({
    routing_groups: [
      {
        ...{ group_name: 'smart', group_kind: 'chat_completion' },
        models: Object.entries(weights).map(([model_name, weight]) => ({
          ...{ provider_name: 'vendorA', model_name, weight },
        })),
      },
    ],
  });

  test('continues with the next model of a routing group after a 503', async () => {
    const app = await makeApp({ routing: group({ m1: 50, m2: 50 }) }, ['m1', 'm2']);
    let refused = '';
    upstream.answerWith((call, response) => {
      refused ||= call.json.model;
      if (call.json.model === refused) sendJson(response, { error: { message: 'busy' } }, 503);
      else sendJson(response, chatCompletion('fine', call.json.model));
    });
    const { status, id } = await ask(app, 'x', { model: 'smart' });
    expect(status).toBe(200);
    const row = await gateway.rowOf(id);
    expect(row).toMatchObject({
      request: { model: 'smart', status_code: 200 },
      routing: { group_id: 'smart', mode: 'weighted' },
    });
    expect(row.telemetry?.processing_times).toMatchObject({
      attempts: [{ result: 503 }, { result: 200 }],
    });
  });

  test('counts against the limit of each model that it reaches', async () => {
    const rate_limit = { value: 1, duration: 'hour' };
    const app = await makeApp({ routing: group({ m1: 50, m2: 50 }) }, ['m1', 'm2']);
    await gateway.api.call('PATCH', `/apps/${encodeURIComponent(app.name)}`, {
      ifMatch: app.version,
      body: {
        limits: { model_rate_limits: [{ provider_label: app.label, model: 'm2', rate_limit }] },
      },
    });
    upstream.answerWith((call, response) => {
      if (call.json.model === 'm1') sendJson(response, { error: { message: 'busy' } }, 503);
      else sendJson(response, chatCompletion('fine', call.json.model));
    });
    // The node may not have the limit yet; a request to the model itself is refused as soon as it has.
    await expect
      .poll(async () => (await ask(app, 'x', { model: 'm2' })).status, { interval: 20 })
      .toBe(429);
    upstream.calls.length = 0;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask(app, 'x', { model: 'smart' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(503));
    expect(upstream.calls.map(({ json }) => json.model)).toEqual(Array(8).fill('m1'));
  });
});

test('inserts a stored prompt, and requires one from the store', async () => {
  const app = await makeApp({ prompts: { require_system_from_store: true } });
  await gateway.api.call('PUT', `/apps/${encodeURIComponent(app.name)}/prompts/tone`, {
    ifMatch: app.version,
    body: { content: 'Be {{mood}}.' },
  });
  const headers = { 'x-gw-prompt-id': 'tone', 'x-gw-prompt-variables': '{"mood":"kind"}' };
  await expect
    .poll(async () => (await ask(app, 'x', {}, headers)).status, { interval: 20 })
    .toBe(200);
  expect(upstream.calls.at(-1)?.json.messages[0]).toEqual({ role: 'system', content: 'Be kind.' });
  expect((await ask(app)).json.error.code).toBe('system_prompt_required');
});

test('shortens texts where token saving is on', async () => {
  const app = await makeApp({ transformations: { token_saving: { html_to_text: true } } });
  await ask(app, '<p>Hello <b>you</b></p>');
  expect(upstream.calls[0]?.json.messages[0].content).toBe('Hello you');
});

describe('the models of an app', () => {
  const names = ['m1', 'vendor/m2'];
  const clientsOf = ({ key }: { key: string }) => ({
    openai: new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, maxRetries: 0 }),
    anthropic: new Anthropic({ baseURL: gateway.url, apiKey: key, maxRetries: 0 }),
    google: new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.url } }),
  });

  test('lists the models in the shape of each vendor', async () => {
    const { openai, anthropic, google } = clientsOf(await makeApp({}, names));
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(names);
    expect((await anthropic.models.list()).data.map(({ id }) => id)).toEqual(names);
    const listed = await google.models.list();
    expect(listed.page.map(({ name }) => name)).toEqual(['models/m1', 'models/vendor/m2']);
  });

  test('describes a model by its name', async () => {
    const { openai, anthropic, google } = clientsOf(await makeApp({}, names));
    expect(await openai.models.retrieve('vendor/m2')).toMatchObject({ id: 'vendor/m2' });
    expect(await anthropic.models.retrieve('m1')).toMatchObject({ type: 'model', id: 'm1' });
    expect(await google.models.get({ model: 'm1' })).toMatchObject({ name: 'models/m1' });
  });

  test('answers 404 for a model that the app does not offer', async () => {
    const { openai, anthropic, google } = clientsOf(await makeApp({}, names));
    await expect(openai.models.retrieve('m9')).rejects.toThrow(OpenAI.NotFoundError);
    await expect(anthropic.models.retrieve('m9')).rejects.toThrow(Anthropic.NotFoundError);
    await expect(google.models.get({ model: 'm9' })).rejects.toMatchObject({ status: 404 });
  });
});

test('refuses a model that the app does not offer, and an API that its provider does not', async () => {
  const app = await makeApp({});
  expect((await ask(app, 'x', { model: 'other' })).json.error.code).toBe('model_not_found');
  const messages = [{ role: 'user', content: 'x' }];
  const refused = await post(app, '/v1/messages', { model: 'm', max_tokens: 1, messages });
  expect(refused.json).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
  upstream.answerWith((_call, response) => sendJson(response, message('x')));
});
