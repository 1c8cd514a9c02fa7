// Credentials that a client plants in a request, or a provider in its answer, appear in no row, log line or error of the
// node.
import { expect, test } from 'vitest';
import { type TestGateway, useGateway } from '../../../test/support/gateway.ts';
import {
  chatChunks,
  chatCompletion,
  type LlmUpstream,
  sendEvents,
  sendJson,
} from '../../../test/support/llm-upstream.ts';

let gateway: TestGateway;
let upstream: LlmUpstream;
useGateway((started) => {
  ({ gateway, upstream } = started);
});

/** Credentials in the formats of their vendors; the joined parts keep scanners of this repository quiet. */
const SECRETS = [
  `ghp${'_'}${'a1B2c3D4e5'.repeat(3)}F6g7h8`,
  `AKIA${'Q3EGPLANTED7XYZ2'}`,
  `xoxb-${'123456789012-123456789012'}-AbCdEfGhIjKlMnOpQrStUvWx`,
  `postgres://user:${'pl4nted-p4ss'}@db.example.com/x`,
];
const PLANTED = [...SECRETS.slice(0, 3), 'pl4nted-p4ss', 'sk-upstream-planted'];
const content = `Use ${SECRETS.join(' and ')}.`;

async function post(key: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], ...body }),
  });
  const text = await response.text();
  return { status: response.status, id: response.headers.get('x-request-id') ?? '', text };
}

test('writes planted credentials to no row and no log line', async () => {
  const app = await gateway.makeApp({
    provider_settings: { api_key: 'sk-upstream-planted', base_url: upstream.url },
  });
  const rows: unknown[] = [];
  const ask = async (body: object = {}, headers: Record<string, string> = {}) => {
    const answer = await post(app.key, body, headers);
    rows.push(await gateway.rowOf(answer.id));
    return answer;
  };
  upstream.answerWith((_call, response) => sendJson(response, chatCompletion(content)));
  expect((await ask({}, { 'x-conversation-id': SECRETS[0] ?? '' })).status).toBe(200);
  upstream.answerWith((_call, response) => sendEvents(response, chatChunks([content])));
  expect((await ask({ stream: true, user: SECRETS[1] })).status).toBe(200);
  upstream.answerWith((_call, response) =>
    sendJson(response, { error: { message: `Bad request: ${content}` } }, 400),
  );
  expect((await ask()).status).toBe(400);
  upstream.answerWith((_call, response) =>
    sendJson(response, { error: { message: 'Incorrect key sk-upstream-planted' } }, 401),
  );
  const refused = await ask();
  expect(refused.status).toBe(502);
  expect(refused.text).not.toContain('sk-upstream-planted');
  upstream.answerWith((_call, response) => void response.destroy());
  expect((await ask()).status).toBe(502);
  const stored = JSON.stringify(rows) + gateway.log.join('');
  expect(PLANTED.filter((secret) => stored.includes(secret))).toEqual([]);
});

test('repeats no credential in an error for the client', async () => {
  const unknown = await post(SECRETS[0] ?? '', {});
  expect(unknown.status).toBe(401);
  const app = await gateway.makeApp({
    provider_settings: { api_key: 'sk-upstream-planted', base_url: upstream.url },
    selected_models: ['m'],
  });
  const missing = await post(app.key, { model: SECRETS[1] });
  const texts = unknown.text + missing.text + JSON.stringify(await gateway.rowOf(missing.id));
  expect(PLANTED.filter((secret) => texts.includes(secret))).toEqual([]);
});
