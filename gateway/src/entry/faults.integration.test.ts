// Faults of providers, clients and the hub reach the client as errors of its API, and never stop the node.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { makeSecret } from '@gatewarden/shared/secrets.ts';
import { describe, expect, test } from 'vitest';
import { type TestApp, type TestGateway, useGateway } from '../../../test/support/gateway.ts';
import {
  chatChunks,
  chatCompletion,
  encodeEvent,
  type LlmUpstream,
  sendEvents,
  sendJson,
} from '../../../test/support/llm-upstream.ts';
import { startGateway } from '../app.ts';
import { readSettings } from '../config/settings.ts';
import { createLog } from '../telemetry/log.ts';

let gateway: TestGateway;
let upstream: LlmUpstream;
let app: TestApp;

useGateway(async (started) => {
  ({ gateway, upstream } = started);
  app = await gateway.makeApp({
    provider_settings: { api_key: 'sk-upstream-secret', base_url: upstream.url },
    app: { limits: { timeout: 1 } },
  });
});

const QUESTION = { model: 'm', messages: [{ role: 'user', content: 'Hello?' }] };

async function ask(
  body: unknown = QUESTION,
  init: RequestInit = {},
  key = app.key,
  url = gateway.url,
) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });
  const text = await response.text();
  const id = response.headers.get('x-request-id') ?? '';
  return { status: response.status, headers: response.headers, id, text };
}

describe('provider', () => {
  test('answers 502 if the provider refuses the connection', async () => {
    const closed = await gateway.makeApp({
      provider_settings: { api_key: 'k', base_url: 'http://127.0.0.1:1' },
    });
    const { status, text, id } = await ask(QUESTION, {}, closed.key);
    expect(status).toBe(502);
    expect(JSON.parse(text).error.code).toBe('upstream_connection_failed');
    expect(await gateway.rowOf(id)).toMatchObject({
      request: { status_code: 502, error_type: 'upstream_connection_failed' },
    });
  });

  test('refuses a provider at a private address', async () => {
    const metadata = await gateway.makeApp({
      provider_settings: { api_key: 'k', base_url: 'http://169.254.169.254/latest' },
    });
    const { status, text } = await ask(QUESTION, {}, metadata.key);
    expect(status).toBe(502);
    expect(JSON.parse(text).error).toMatchObject({ code: 'upstream_address_refused' });
    expect(text).not.toContain('169.254');
  });

  test('gives up after the timeout of the app', async () => {
    upstream.answerWith(() => undefined);
    const { status, text } = await ask();
    expect(status).toBe(504);
    expect(JSON.parse(text).error.code).toBe('upstream_timeout');
  });

  test('ends a stream with an error if the provider stops in its middle', async () => {
    upstream.answerWith((_call, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of chatChunks(['Hel']).slice(0, 2)) response.write(encodeEvent(event));
    });
    const { text, id } = await ask({ ...QUESTION, stream: true });
    expect(text).toContain('"content":"Hel"');
    expect(text).toContain('"code":"upstream_timeout"');
    expect(await gateway.rowOf(id)).toMatchObject({ request: { error_type: 'upstream_timeout' } });
  });

  test('records a stream that the provider cut', async () => {
    upstream.answerWith((_call, response) => sendEvents(response, chatChunks(['Hel']).slice(0, 2)));
    const { id } = await ask({ ...QUESTION, stream: true });
    expect(await gateway.rowOf(id)).toMatchObject({
      request: { error_type: 'upstream_truncated' },
    });
  });

  test.each([
    [429, { 'retry-after': '7' }],
    [500, {}],
    [400, {}],
  ])('passes on the status %i with the error of the provider', async (status, headers) => {
    upstream.answerWith((_call, response) =>
      sendJson(response, { error: { message: 'of the provider' } }, status, headers),
    );
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text).error.message).toBe('of the provider');
    expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
    expect(await gateway.rowOf(answer.id)).toMatchObject({
      request: {
        status_code: status,
        error_type: `upstream_${status}`,
        error_message: 'of the provider',
      },
    });
  });

  test('answers 502 if the provider refuses the stored credentials', async () => {
    upstream.answerWith((_call, response) =>
      sendJson(response, { error: { message: 'Incorrect API key: sk-upstream-secret' } }, 401),
    );
    const { status, text, id } = await ask();
    expect(status).toBe(502);
    expect(JSON.parse(text).error.code).toBe('provider_unauthorized');
    expect(JSON.stringify(await gateway.rowOf(id))).not.toContain('sk-upstream-secret');
  });

  test('passes on invalid JSON and huge answers unchanged', async () => {
    upstream.answerWith((_call, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"cut":');
    });
    expect((await ask()).text).toBe('{"cut":');
    const huge = 'x'.repeat(12 * 2 ** 20);
    upstream.answerWith((_call, response) => sendJson(response, chatCompletion(huge)));
    expect((await ask()).text).toHaveLength(JSON.stringify(chatCompletion(huge)).length);
  });
});

test('passes on a compressed answer with its encoding', async () => {
  const bytes = gzipSync(JSON.stringify(chatCompletion('compressed')));
  upstream.answerWith((_call, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(bytes);
  });
  expect(JSON.parse((await ask()).text).choices[0].message.content).toBe('compressed');
});

describe('client', () => {
  test.each([
    ['{"model":', 400, 'invalid_json'],
    ['[]', 400, 'invalid_json'],
    ['{"messages":[]}', 400, 'model_required'],
    ['{"model":"m","messages":[],"mess\\u0061ges":[]}', 400, 'duplicate_member'],
    [`{"model":"m","messages":${'['.repeat(250)}${']'.repeat(250)}}`, 400, 'nested_too_deeply'],
  ])('rejects the body %s with %i %s', async (body, status, code) => {
    const answer = await ask(body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text).error.code).toBe(code);
    expect(upstream.calls).toEqual([]);
  });

  test('rejects another content type', async () => {
    const headers = { authorization: `Bearer ${app.key}`, 'content-type': 'text/plain' };
    expect((await ask(QUESTION, { headers })).text).toContain('"code":"content_type"');
  });

  test.each([33, 64])(
    'answers 413 to a body of %i MiB, and serves the next request',
    async (mib) => {
      upstream.answerWith((_call, response) => sendJson(response, chatCompletion('ok')));
      const answer = await ask('x'.repeat(mib * 2 ** 20));
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.text).error.code).toBe('body_too_large');
      expect((await ask()).status).toBe(200);
    },
  );

  test('accepts 10 MiB', async () => {
    upstream.answerWith((_call, response) => sendJson(response, chatCompletion('ok')));
    const content = 'word '.repeat(2 * 2 ** 20);
    expect((await ask({ model: 'm', messages: [{ role: 'user', content }] })).status).toBe(200);
    expect(upstream.calls[0]?.body.length).toBeGreaterThan(10 * 2 ** 20);
  });

  test('ends the request at the provider when the client leaves, and writes a row with 499', async () => {
    const closed = Promise.withResolvers<void>();
    upstream.answerWith((_call, response) => {
      response.once('close', () => closed.resolve());
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(encodeEvent(chatChunks(['Hel'])[1]));
    });
    const leave = new AbortController();
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...QUESTION, stream: true }),
      signal: leave.signal,
    });
    await response.body?.getReader().read();
    leave.abort();
    await closed.promise;
    const row = await gateway.rowOf(response.headers.get('x-request-id') ?? '');
    expect(row).toMatchObject({ request: { status_code: 499, error_type: 'client_disconnected' } });
  });

  test('streams completely to a slow reader', async () => {
    const piece = 'x'.repeat(1_000);
    const pieces = Array.from({ length: 2_000 }, () => piece);
    upstream.answerWith((_call, response) => sendEvents(response, chatChunks(pieces)));
    const question = JSON.stringify({ ...QUESTION, stream: true });
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.key}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${question.length}\r\n\r\n${question}`,
    );
    socket.pause();
    await expect.poll(() => upstream.calls.length, { interval: 20 }).toBe(1);
    let text = '';
    for await (const chunk of socket) text += chunk;
    // Sizes of HTTP chunks may be between any two characters.
    const body = text.replace(/\r\n[0-9a-f]+\r\n/g, '');
    expect(body.match(/"content":"x{1000}"/g)).toHaveLength(2_000);
  });
});

describe('hub', () => {
  const startAlone = (env: NodeJS.ProcessEnv) =>
    startGateway(
      readSettings({ GATEWAY_PORT: '0', GATEWAY_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8', ...env }),
      createLog('silent'),
    );

  test('answers 503 with Retry-After while the hub was never reached', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gw-alone-'));
    const alone = await startAlone({
      ...{ GATEWARDEN_NODE_TOKEN: makeSecret('node'), GATEWAY_HUB_URL: 'http://127.0.0.1:1' },
      GATEWAY_DATA_DIR: folder,
    });
    const { status, headers } = await ask(QUESTION, {}, app.key, alone.url);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('2');
    expect((await fetch(`${alone.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${alone.url}/healthz`)).status).toBe(200);
    await alone.stop();
    rmSync(folder, { recursive: true });
  });

  test('starts with the sealed copy while the hub is away', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gw-alone-'));
    const name = 'configuration.sealed';
    cpSync(join(gateway.dataDir, name), join(folder, name));
    const alone = await startAlone({
      ...{ GATEWARDEN_NODE_TOKEN: gateway.nodeToken, GATEWAY_HUB_URL: 'http://127.0.0.1:1' },
      GATEWAY_DATA_DIR: folder,
    });
    upstream.answerWith((_call, response) => sendJson(response, chatCompletion('still here')));
    const { status, text } = await ask(QUESTION, {}, app.key, alone.url);
    expect(status).toBe(200);
    expect(text).toContain('still here');
    await alone.stop();
    rmSync(folder, { recursive: true });
  });
});

test('writes no secret to its log', () => {
  const log = gateway.log.join('');
  expect(log).toContain('"event":"ready"');
  for (const secret of [app.key, gateway.nodeToken, 'sk-upstream-secret']) {
    expect(log).not.toContain(secret);
  }
});
