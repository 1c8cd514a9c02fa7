// Text and token counts of answers in the shape of each API.
import type { TextApi } from '@gatewarden/shared/client-apis.ts';
import { expect, it } from 'vitest';
import { readError, readTextAnswer } from './answer.ts';

it.each<[TextApi, object]>([
  [
    'chat',
    {
      choices: [{ message: { content: 'Hello' } }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    },
  ],
  [
    'responses',
    {
      output: [{ type: 'reasoning' }, { content: [{ type: 'output_text', text: 'Hello' }] }],
      usage: { input_tokens: 3, output_tokens: 2 },
    },
  ],
  [
    'messages',
    { content: [{ type: 'text', text: 'Hello' }], usage: { input_tokens: 3, output_tokens: 2 } },
  ],
  [
    'gemini',
    {
      candidates: [{ content: { parts: [{ text: 'Hel' }, { text: 'lo' }] } }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 },
    },
  ],
  [
    'converse',
    {
      output: { message: { content: [{ text: 'Hello' }] } },
      usage: { inputTokens: 3, outputTokens: 2 },
    },
  ],
])('reads an answer of the API %s', (api, json) => {
  expect(readTextAnswer(api, json)).toEqual({
    text: 'Hello',
    tokens: { request: 3, response: 2 },
  });
});

it('reads an answer without usage, and no answer in another shape', () => {
  expect(readTextAnswer('chat', { choices: [] })).toEqual({
    text: '',
    tokens: { request: null, response: null },
  });
  for (const json of [null, 'Hello', [], { choices: {} }]) {
    expect(readTextAnswer('chat', json)).toBeNull();
  }
});

it.each([
  [{ error: { message: 'No such model' } }, 'No such model'],
  [{ message: 'No such model' }, 'No such model'],
  [{ error: 'odd' }, null],
  [null, null],
])('reads the message of the error %j', (json, message) => {
  expect(readError(json)).toBe(message);
});
