// Snippets that call the gateway: with curl, with the vendors' own SDKs and with Claude Code. Pure.
import { shortRequest, type TextApi } from '@gatewarden/shared/client-apis.ts';

export interface SnippetFacts {
  api: TextApi;
  /** The gateway's address without a final slash. */
  url: string;
  key: string;
  model: string;
}

const PROMPT = 'Hello';

/** Returns a text as a literal of Python and TypeScript. */
const literal = (text: string) => JSON.stringify(text);
/** Returns a text as an argument of a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export function curlSnippet({ api, url, key, model }: SnippetFacts): string {
  const { path, headers, body } = shortRequest(api, model, PROMPT);
  const all = { authorization: `Bearer ${key}`, ...headers };
  return [
    `curl ${quoted(`${url}${path}`)}`,
    ...Object.entries(all).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n');
}

export function pythonSnippet({ api, url, key, model }: SnippetFacts): string {
  const named = literal(model);
  switch (api) {
    case 'chat':
      return `# pip install openai
from openai import OpenAI

client = OpenAI(base_url=${literal(`${url}/v1`)}, api_key=${literal(key)})
answer = client.chat.completions.create(
    model=${named},
    messages=[{"role": "user", "content": "${PROMPT}"}],
)
print(answer.choices[0].message.content)`;
    case 'responses':
      return `# pip install openai
from openai import OpenAI

client = OpenAI(base_url=${literal(`${url}/v1`)}, api_key=${literal(key)})
answer = client.responses.create(model=${named}, input="${PROMPT}")
print(answer.output_text)`;
    case 'messages':
      return `# pip install anthropic
from anthropic import Anthropic

client = Anthropic(base_url=${literal(url)}, api_key=${literal(key)})
answer = client.messages.create(
    model=${named},
    max_tokens=256,
    messages=[{"role": "user", "content": "${PROMPT}"}],
)
print(answer.content[0].text)`;
    case 'gemini':
      return `# pip install google-genai
from google import genai

client = genai.Client(api_key=${literal(key)}, http_options={"base_url": ${literal(url)}})
answer = client.models.generate_content(model=${named}, contents="${PROMPT}")
print(answer.text)`;
    case 'converse':
      return `# pip install boto3
import os
import boto3

os.environ["AWS_BEARER_TOKEN_BEDROCK"] = ${literal(key)}
client = boto3.client(
    "bedrock-runtime", region_name="us-east-1", endpoint_url=${literal(url)}
)
answer = client.converse(
    modelId=${named},
    messages=[{"role": "user", "content": [{"text": "${PROMPT}"}]}],
)
print(answer["output"]["message"]["content"][0]["text"])`;
  }
}

export function typescriptSnippet({ api, url, key, model }: SnippetFacts): string {
  const named = literal(model);
  switch (api) {
    case 'chat':
      return `// npm install openai
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: ${literal(`${url}/v1`)}, apiKey: ${literal(key)} });
const answer = await client.chat.completions.create({
  model: ${named},
  messages: [{ role: 'user', content: '${PROMPT}' }],
});
console.log(answer.choices[0]?.message.content);`;
    case 'responses':
      return `// npm install openai
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: ${literal(`${url}/v1`)}, apiKey: ${literal(key)} });
const answer = await client.responses.create({ model: ${named}, input: '${PROMPT}' });
console.log(answer.output_text);`;
    case 'messages':
      return `// npm install @anthropic-ai/sdk
import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({ baseURL: ${literal(url)}, apiKey: ${literal(key)} });
const answer = await client.messages.create({
  model: ${named},
  max_tokens: 256,
  messages: [{ role: 'user', content: '${PROMPT}' }],
});
console.log(answer.content);`;
    case 'gemini':
      return `// npm install @google/genai
import { GoogleGenAI } from '@google/genai';

const client = new GoogleGenAI({ apiKey: ${literal(key)}, httpOptions: { baseUrl: ${literal(url)} } });
const answer = await client.models.generateContent({ model: ${named}, contents: '${PROMPT}' });
console.log(answer.text);`;
    case 'converse':
      return `// npm install @aws-sdk/client-bedrock-runtime
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';

const client = new BedrockRuntimeClient({
  region: 'us-east-1',
  endpoint: ${literal(url)},
  token: { token: ${literal(key)} },
  authSchemePreference: ['httpBearerAuth'],
});
const answer = await client.send(
  new ConverseCommand({
    modelId: ${named},
    messages: [{ role: 'user', content: [{ text: '${PROMPT}' }] }],
  }),
);
console.log(answer.output?.message?.content);`;
  }
}

/** Returns the commands that start Claude Code with the gateway; null if the provider does not serve its API. */
export function claudeCodeSnippet({ api, url, key, model }: SnippetFacts): string | null {
  if (api !== 'messages') return null;
  return [
    `export ANTHROPIC_BASE_URL=${quoted(url)}`,
    `export ANTHROPIC_AUTH_TOKEN=${quoted(key)}`,
    `export ANTHROPIC_MODEL=${quoted(model)}`,
    'claude',
  ].join('\n');
}
