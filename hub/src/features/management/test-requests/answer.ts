// Reads the text and the token counts of an answer, in the shape of each API.
import type { TextApi } from '@gatewarden/shared/client-apis.ts';

export interface TokenCounts {
  request: number | null;
  response: number | null;
}

export interface TextAnswer {
  text: string;
  tokens: TokenCounts;
}

type Json = Record<string, unknown>;

/** The lists that lead to the parts of a text, and the members that count tokens. */
const SHAPES: Readonly<
  Record<TextApi, { lists: readonly string[]; usage: string; counts: readonly [string, string] }>
> = {
  chat: {
    lists: ['choices'],
    usage: 'usage',
    counts: ['prompt_tokens', 'completion_tokens'],
  },
  responses: {
    lists: ['output', 'content'],
    usage: 'usage',
    counts: ['input_tokens', 'output_tokens'],
  },
  messages: { lists: ['content'], usage: 'usage', counts: ['input_tokens', 'output_tokens'] },
  gemini: {
    lists: ['candidates', 'content.parts'],
    usage: 'usageMetadata',
    counts: ['promptTokenCount', 'candidatesTokenCount'],
  },
  converse: {
    lists: ['output.message.content'],
    usage: 'usage',
    counts: ['inputTokens', 'outputTokens'],
  },
};

/** Returns the text and the token counts of an answer; null if it does not have the shape of the API. */
export function readTextAnswer(api: TextApi, json: unknown): TextAnswer | null {
  const { lists, usage, counts } = SHAPES[api];
  const parts = lists.reduce<unknown[]>(
    (items, path) => items.flatMap((item) => listAt(item, path)),
    [json],
  );
  const [first] = lists;
  if (!Array.isArray(valueAt(json, first ?? ''))) return null;
  const texts = parts.map((part) => valueAt(part, api === 'chat' ? 'message.content' : 'text'));
  const read = (name: string) => {
    const count = valueAt(json, `${usage}.${name}`);
    return typeof count === 'number' && Number.isSafeInteger(count) ? count : null;
  };
  return {
    text: texts.filter((text) => typeof text === 'string').join(''),
    tokens: { request: read(counts[0]), response: read(counts[1]) },
  };
}

/** Returns the message of an error in any API's shape, or null. */
export function readError(json: unknown): string | null {
  const message = valueAt(json, 'error.message') ?? valueAt(json, 'message');
  return typeof message === 'string' ? message : null;
}

function listAt(value: unknown, path: string): unknown[] {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null ? (at as Json)[name] : undefined),
      value,
    );
}
