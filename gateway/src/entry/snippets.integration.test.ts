// The snippets of the console and the code blocks of the how-to pages run as they are printed, against a real node.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TextApi } from '@gatewarden/shared/client-apis.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  claudeCodeSnippet,
  curlSnippet,
  typescriptSnippet,
} from '../../../hub/console/src/gateway/snippets.ts';
import { type TestApp, type TestGateway, useGateway } from '../../../test/support/gateway.ts';
import {
  chatCompletion,
  type LlmUpstream,
  message,
  sendJson,
  type UpstreamCall,
} from '../../../test/support/llm-upstream.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** The address that the pages print. */
const PRINTED_ADDRESS = 'https://gateway.example.com';
const ANSWER = 'Hello from the provider.';
const run = promisify(execFile);

let gateway: TestGateway;
let upstream: LlmUpstream;
let folder: string;

useGateway((started) => {
  ({ gateway, upstream } = started);
  upstream.answerWith((call, response) => sendJson(response, answerTo(call)));
});
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-snippets-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the answer of the vendor with this API. */
function answerTo({ url }: UpstreamCall): unknown {
  const content = [{ type: 'output_text', text: ANSWER, annotations: [] }];
  if (url.endsWith('/responses')) {
    const output = [{ type: 'message', role: 'assistant', status: 'completed', content }];
    return { id: 'resp_1', object: 'response', status: 'completed', output };
  }
  if (url.endsWith('/messages')) return message(ANSWER);
  if (url.endsWith(':generateContent')) {
    return { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: ANSWER }] } }] };
  }
  if (url.endsWith('/converse')) {
    return { output: { message: { role: 'assistant', content: [{ text: ANSWER }] } } };
  }
  if (url.endsWith('/rerank')) return { results: [{ index: 0, relevance_score: 0.9 }] };
  return chatCompletion(ANSWER);
}

const PROVIDERS = {
  vendorA: () => ({ api_key: 'k', base_url: upstream.url }),
  vendorA_responses: () => ({ api_key: 'k', base_url: upstream.url }),
  vendorC_messages: () => ({ api_key: 'k', base_url: upstream.url }),
  general_rerank: () => ({ api_key: 'k', base_url: upstream.url }),
  vendorE_ai: () => ({
    ...{ auth_type: 'express', api_key: 'k', base_url: upstream.url },
    ...{ vendorE_project_id: 'p', vendorE_region: 'global' },
  }),
  vendorG: () => ({
    ...{ vendorG_auth_mode: 'static', vendorG_access_key: 'AKIA', vendorG_secret_key: 's' },
    ...{ vendorG_region: 'eu-west-1', base_url: upstream.url },
  }),
};
type Provider = keyof typeof PROVIDERS;

const makeApp = (provider_name: Provider): Promise<TestApp> =>
  gateway.makeApp({ provider_name, provider_settings: PROVIDERS[provider_name]() });

/** Runs a program of an SDK as a module of its own, and returns its output. */
async function runProgram(code: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const file = join(folder, `snippet-${crypto.randomUUID()}.mts`);
  writeFileSync(file, code);
  const { stdout } = await run(process.execPath, [file], { env: { ...process.env, ...env } });
  return stdout;
}

async function runShell(code: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-ec', code], { env: { ...process.env, ...env } });
  return stdout;
}

describe('the console', () => {
  test.each<[TextApi, Provider]>([
    ['chat', 'vendorA'],
    ['responses', 'vendorA_responses'],
    ['messages', 'vendorC_messages'],
    ['gemini', 'vendorE_ai'],
    ['converse', 'vendorG'],
  ])('shows curl and TypeScript that call %s', async (api, provider) => {
    const { key } = await makeApp(provider);
    const facts = { api, key, url: gateway.url, model: "model-1 'quoted'" };
    expect(await runShell(curlSnippet(facts))).toContain(ANSWER);
    expect(await runProgram(typescriptSnippet(facts))).toContain(ANSWER);
    const texts = upstream.calls.map(({ url, body }) => decodeURIComponent(url) + body);
    expect(texts).toHaveLength(2);
    for (const text of texts) expect(text).toContain("model-1 'quoted'");
  });

  test('shows the environment with which Claude Code sends messages', async () => {
    const { key } = await makeApp('vendorC_messages');
    const facts = { api: 'messages', key, url: gateway.url, model: 'model-1' } as const;
    const commands = claudeCodeSnippet(facts)?.replace(/claude$/, 'env') ?? '';
    const variables = Object.fromEntries(
      (await runShell(commands)).split('\n').map((line) => line.split('=', 2)),
    );
    // Claude Code builds on the SDK, which reads the address and the token from these variables.
    const program = `import Anthropic from '@anthropic-ai/sdk';
const { content } = await new Anthropic().messages.create({
  model: process.env.ANTHROPIC_MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }],
});
console.log(content);`;
    expect(await runProgram(program, variables)).toContain(ANSWER);
    expect(upstream.calls[0]?.json.model).toBe('model-1');
  });
});

/** Returns the code blocks of a language, below each heading of a page. */
function readBlocks(page: string, language: string): { heading: string; code: string }[] {
  const text = readFileSync(join(ROOT, 'docs/how-to', page), 'utf8');
  return text.split(/^## /m).flatMap((section) => {
    const heading = section.split('\n', 1)[0] ?? '';
    const blocks = section.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'));
    return [...blocks].map(([, code = '']) => ({ heading, code }));
  });
}

describe('the how-to pages', () => {
  const SDK_PROVIDERS: Readonly<Record<string, Provider>> = {
    OpenAI: 'vendorA',
    Anthropic: 'vendorC_messages',
    'Google Gen AI': 'vendorE_ai',
    Bedrock: 'vendorG',
    Cohere: 'general_rerank',
  };

  test.each(readBlocks('connect-llm-sdks.md', 'js'))(
    'have JavaScript for $heading',
    async ({ heading, code }) => {
      const { key } = await makeApp(SDK_PROVIDERS[heading] ?? 'vendorA');
      const out = await runProgram(code, { GATEWAY_URL: gateway.url, APP_KEY: key });
      expect(out).toContain(heading === 'Cohere' ? 'relevanceScore: 0.9' : ANSWER);
    },
  );

  test('have JavaScript for each SDK', () => {
    const headings = readBlocks('connect-llm-sdks.md', 'js').map(({ heading }) => heading);
    expect(headings).toEqual(Object.keys(SDK_PROVIDERS));
  });

  test('have a command that calls the node, and a command that lists its models', async () => {
    const { key } = await makeApp('vendorA');
    const blocks = [
      ...readBlocks('run-a-gateway-node.md', 'sh'),
      ...readBlocks('connect-llm-tools.md', 'sh'),
    ].filter(({ code }) => /^curl .*\/v1\/(chat|models)/.test(code));
    const outputs: string[] = [];
    for (const { code } of blocks) {
      outputs.push(await runShell(code.replace(PRINTED_ADDRESS, gateway.url), { APP_KEY: key }));
    }
    expect(outputs).toEqual([
      expect.stringContaining(ANSWER),
      expect.stringContaining('"object":"list"'),
    ]);
  });

  test('have a command that checks a text', async () => {
    const created = await gateway.api.call('POST', '/apps', {
      body: { name: 'check', mode: 'sdk', detection: PCI },
    });
    const [block] = readBlocks('run-a-gateway-node.md', 'sh').filter(({ code }) =>
      code.includes('/sdk/v1/check'),
    );
    const command = block?.code.replace(PRINTED_ADDRESS, gateway.url) ?? '';
    const check = () => runShell(command, { APP_KEY: created.body.key.secret });
    await expect.poll(check, { interval: 20 }).not.toContain('invalid_app_key');
    expect(await check()).toContain('"is_anonymized":true');
  });
});

const PCI = { enabled_categories: { pci: true }, category_actions: { pci: 'redact' } };
