// Snippets contain the address, the key and the model as literals, whatever characters they have.
import type { TextApi } from '@gatewarden/shared/client-apis.ts';
import { expect, it } from 'vitest';
import {
  claudeCodeSnippet,
  curlSnippet,
  pythonSnippet,
  type SnippetFacts,
  typescriptSnippet,
} from './snippets.ts';

const facts = (api: TextApi, model = 'model-1'): SnippetFacts => ({
  ...{ api, model, url: 'https://llm.example.com', key: 'gwk_1' },
});

it.each<[TextApi, string]>([
  ['chat', 'https://llm.example.com/v1/chat/completions'],
  ['responses', 'https://llm.example.com/v1/responses'],
  ['messages', 'https://llm.example.com/v1/messages'],
  ['gemini', 'https://llm.example.com/v1beta/models/model-1:generateContent'],
  ['converse', 'https://llm.example.com/model/model-1/converse'],
])('names address, key and model in each language for %s', (api, url) => {
  expect(curlSnippet(facts(api))).toContain(`curl '${url}'`);
  for (const snippet of [curlSnippet, pythonSnippet, typescriptSnippet]) {
    const text = snippet(facts(api));
    expect(text).toContain('https://llm.example.com');
    expect(text).toContain('gwk_1');
    expect(text).toContain('model-1');
  }
});

it('quotes a model with quotation marks for the shell and for programs', () => {
  const hostile = facts('chat', `it's "quoted"`);
  expect(curlSnippet(hostile)).toContain(`it'\\''s \\"quoted\\"`);
  expect(pythonSnippet(hostile)).toContain(`model="it's \\"quoted\\""`);
  expect(typescriptSnippet(hostile)).toContain(`model: "it's \\"quoted\\""`);
});

it('starts Claude Code with Anthropic’s API only', () => {
  expect(claudeCodeSnippet(facts('chat'))).toBeNull();
  expect(claudeCodeSnippet(facts('messages'))).toContain(
    "export ANTHROPIC_BASE_URL='https://llm.example.com'",
  );
});
