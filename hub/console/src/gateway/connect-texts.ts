// Texts of the parts that show how to call an app.
import type { TestRequestOutcome } from '@gatewarden/shared/wire/console/test-requests.ts';

export const connectTexts = {
  title: 'Connect',
  address: 'Base URL',
  exampleAddress: 'https://gateway.example.com',
  noAddress:
    'The address of the gateway is not configured. Ask the operator to set HUB_LLM_GATEWAY_URL, and replace the example address.',
  model: 'Model',
  anyModel: 'The providers of this app serve every model. Enter a model name.',
  key: 'App key',
  keyHint: 'Fills in the snippets and the test request. It is not stored.',
  keyPlaceholder: 'YOUR_APP_KEY',
  modelPlaceholder: 'MODEL',
  snippets: 'Snippets',
  noProvider: 'No provider of this app serves this model.',
  noText: 'This provider generates no text, so there is no snippet. Call it with its vendor’s SDK.',
  noClaudeCode: 'Claude Code needs a provider with the Anthropic Messages API.',
  send: 'Send test request',
  outcomes: {
    answered: 'The model answered',
    refused: 'The request was refused',
    unreachable: 'The gateway did not answer',
  } satisfies Record<TestRequestOutcome, string>,
  latency: 'Latency',
  milliseconds: (ms: number) => `${Math.round(ms).toLocaleString('en-US')} ms`,
  tokens: 'Tokens',
  tokenCounts: (request: number | null, response: number | null) =>
    `${request?.toLocaleString('en-US') ?? '–'} in, ${response?.toLocaleString('en-US') ?? '–'} out`,
  cost: 'Cost',
  noPrice: 'No known price',
  status: 'Status',
  openRequest: 'Open in LLM requests',
} as const;
