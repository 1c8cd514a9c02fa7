// Inserts a stored prompt as the system prompt, at the place where each API has it.
import type { Call } from '../call.ts';
import type { Operation } from '../operations.ts';
import { Refusal } from '../refusal.ts';
import type { JsonObject } from '../request-body.ts';

type Insert = (json: JsonObject, prompt: string) => JsonObject;

const asMessage: Insert = (json, prompt) => ({
  ...json,
  messages: [{ role: 'system', content: prompt }, ...listOf(json.messages)],
});
const asInstructions: Insert = (json, prompt) => ({
  ...json,
  instructions: joinTexts(prompt, json.instructions),
});
const asSystem: Insert = (json, prompt) => ({
  ...json,
  system: Array.isArray(json.system)
    ? [{ type: 'text', text: prompt }, ...json.system]
    : joinTexts(prompt, json.system),
});
const asSystemInstruction: Insert = (json, prompt) => {
  const before = (json.systemInstruction ?? json.system_instruction) as JsonObject | undefined;
  const { system_instruction: _, ...others } = json;
  return {
    ...others,
    systemInstruction: { ...before, parts: [{ text: prompt }, ...listOf(before?.parts)] },
  };
};
const asSystemBlocks: Insert = (json, prompt) => ({
  ...json,
  system: [{ text: prompt }, ...listOf(json.system)],
});

const INSERTS: Partial<Record<Operation, Insert>> = {
  chat: asMessage,
  responses: asInstructions,
  messages: asSystem,
  count_tokens: asSystem,
  gemini: asSystemInstruction,
  converse: asSystemBlocks,
  assistants: asInstructions,
};

/** Returns whether the API of a call has system prompts. */
export function hasSystemPrompt({ api, body }: Call): boolean {
  return INSERTS[api.operation] !== undefined && body.json !== null;
}

/** Inserts the prompt before a system prompt of the request. Throws a Refusal with 400 for an API without system prompts. */
export function insertPrompt(call: Call, prompt: string): void {
  const insert = INSERTS[call.api.operation];
  const { json } = call.body;
  if (insert === undefined || json === null) {
    throw new Refusal(
      400,
      'prompt_not_supported',
      'This API has no system prompt. Leave out the prompt id.',
    );
  }
  call.replaceJson(insert(json, prompt));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function joinTexts(prompt: string, before: unknown): string {
  return typeof before === 'string' && before !== '' ? `${prompt}\n\n${before}` : prompt;
}
