// System prompts from the app's store. A request uses a stored prompt in two ways: the header `X-Gw-Prompt-Id` inserts
// the prompt, or the request carries the text of a stored prompt itself. In a prompt, `{{name}}` is a variable.
import type { LlmCall, TextPart, Verdict } from './types.ts';
import { pass, refuse } from './verdicts.ts';

export const PROMPT_ID_HEADER = 'x-gw-prompt-id';
/** Values of variables as a JSON object of strings. */
export const PROMPT_VARIABLES_HEADER = 'x-gw-prompt-variables';
const VARIABLE = /\{\{\s{0,8}([A-Za-z0-9_.-]{1,64})\s{0,8}\}\}/g;

export interface StoredPrompt {
  prompt_id: string;
  content: string;
}

/**
 * Returns the stored text to insert as the system prompt, or null if the request needs none. With
 * `require_system_from_store`, rejects with 400 a request without a system prompt and with 403 a system text that is no
 * stored prompt. Rejects with 404 an unknown prompt id, with or without the setting.
 */
export function resolveSystemPrompt(
  settings: { require_system_from_store?: boolean },
  call: Pick<LlmCall, 'headers' | 'texts'>,
  prompts: readonly StoredPrompt[],
): Verdict<string | null> {
  const promptId = call.headers[PROMPT_ID_HEADER]?.trim() ?? '';
  const stored = prompts.find(({ prompt_id }) => prompt_id === promptId);
  if (promptId !== '' && stored === undefined) {
    return refuse(
      404,
      'prompt_not_found',
      `This app has no prompt with the id in ${PROMPT_ID_HEADER}. Use the id of a stored prompt.`,
    );
  }
  const inserted = stored === undefined ? null : insertVariables(stored.content, call.headers);
  if (settings.require_system_from_store !== true) return pass(inserted);
  const systemTexts = call.texts.filter(({ role }) => role === 'system');
  if (systemTexts.length === 0 && inserted === null) {
    return refuse(
      400,
      'system_prompt_required',
      `This app requires a stored system prompt. Send its id in ${PROMPT_ID_HEADER}.`,
    );
  }
  if (systemTexts.every((part) => isStored(part, prompts))) return pass(inserted);
  return refuse(
    403,
    'system_prompt_not_stored',
    `The system prompt is not in the store of this app. Send the id of a stored prompt in ${PROMPT_ID_HEADER}.`,
  );
}

function insertVariables(content: string, headers: LlmCall['headers']): string {
  const values = parseVariables(headers[PROMPT_VARIABLES_HEADER]);
  return content.replace(VARIABLE, (whole, name: string) => values.get(name) ?? whole);
}

function parseVariables(header: string | undefined): Map<string, string> {
  try {
    const entries = Object.entries(JSON.parse(header ?? '{}') as object);
    return new Map(entries.map(([name, value]) => [name, String(value)]));
  } catch {
    return new Map();
  }
}

function isStored({ text }: TextPart, prompts: readonly StoredPrompt[]): boolean {
  const normalized = normalize(text);
  return prompts.some(({ content }) => matchesTemplate(normalized, compileTemplate(content)));
}

const normalize = (text: string) => text.replaceAll('\r\n', '\n').trim();

const compiledTemplates = new Map<string, readonly string[]>();
const COMPILED_TEMPLATES_MAX = 1_000;

/** Returns the texts between the variables of a prompt, compiled once. */
function compileTemplate(content: string): readonly string[] {
  let literals = compiledTemplates.get(content);
  if (literals === undefined) {
    // A split by an expression with a group would also return the names of the variables.
    literals = normalize(content).replace(VARIABLE, '\0').split('\0');
    if (compiledTemplates.size >= COMPILED_TEMPLATES_MAX) compiledTemplates.clear();
    compiledTemplates.set(content, literals);
  }
  return literals;
}

/** Returns whether the text equals the template, where a variable matches any text. Linear in both lengths. */
function matchesTemplate(text: string, [first = '', ...rest]: readonly string[]): boolean {
  const last = rest.pop();
  if (last === undefined) return text === first;
  const end = text.length - last.length;
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (const literal of rest) {
    const index = text.indexOf(literal, from);
    if (index === -1 || index + literal.length > end) return false;
    from = index + literal.length;
  }
  return true;
}
