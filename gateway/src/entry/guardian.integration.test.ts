// Checks that need a model: the operator's guardian decides nothing itself, the app's settings have their effect on its
// findings, and a failed guardian is visible in the row.
import { beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, type TestGateway, useGateway } from '../../../test/support/gateway.ts';
import {
  chatChunks,
  chatCompletion,
  type LlmUpstream,
  sendEvents,
  sendJson,
  type UpstreamCall,
} from '../../../test/support/llm-upstream.ts';

interface Finding {
  check: string;
  score: number;
  quote?: string;
  in?: 'image';
}

let gateway: TestGateway;
/** The double of the provider, and below `/guardian` of the guardian. */
let upstream: LlmUpstream;
useGateway(
  (started) => {
    ({ gateway, upstream } = started);
  },
  ({ url }) => ({
    GATEWAY_GUARDIAN_URL: `${url}/guardian`,
    GATEWAY_GUARDIAN_MODEL: 'guard-1',
    GATEWAY_GUARDIAN_API_KEY: 'guardian-key',
    GATEWAY_GUARDIAN_TIMEOUT_MS: '500',
  }),
);

const isQuestion = ({ url }: UpstreamCall) => url.startsWith('/guardian');
const questions = () => upstream.calls.filter(isQuestion);
const providerCalls = () => upstream.calls.filter((call) => !isQuestion(call));

/** Lets the guardian find this in the request and in the answer, and the provider answer a text. */
function answer(findings: { request?: Finding[]; response?: Finding[] }, text = 'Hello, Ada.') {
  upstream.answerWith((call, response) => {
    if (isQuestion(call)) {
      const direction = JSON.stringify(call.json.messages[1]).includes('\\"checked\\":\\"response')
        ? 'response'
        : 'request';
      const body = JSON.stringify({ findings: findings[direction] ?? [] });
      sendJson(response, chatCompletion(`\`\`\`json\n${body}\n\`\`\``));
    } else if (call.json.stream === true) sendEvents(response, chatChunks(text.split(/(?= )/)));
    else sendJson(response, chatCompletion(text));
  });
}
beforeEach(() => answer({}));

const makeApp = (detection: object) =>
  gateway.makeApp({
    provider_settings: { api_key: 'sk-upstream', base_url: upstream.url },
    app: { detection },
  });

async function ask(app: TestApp, content: unknown = 'Hello?', more: object = {}) {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], ...more }),
  });
  const text = await response.text();
  return { status: response.status, id: response.headers.get('x-request-id') ?? '', text };
}

const toxicity = (action: string, scope = 'both') => ({
  enabled_categories: { toxicity: true },
  category_actions: { toxicity: action },
  category_scopes: { toxicity: scope },
});
const agent = (task_adherence: object) => ({
  guardian_agent: { enabled: true, task_adherence: { enabled: true, ...task_adherence } },
  agent_purpose: 'Answer questions about cooking.',
});

describe('request', () => {
  test('blocks content that the guardian finds, and names it in the row', async () => {
    const app = await makeApp(toxicity('block', 'request'));
    answer({ request: [{ check: 'toxicity/hate', score: 0.95, quote: 'awful people' }] });
    const { status, text, id } = await ask(app, 'They are awful people.');
    expect(status).toBe(403);
    expect(text).toContain('toxicity');
    expect(providerCalls()).toEqual([]);
    expect(questions()[0]).toMatchObject({
      url: '/guardian/chat/completions',
      headers: { authorization: 'Bearer guardian-key' },
      json: { model: 'guard-1' },
    });
    expect(await gateway.rowOf(id)).toMatchObject({
      guardrails: {
        is_blocked: true,
        request_predictions: [
          { match_type: 'guardian', category: 'toxicity', subcategory: 'hate', start: 9, end: 21 },
        ],
      },
      metadata: { extra_data: { guardian_agent: { categories: ['toxicity/hate'] } } },
    });
  });

  test('ignores a finding below the threshold of the sensitivity', async () => {
    const app = await makeApp(toxicity('block', 'request'));
    answer({ request: [{ check: 'toxicity/hate', score: 0.6, quote: 'awful people' }] });
    expect((await ask(app, 'They are awful people.')).status).toBe(200);
  });

  test('redacts names, and sends redacted texts only to the guardian', async () => {
    const app = await makeApp({
      enabled_categories: { pii: true },
      category_actions: { pii: 'redact' },
      category_scopes: { pii: 'request' },
    });
    answer({ request: [{ check: 'pii/person_name', score: 0.9, quote: 'Ada Byron' }] });
    const { id } = await ask(app, 'Write to Ada Byron, ada@example.com.');
    expect(providerCalls()[0]?.json.messages[0].content).toBe(
      'Write to [REDACTED_PERSON_NAME], [REDACTED_EMAIL_ADDRESS].',
    );
    expect(questions()[0]?.body.toString()).not.toContain('ada@example.com');
    expect(JSON.stringify(await gateway.rowOf(id))).not.toContain('Ada Byron');
  });

  test('blocks content to redact that the guardian does not quote', async () => {
    const app = await makeApp(toxicity('redact', 'request'));
    answer({ request: [{ check: 'toxicity/hate', score: 0.9, quote: 'other words' }] });
    expect((await ask(app)).status).toBe(403);
  });

  test('reminds an agent of its task that a request leaves', async () => {
    const app = await makeApp(agent({ action: 'nudge' }));
    answer({ request: [{ check: 'guardian_agent/task_adherence', score: 0.8 }] });
    const { id } = await ask(app, 'Write a virus.');
    expect(providerCalls()[0]?.json.messages[0]).toEqual({
      role: 'system',
      content: 'Stay within your task. Answer questions about cooking.',
    });
    expect(await gateway.rowOf(id)).toMatchObject({ guardrails: { outcome: 'monitored' } });
  });

  test('blocks a request outside of the task of the agent', async () => {
    const app = await makeApp(agent({ action: 'block' }));
    answer({ request: [{ check: 'guardian_agent/task_adherence', score: 0.8 }] });
    expect((await ask(app, 'Write a virus.')).status).toBe(403);
    expect(questions()[0]?.json.messages[0].content).toContain('Answer questions about cooking.');
  });

  test('checks images, of parts and inside texts', async () => {
    const app = await makeApp({
      ...{ enabled_categories: { pci: true }, category_actions: { pci: 'redact' } },
      ...{ scan_images: true, scan_encoded_images: true, scan_encoded_images_scope: 'request' },
    });
    answer({ request: [{ check: 'pci/card_number', score: 0.9, in: 'image' }] });
    const inText = `data:image/png;base64,${'A'.repeat(40)}`;
    const content = [
      { type: 'text', text: `See ${inText}` },
      { type: 'image_url', image_url: { url: 'https://images.example.com/card.png' } },
    ];
    expect((await ask(app, content)).status).toBe(403);
    const [question] = questions();
    expect(question?.json.messages[1].content.slice(1)).toEqual(
      ['https://images.example.com/card.png', inText].map((url) => ({
        ...{ type: 'image_url', image_url: { url } },
      })),
    );
  });

  test('asks the model nothing for an app with complete detectors', async () => {
    const app = await makeApp({
      ...{ enabled_categories: { pci: true }, category_actions: { pci: 'block' } },
      scan_images: true,
    });
    expect((await ask(app)).status).toBe(200);
    expect(questions()).toEqual([]);
  });
});

describe('answer', () => {
  const hallucinations = (action: string) => ({
    is_hallucination_check_enabled: true,
    hallucination_check_action: action,
    hallucination_check_score_threshold: 0.4,
  });
  const found = { response: [{ check: 'hallucination/hallucination', score: 0.5 }] };

  test('blocks a hallucination, for which the guardian reads the conversation', async () => {
    const app = await makeApp(hallucinations('block'));
    answer(found);
    const { status, text } = await ask(app, 'When did Ada live?');
    expect(status).toBe(403);
    expect(text).not.toContain('Hello, Ada');
    expect(questions()[0]?.json.messages[1].content).toContain('When did Ada live?');
  });

  test('monitors a hallucination', async () => {
    const app = await makeApp(hallucinations('monitor'));
    answer(found);
    const { status, id } = await ask(app);
    expect(status).toBe(200);
    expect(await gateway.rowOf(id)).toMatchObject({
      guardrails: { outcome: 'monitored', response_predictions: [{ match_type: 'guardian' }] },
    });
  });

  test('redacts a stream, which is sent after the review', async () => {
    const app = await makeApp(toxicity('redact', 'response'));
    answer(
      { response: [{ check: 'toxicity/hate', score: 0.9, quote: 'awful people' }] },
      'They are awful people, all.',
    );
    const { text, id } = await ask(app, 'x', { stream: true });
    const pieces = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece);
    expect(pieces.join('')).toBe('They are [REDACTED_HATE], all.');
    expect(text).toContain('[DONE]');
    expect(await gateway.rowOf(id)).toMatchObject({
      payload: { response_text: 'They are [REDACTED_HATE], all.' },
    });
  });

  test('blocks a stream before its first event', async () => {
    const app = await makeApp(hallucinations('block'));
    answer(found);
    const { status, text } = await ask(app, 'x', { stream: true });
    expect(status).toBe(403);
    expect(JSON.parse(text).error.code).toBe('guardrail_blocked');
  });

  test('reviews a check without a provider', async () => {
    const created = await gateway.api.call('POST', '/apps', {
      body: { name: 'guarded check', mode: 'sdk', detection: toxicity('block') },
    });
    answer({ response: [{ check: 'toxicity/hate', score: 0.9, quote: 'awful' }] });
    const check = async () => {
      const response = await fetch(`${gateway.url}/sdk/v1/check`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${created.body.key.secret}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ input: 'Hello?', output: 'You are awful.' }),
      });
      return (await response.json()) as { is_blocked?: boolean };
    };
    await expect.poll(check, { interval: 20 }).toMatchObject({ is_blocked: true });
  });
});

describe('failed guardian', () => {
  test.each([
    ['timeout', () => undefined],
    ['refused', (_call, response) => sendJson(response, { error: 'overloaded' }, 503)],
    ['invalid_answer', (_call, response) => sendJson(response, chatCompletion('I like it.'))],
    ['unreachable', (_call, response) => void response.destroy()],
  ] satisfies [string, Parameters<LlmUpstream['answerWith']>[0]][])(
    'lets the request pass without a review, and reports %s in the row',
    async (error, fail) => {
      const app = await makeApp(toxicity('block', 'request'));
      upstream.answerWith((call, response) => {
        if (isQuestion(call)) return fail(call, response);
        return sendJson(response, chatCompletion('fine'));
      });
      const { status, id } = await ask(app);
      expect(status).toBe(200);
      expect((await gateway.rowOf(id)).metadata?.extra_data).toMatchObject({
        guardrails_not_enforced: ['/detection/enabled_categories/toxicity'],
        guardian_agent: { error },
      });
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
      expect(metrics).toContain(`gateway_guardian_failures_total{reason="${error}"} 1`);
    },
  );
});

test('reports settings that need a model as supported while every node has a guardian', async () => {
  const capabilities = async () => (await gateway.api.call('GET', '/capabilities')).body;
  const found = await capabilities();
  expect(found).toMatchObject({
    model_checks_available: true,
    unsupported_settings: [
      { path: '/detection/guardian_agent/coding_helpers', reason: 'not_available' },
    ],
  });
});
