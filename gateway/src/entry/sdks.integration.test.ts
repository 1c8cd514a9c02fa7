// The official SDKs of Anthropic, Google, AWS, Cohere and Azure through a gateway node, with nothing changed but base URL
// and key. Doubles speak the vendors' wire formats.
import Anthropic from '@anthropic-ai/sdk';
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { CohereClientV2 } from 'cohere-ai';
import { AzureOpenAI } from 'openai';
import { describe, expect, test } from 'vitest';
import { type TestGateway, useGateway } from '../../../test/support/gateway.ts';
import {
  chatChunks,
  chatCompletion,
  type LlmUpstream,
  message,
  messageEvents,
  sendEvents,
  sendJson,
} from '../../../test/support/llm-upstream.ts';
import { encodeMessage } from '../upstream/aws-event-stream.ts';

let gateway: TestGateway;
let upstream: LlmUpstream;

useGateway((started) => {
  ({ gateway, upstream } = started);
});

const AWS_SETTINGS = () => ({
  vendorG_region: 'us-east-1',
  vendorG_access_key: 'AKIDEXAMPLE',
  vendorG_secret_key: 'aws-upstream-secret',
  base_url: upstream.url,
});
const awsEvent = (type: string, body: object) =>
  encodeMessage(
    { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' },
    Buffer.from(JSON.stringify(body)),
  );

describe('Anthropic', () => {
  const create = async () => {
    const app = await gateway.makeApp({
      provider_name: 'vendorC_messages',
      provider_settings: { api_key: 'anthropic-secret', base_url: `${upstream.url}/v1` },
    });
    const client = new Anthropic({ baseURL: gateway.url, apiKey: app.key, maxRetries: 0 });
    return { app, client };
  };
  const question = {
    model: 'claude-test',
    max_tokens: 20,
    messages: [{ role: 'user' as const, content: 'Hello?' }],
  };

  test('creates a message, and logs cached tokens as input', async () => {
    const { app, client } = await create();
    upstream.answerWith((_call, response) => sendJson(response, message('Hello!')));
    const { data, request_id } = await client.messages.create(question).withResponse();
    expect(data.content).toEqual([{ type: 'text', text: 'Hello!' }]);
    const { headers, url } = upstream.calls[0] ?? {};
    expect(url).toBe('/v1/messages');
    expect(headers?.['x-api-key']).toBe('anthropic-secret');
    expect(headers?.['anthropic-version']).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(await gateway.rowOf(request_id ?? '')).toMatchObject({
      request: { endpoint: '/v1/messages', provider: app.label },
      tokens: { request: 14, response: 5, cache_read: 3, cache_write: 2, max_requested: 20 },
    });
  });

  test('streams a message', async () => {
    const { client } = await create();
    upstream.answerWith((_call, response) => sendEvents(response, messageEvents(['Hel', 'lo!'])));
    const stream = client.messages.stream(question);
    const final = await stream.finalMessage();
    expect(final.content).toEqual([{ type: 'text', text: 'Hello!' }]);
    expect(await gateway.rowOf(stream.request_id ?? '')).toMatchObject({
      request: { stream: true },
      tokens: { request: 9, response: 5 },
      payload: { response_text: 'Hello!' },
    });
  });

  test('counts tokens at the provider', async () => {
    const { client } = await create();
    upstream.answerWith((_call, response) => sendJson(response, { input_tokens: 12 }));
    const { max_tokens: _, ...counted } = question;
    expect(await client.messages.countTokens(counted)).toEqual({ input_tokens: 12 });
    expect(upstream.calls[0]?.url).toBe('/v1/messages/count_tokens');
  });

  test('throws its own error class for a refused request', async () => {
    const client = new Anthropic({ baseURL: gateway.url, apiKey: 'gwk_wrong', maxRetries: 0 });
    await expect(client.messages.create(question)).rejects.toThrow(Anthropic.AuthenticationError);
  });

  test('streams a message of Bedrock as server-sent events', async () => {
    const app = await gateway.makeApp({
      provider_name: 'vendorC_messages_vendorG',
      provider_settings: AWS_SETTINGS(),
    });
    const client = new Anthropic({ baseURL: gateway.url, apiKey: app.key, maxRetries: 0 });
    upstream.answerWith((_call, response) => {
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
      for (const event of messageEvents(['Hel', 'lo!'])) {
        const bytes = Buffer.from(JSON.stringify(event)).toString('base64');
        response.write(awsEvent('chunk', { bytes }));
      }
      response.end();
    });
    const final = await client.messages.stream(question).finalMessage();
    expect(final.content).toEqual([{ type: 'text', text: 'Hello!' }]);
    const [call] = upstream.calls;
    expect(call?.url).toBe('/model/claude-test/invoke-with-response-stream');
    expect(call?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\//);
    expect(call?.json).toEqual({
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 20,
      messages: question.messages,
    });
  });
});

describe('Google', () => {
  const create = async () => {
    const app = await gateway.makeApp({
      provider_name: 'vendorE_ai',
      provider_settings: {
        ...{ auth_type: 'express', api_key: 'google-secret', base_url: upstream.url },
        ...{ vendorE_project_id: 'p', vendorE_region: 'europe-west1' },
      },
    });
    return new GoogleGenAI({ apiKey: app.key, httpOptions: { baseUrl: gateway.url } });
  };
  const part = (text: string, finishReason?: string) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason }],
    usageMetadata: { promptTokenCount: 6, candidatesTokenCount: 3, thoughtsTokenCount: 2 },
  });

  test('generates content', async () => {
    const client = await create();
    upstream.answerWith((_call, response) => sendJson(response, part('Hello!', 'STOP')));
    const answer = await client.models.generateContent({
      model: 'gemini-test',
      contents: 'Hello?',
    });
    expect(answer.text).toBe('Hello!');
    expect(upstream.calls[0]).toMatchObject({
      url: '/v1/publishers/google/models/gemini-test:generateContent',
      headers: { 'x-goog-api-key': 'google-secret' },
    });
    const id = answer.sdkHttpResponse?.headers?.['x-request-id'] ?? '';
    expect(await gateway.rowOf(id)).toMatchObject({
      request: { model: 'gemini-test' },
      tokens: { request: 6, response: 5, reasoning: 2 },
    });
  });

  test('streams content', async () => {
    const client = await create();
    upstream.answerWith((_call, response) =>
      sendEvents(
        response,
        [part('Hel'), part('lo!', 'STOP')].map((event) => JSON.stringify(event)),
      ),
    );
    const stream = await client.models.generateContentStream({
      model: 'gemini-test',
      contents: 'Hello?',
    });
    let text = '';
    for await (const chunk of stream) text += chunk.text ?? '';
    expect(text).toBe('Hello!');
    expect(upstream.calls[0]?.url).toMatch(/:streamGenerateContent\?alt=sse$/);
  });
});

describe('AWS', () => {
  const create = async () => {
    const app = await gateway.makeApp({
      provider_name: 'vendorG',
      provider_settings: AWS_SETTINGS(),
    });
    return new BedrockRuntimeClient({
      ...{ region: 'us-east-1', endpoint: gateway.url, maxAttempts: 1 },
      credentials: { accessKeyId: app.key, secretAccessKey: 'unused' },
    });
  };
  const messages = [{ role: 'user' as const, content: [{ text: 'Hello?' }] }];
  const usage = { inputTokens: 8, outputTokens: 4, totalTokens: 12 };

  test('converses', async () => {
    const client = await create();
    upstream.answerWith((_call, response) =>
      sendJson(response, {
        output: { message: { role: 'assistant', content: [{ text: 'Hello!' }] } },
        ...{ stopReason: 'end_turn', usage, metrics: { latencyMs: 1 } },
      }),
    );
    const answer = await client.send(
      new ConverseCommand({ modelId: 'anthropic.claude-v1:0', messages }),
    );
    expect(answer.output?.message?.content).toEqual([{ text: 'Hello!' }]);
    expect(upstream.calls[0]?.url).toBe('/model/anthropic.claude-v1%3A0/converse');
    expect(await gateway.rowOf(answer.$metadata.requestId ?? '')).toMatchObject({
      request: { model: 'anthropic.claude-v1:0' },
      tokens: { request: 8, response: 4 },
    });
  });

  test('converses with a stream', async () => {
    const client = await create();
    upstream.answerWith((_call, response) => {
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
      response.write(awsEvent('messageStart', { role: 'assistant' }));
      for (const text of ['Hel', 'lo!']) {
        response.write(awsEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text } }));
      }
      response.write(awsEvent('contentBlockStop', { contentBlockIndex: 0 }));
      response.write(awsEvent('messageStop', { stopReason: 'end_turn' }));
      response.end(awsEvent('metadata', { usage, metrics: { latencyMs: 1 } }));
    });
    const answer = await client.send(new ConverseStreamCommand({ modelId: 'm', messages }));
    let text = '';
    for await (const event of answer.stream ?? [])
      text += event.contentBlockDelta?.delta?.text ?? '';
    expect(text).toBe('Hello!');
    expect(await gateway.rowOf(answer.$metadata.requestId ?? '')).toMatchObject({
      request: { stream: true },
      tokens: { request: 8, response: 4 },
      payload: { response_text: 'Hello!' },
    });
  });

  test('invokes a model, at once and with a stream', async () => {
    const client = await create();
    const body = JSON.stringify({ anthropic_version: 'bedrock-2023-05-31', messages: [] });
    upstream.answerWith((_call, response) => sendJson(response, message('Hello!')));
    const answer = await client.send(new InvokeModelCommand({ modelId: 'm', body }));
    expect(JSON.parse(answer.body.transformToString()).content[0].text).toBe('Hello!');
    expect(upstream.calls[0]?.body.toString()).toBe(body);
    upstream.answerWith((_call, response) => {
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
      for (const event of messageEvents(['Hello!'])) {
        const bytes = Buffer.from(JSON.stringify(event)).toString('base64');
        response.write(awsEvent('chunk', { bytes }));
      }
      response.end();
    });
    const streamed = await client.send(
      new InvokeModelWithResponseStreamCommand({ modelId: 'm', body }),
    );
    let events = 0;
    for await (const event of streamed.body ?? []) events += event.chunk === undefined ? 0 : 1;
    expect(events).toBe(messageEvents(['']).length);
  });

  test('throws its own exception for an unknown key', async () => {
    const client = new BedrockRuntimeClient({
      ...{ region: 'us-east-1', endpoint: gateway.url, maxAttempts: 1 },
      token: { token: 'gwk_wrong' },
      authSchemePreference: ['httpBearerAuth'],
    });
    await expect(
      client.send(new ConverseCommand({ modelId: 'm', messages })),
    ).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
  });
});

test('reranks with the SDK of Cohere', async () => {
  const app = await gateway.makeApp({
    provider_name: 'general_rerank',
    provider_settings: { base_url: `${upstream.url}/v2`, api_key: 'rerank-secret' },
  });
  upstream.answerWith((_call, response) =>
    sendJson(response, {
      results: [{ index: 1, relevance_score: 0.9 }],
      meta: { tokens: { input_tokens: 5 } },
    }),
  );
  const client = new CohereClientV2({ environment: gateway.url, token: app.key });
  const answer = await client.rerank({ model: 'rerank-test', query: 'q', documents: ['a', 'b'] });
  expect(answer.results[0]).toEqual({ index: 1, relevanceScore: 0.9 });
  expect(upstream.calls[0]).toMatchObject({
    url: '/v2/rerank',
    headers: { authorization: 'Bearer rerank-secret' },
  });
});

test('completes and streams a chat of an Azure deployment', async () => {
  const app = await gateway.makeApp({
    provider_name: 'vendorB_vendorA',
    provider_settings: { api_key: 'azure-secret', vendorB_endpoint: upstream.url },
  });
  const client = new AzureOpenAI({
    ...{ endpoint: gateway.url, apiKey: app.key, apiVersion: '2024-10-21', maxRetries: 0 },
    deployment: 'gpt-deployed',
  });
  const question = {
    model: 'gpt-deployed',
    messages: [{ role: 'user' as const, content: 'Hello?' }],
  };
  upstream.answerWith((_call, response) => sendJson(response, chatCompletion('Hello!')));
  const answer = await client.chat.completions.create(question);
  expect(answer.choices[0]?.message.content).toBe('Hello!');
  expect(upstream.calls[0]).toMatchObject({
    url: '/openai/deployments/gpt-deployed/chat/completions?api-version=2024-10-21',
    headers: { 'api-key': 'azure-secret' },
  });
  upstream.answerWith((_call, response) => sendEvents(response, chatChunks(['Hel', 'lo!'])));
  let text = '';
  for await (const chunk of await client.chat.completions.create({ ...question, stream: true })) {
    text += chunk.choices[0]?.delta.content ?? '';
  }
  expect(text).toBe('Hello!');
});
