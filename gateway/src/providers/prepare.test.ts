// Each provider type is called at its own address, with its own authentication.
import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import {
  PROVIDER_TYPES,
  type ProviderSettings,
  type ProviderType,
} from '@gatewarden/shared/wire/management/providers.ts';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../entry/operations.ts';
import type { JsonObject } from '../entry/request-body.ts';
import { RequestBody } from '../entry/request-body.ts';
import { prepareRequest } from './prepare.ts';
import { PROVIDER_TABLE } from './table.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const KEY = { api_key: 'secret' };
const AWS = { vendorG_region: 'us-east-1', vendorG_access_key: 'AKID', vendorG_secret_key: 's' };
const AZURE = { ...KEY, vendorB_endpoint: 'https://x.openai.azure.com/' };
const VERTEX = {
  vendorE_project_id: 'p',
  vendorE_region: 'europe-west1',
  auth_type: 'express',
  ...KEY,
} as const;
const ORACLE = {
  ...{
    vendorF_region: 'us-chicago-1',
    vendorF_compartment_id: 'ocid1.c',
    auth_type: 'user_principal' as const,
  },
  ...{
    vendorF_tenancy_id: 't',
    vendorF_user_id: 'u',
    vendorF_fingerprint: 'f',
    vendorF_private_key: PEM,
  },
};
const BASE = { ...KEY, base_url: 'https://models.example.com/v1/' };
const BEARER = { authorization: 'Bearer secret' };

interface Row {
  settings: ProviderSettings;
  operation: Operation;
  url: string;
  headers: Record<string, unknown>;
  rest?: string;
}
const bedrock = 'https://bedrock-runtime.us-east-1.amazonaws.com';
const vertex = 'https://aiplatform.googleapis.com';
const oracle = 'https://inference.generativeai.us-chicago-1.oci.oraclecloud.com/openai/v1';
const signedByAws = { authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=AKID\//) };
const signedByOracle = {
  authorization: expect.stringMatching(/^Signature version="1",keyId="t\/u\/f"/),
};

const ROWS: Record<ProviderType, Row> = {
  vendorA: {
    settings: KEY,
    operation: 'chat',
    url: 'https://api.openai.com/v1/chat/completions',
    headers: BEARER,
  },
  vendorB_vendorA: {
    settings: AZURE,
    operation: 'embeddings',
    url: 'https://x.openai.azure.com/openai/deployments/m%2F1/embeddings?api-version=2024-10-21',
    headers: { 'api-key': 'secret' },
  },
  general: {
    settings: BASE,
    operation: 'responses',
    url: 'https://models.example.com/v1/responses',
    headers: BEARER,
  },
  gw_ai: {
    settings: {},
    operation: 'chat',
    url: 'http://127.0.0.1:11434/v1/chat/completions',
    headers: {},
  },
  vendorC: {
    settings: KEY,
    operation: 'chat',
    url: 'https://api.anthropic.com/v1/chat/completions',
    headers: { 'x-api-key': 'secret' },
  },
  vendorC_messages: {
    settings: { ...KEY, vendorC_version: '2024-01-01' },
    operation: 'messages',
    url: 'https://api.anthropic.com/v1/messages',
    headers: { 'x-api-key': 'secret', 'anthropic-version': '2024-01-01' },
  },
  vendorC_messages_vendorG: {
    settings: AWS,
    operation: 'messages',
    url: `${bedrock}/model/m%2F1/invoke`,
    headers: signedByAws,
  },
  vendorC_messages_vendorB: {
    settings: AZURE,
    operation: 'messages',
    url: 'https://x.openai.azure.com/anthropic/v1/messages',
    headers: { 'x-api-key': 'secret' },
  },
  vendorD: {
    settings: BASE,
    operation: 'chat',
    url: 'https://models.example.com/v1/chat/completions',
    headers: BEARER,
  },
  vendorE_ai: {
    settings: VERTEX,
    operation: 'gemini',
    rest: 'generateContent',
    url: `${vertex}/v1/publishers/google/models/m%2F1:generateContent`,
    headers: { 'x-goog-api-key': 'secret' },
  },
  vendorE_chatcompletions: {
    settings: VERTEX,
    operation: 'chat',
    url: `${vertex}/v1/projects/p/locations/europe-west1/endpoints/openapi/chat/completions`,
    headers: { 'x-goog-api-key': 'secret' },
  },
  vendorF: {
    settings: ORACLE,
    operation: 'chat',
    url: `${oracle}/chat/completions`,
    headers: signedByOracle,
  },
  vendorA_responses: {
    settings: KEY,
    operation: 'responses',
    url: 'https://api.openai.com/v1/responses',
    headers: BEARER,
  },
  vendorA_responses_vendorB: {
    settings: AZURE,
    operation: 'responses',
    url: 'https://x.openai.azure.com/openai/v1/responses',
    headers: { 'api-key': 'secret' },
  },
  vendorF_responses: {
    settings: ORACLE,
    operation: 'responses',
    url: `${oracle}/responses`,
    headers: { 'opc-compartment-id': 'ocid1.c' },
  },
  vendorA_assistants: {
    settings: KEY,
    operation: 'assistants',
    rest: '/threads/t/runs?limit=2',
    url: 'https://api.openai.com/v1/threads/t/runs?limit=2',
    headers: BEARER,
  },
  vendorA_assistants_vendorB: {
    settings: AZURE,
    operation: 'assistants',
    rest: '/threads/t',
    url: 'https://x.openai.azure.com/openai/threads/t?api-version=2024-05-01-preview',
    headers: { 'api-key': 'secret' },
  },
  vendorA_realtime: {
    settings: KEY,
    operation: 'realtime',
    url: 'https://api.openai.com/v1/realtime?model=m%2F1',
    headers: BEARER,
  },
  vendorA_realtime_vendorB: {
    settings: AZURE,
    operation: 'realtime',
    url: 'https://x.openai.azure.com/openai/realtime?api-version=2024-10-01-preview&deployment=m%2F1',
    headers: { 'api-key': 'secret' },
  },
  vendorG: {
    settings: AWS,
    operation: 'converse',
    url: `${bedrock}/model/m%2F1/converse`,
    headers: signedByAws,
  },
  vendorG_embeddings: {
    settings: AWS,
    operation: 'invoke',
    url: `${bedrock}/model/m%2F1/invoke`,
    headers: signedByAws,
  },
  vendorH_rerank: {
    settings: BASE,
    operation: 'rerank',
    url: 'https://models.example.com/v1/rerank',
    headers: BEARER,
  },
  vendorG_rerank: {
    settings: AWS,
    operation: 'rerank',
    url: `${bedrock}/model/m%2F1/invoke`,
    headers: signedByAws,
  },
  vendorI_rerank: {
    settings: BASE,
    operation: 'rerank',
    url: 'https://models.example.com/v1/rerank',
    headers: BEARER,
  },
  vendorJ_rerank: {
    settings: BASE,
    operation: 'rerank',
    url: 'https://models.example.com/v1/rerank',
    headers: BEARER,
  },
  general_rerank: {
    settings: BASE,
    operation: 'rerank',
    url: 'https://models.example.com/v1/rerank',
    headers: BEARER,
  },
  vendorK: {
    settings: KEY,
    operation: 'indic_language',
    rest: '/translate',
    url: 'https://api.sarvam.ai/translate',
    headers: { 'api-subscription-key': 'secret' },
  },
};

const TOOLS = { managedModelUrl: 'http://127.0.0.1:11434/v1', fetch };

function prepare(
  type: ProviderType,
  { settings, operation, rest = '' }: Omit<Row, 'url' | 'headers'>,
  json: JsonObject = { model: 'alias', input: 'x' },
) {
  const provider = {
    label: 'p',
    provider_name: type,
    provider_settings: settings,
    selected_models: [],
    enabled: true,
  };
  const body = new RequestBody(Buffer.from(JSON.stringify(json)), 'application/json');
  const isModelInBody = !['gemini', 'invoke', 'converse', 'assistants'].includes(operation);
  const call = { operation, method: 'POST', stream: false, rest, headers: {}, body, isModelInBody };
  return prepareRequest(provider, 'm/1', call, TOOLS);
}

describe('provider type', () => {
  it.each(PROVIDER_TYPES)('calls %s at its address with its credentials', async (type) => {
    const row = ROWS[type];
    const { url, headers } = await prepare(type, row);
    expect(url).toBe(row.url);
    expect(headers).toMatchObject(row.headers);
    expect(headers['accept-encoding']).toBe('identity');
  });

  it('has a row with an operation that clients can call', () => {
    for (const type of PROVIDER_TYPES) {
      expect(Object.keys(PROVIDER_TABLE[type].endpoints).length).toBeGreaterThan(0);
    }
  });
});

describe('body', () => {
  it('carries the model of the route, and keeps digits beyond a double', async () => {
    const bytes = Buffer.from('{"model":"alias","seed":12345678901234567890,"messages":[]}');
    const body = new RequestBody(bytes, 'application/json');
    expect(body.encode({ model: 'm' }).toString()).toBe(
      '{"model":"m","seed":12345678901234567890,"messages":[]}',
    );
    expect(body.encode({ model: 'alias' })).toBe(bytes);
  });

  it('becomes an invocation for messages and reranks at AWS', async () => {
    const messages = await prepare('vendorC_messages_vendorG', ROWS.vendorC_messages_vendorG, {
      ...{ model: 'alias', stream: false, messages: [] },
    });
    expect(JSON.parse(String(messages.body))).toEqual({
      anthropic_version: 'bedrock-2023-05-31',
      messages: [],
    });
    const rerank = await prepare('vendorG_rerank', ROWS.vendorG_rerank, { model: 'a', query: 'q' });
    expect(JSON.parse(String(rerank.body))).toEqual({ query: 'q', api_version: 2 });
  });

  it('replaces the model of a form', () => {
    const form = [
      '--b',
      'Content-Disposition: form-data; name="model"',
      '',
      'alias',
      '--b',
      'Content-Disposition: form-data; name="file"; filename="a.wav"',
      '',
      'RIFF',
      '--b--',
      '',
    ].join('\r\n');
    const body = new RequestBody(Buffer.from(form), 'multipart/form-data; boundary=b');
    expect(body.read('model')).toBe('alias');
    expect(body.encode({ model: 'whisper' }).toString()).toBe(form.replace('alias', 'whisper'));
  });
});

describe('authentication', () => {
  it('signs for Oracle so that its public key verifies the request', async () => {
    const { headers, url, body } = await prepare('vendorF', ROWS.vendorF);
    const { host, pathname } = new URL(url);
    const digest = createHash('sha256')
      .update(body ?? '')
      .digest('base64');
    const text = [
      `date: ${headers.date}`,
      `(request-target): post ${pathname}`,
      `host: ${host}`,
      `content-length: ${body?.length}`,
      'content-type: application/json',
      `x-content-sha256: ${digest}`,
    ].join('\n');
    const signature = /signature="([^"]+)"/.exec(headers.authorization ?? '')?.[1] ?? '';
    const verifier = createVerify('RSA-SHA256').update(text);
    expect(verifier.verify(publicKey, signature, 'base64')).toBe(true);
  });

  it.each(['instance_principal', 'resource_principal', 'gateway_user_principal'] as const)(
    'rejects the mode %s with a reason',
    async (auth_type) => {
      const row = { ...ROWS.vendorF, settings: { ...ORACLE, auth_type } };
      await expect(prepare('vendorF', row)).rejects.toThrow(/does not support/);
    },
  );

  it.each([
    ['vendorH_rerank', KEY, 'rerank', 'has no base_url'],
    ['vendorA', KEY, 'messages', 'does not offer this API'],
    [
      'vendorG',
      { vendorG_region: 'r', vendorG_access_key: 'a' },
      'converse',
      'has no AWS access key',
    ],
  ] as const)('rejects %s with incomplete settings', async (type, settings, operation, reason) => {
    await expect(prepare(type, { settings, operation })).rejects.toThrow(reason);
  });
});
