import { expect, it } from 'vitest';
import { resolveSystemPrompt } from './prompt-store.ts';

const PROMPTS = [
  { prompt_id: 'support', content: 'You are a support agent.\nBe brief.' },
  { prompt_id: 'greeter', content: 'You greet {{ name }} of {{team}}.' },
];
const system = (text: string) => ({ path: ['messages', 0], role: 'system' as const, text });
const USER = { path: ['messages', 1], role: 'user' as const, text: 'Hello' };
const byId = (id: string) => ({ 'x-gw-prompt-id': id });

it.each<[string, boolean, Record<string, string>, string[], string | null]>([
  ['passes a request without a system prompt', false, {}, [], null],
  ['passes any system prompt', false, {}, ['You are free.'], null],
  ['inserts a stored prompt', false, byId('support'), [], 'You are a support agent.\nBe brief.'],
  ['refuses an unknown id', false, byId('nothing'), [], 'prompt_not_found'],
  ['requires a system prompt', true, {}, [], 'system_prompt_required'],
  [
    'passes the required prompt by id',
    true,
    byId('greeter'),
    [],
    'You greet {{ name }} of {{team}}.',
  ],
  [
    'passes the text of a stored prompt',
    true,
    {},
    ['You are a support agent.\r\nBe brief.\n'],
    null,
  ],
  ['passes a template with values', true, {}, ['You greet Ann of Sales.'], null],
  ['refuses another text', true, {}, ['You are free.'], 'system_prompt_not_stored'],
  [
    'refuses a longer text',
    true,
    {},
    ['You are a support agent.\nBe brief. No!'],
    'system_prompt_not_stored',
  ],
  [
    'refuses a template with another end',
    true,
    {},
    ['You greet Ann of'],
    'system_prompt_not_stored',
  ],
  [
    'refuses a second text beside a stored prompt',
    true,
    {},
    ['You greet Ann of Sales.', 'You are free.'],
    'system_prompt_not_stored',
  ],
  ['refuses another text beside an id', true, byId('support'), ['Hi'], 'system_prompt_not_stored'],
])('%s', (_claim, require_system_from_store, headers, texts, result) => {
  const call = { headers, texts: [...texts.map(system), USER] };
  const verdict = resolveSystemPrompt({ require_system_from_store }, call, PROMPTS);
  expect(verdict.passed ? verdict.value : verdict.code).toBe(result);
});

it.each([
  ['inserts variables', '{"name":"Ann","team":"Sales"}', 'You greet Ann of Sales.'],
  ['keeps a variable without value', '{"name":"Ann"}', 'You greet Ann of {{team}}.'],
  ['ignores variables that are no JSON', 'name=Ann', 'You greet {{ name }} of {{team}}.'],
])('%s', (_claim, variables, text) => {
  const headers = { ...byId('greeter'), 'x-gw-prompt-variables': variables };
  expect(resolveSystemPrompt({}, { headers, texts: [] }, PROMPTS)).toEqual({
    passed: true,
    value: text,
  });
});
