// Finds the texts of a request or of an answer, in every API: strings below the members that carry text. A walk over names
// of members covers all families; a new member of an API is inspected rather more often than not.
import type { TextPart } from '../policy/index.ts';
import { NESTING_MAX } from './request-body.ts';

type Role = TextPart['role'];

/** Members with text as their strings. */
const TEXT_MEMBERS = new Set([
  ...['content', 'text', 'input', 'instructions', 'prompt', 'query', 'documents', 'system'],
  ...[
    'arguments',
    'output',
    'delta',
    'completion',
    'generation',
    'outputText',
    'inputText',
    'texts',
  ],
  ...['reasoning_content', 'reasoning', 'refusal', 'thinking', 'partial_json', 'transcript'],
  ...['translated_text', 'transliterated_text', 'additional_instructions', 'suffix'],
]);
/** Members below which every string is text: arguments and results of tools. */
const DEEP_MEMBERS = new Set(['input', 'args', 'response', 'json', 'toolResult']);
/** Members below a deep member that identify something. */
const IDENTIFIERS = new Set([
  ...['type', 'role', 'id', 'name', 'model', 'object', 'status', 'call_id', 'tool_call_id'],
  ...['image_url', 'file_id', 'file_data', 'data', 'bytes', 'url', 'media_type', 'mimeType'],
  ...['toolUseId', 'format', 'signature', 'encrypted_content', 'finish_reason', 'stopReason'],
]);
const ROLES: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  model: 'assistant',
  tool: 'tool',
  function: 'tool',
};
const ROLE_OF_MEMBER: Readonly<Record<string, Role>> = {
  system: 'system',
  instructions: 'system',
  systemInstruction: 'system',
  system_instruction: 'system',
  output: 'tool',
  functionResponse: 'tool',
  toolResult: 'tool',
};

interface Place {
  role: Role;
  isText: boolean;
  isDeep: boolean;
}

/** Returns the texts below a JSON value, in order. `role` applies to texts without a role of their own. */
export function collectTexts(root: unknown, role: Role = 'user'): TextPart[] {
  const parts: TextPart[] = [];
  visit(root, [], { role, isText: false, isDeep: false }, parts);
  return parts;
}

function visit(
  value: unknown,
  path: readonly (string | number)[],
  place: Place,
  parts: TextPart[],
): void {
  if (typeof value === 'string') {
    if (place.isText && value !== '') parts.push({ path, role: place.role, text: value });
    return;
  }
  if (!isContainer(value) || path.length > NESTING_MAX) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, [...path, index], place, parts);
    return;
  }
  const own = ROLES[String((value as { role?: unknown }).role)] ?? place.role;
  for (const [name, member] of Object.entries(value)) {
    if (mayContainText(name, member, place)) {
      visit(member, [...path, name], placeBelow(name, own, place), parts);
    }
  }
}

/** Returns whether to visit a member: most members are numbers and identifiers. */
function mayContainText(name: string, member: unknown, place: Place): boolean {
  return typeof member === 'string' ? isTextMember(name, place) : typeof member === 'object';
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !JSON.isRawJSON(value);
}

function isTextMember(name: string, place: Place): boolean {
  return TEXT_MEMBERS.has(name) || (place.isDeep && !IDENTIFIERS.has(name));
}

function placeBelow(name: string, role: Role, place: Place): Place {
  return {
    role: ROLE_OF_MEMBER[name] ?? role,
    isText: isTextMember(name, place),
    isDeep: place.isDeep ? !IDENTIFIERS.has(name) : DEEP_MEMBERS.has(name),
  };
}

/** Returns the number of words of all texts. */
export function countWords(parts: readonly TextPart[]): number {
  return parts.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0);
}
