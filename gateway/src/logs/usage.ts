// Reads the token usage that a provider reports, in the members of every API. Events of a stream report it in parts: the
// last value of each count wins.
import type { JsonObject } from '../entry/request-body.ts';

export interface TokenUsage {
  /** Input tokens, with those that were read from or written to a cache. */
  request: number | null;
  response: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
  reasoning: number | null;
}

export const NO_USAGE: TokenUsage = {
  request: null,
  response: null,
  cacheRead: null,
  cacheWrite: null,
  reasoning: null,
};

/** Members that contain the usage of an answer or of an event of a stream. */
const WRAPPERS = ['response', 'message', 'meta', 'metadata'];
const USAGE_MEMBERS = ['usage', 'usageMetadata', 'amazon-bedrock-invocationMetrics', 'tokens'];

const REQUEST = [
  'prompt_tokens',
  'input_tokens',
  'promptTokenCount',
  'inputTokens',
  'inputTokenCount',
];
const RESPONSE = ['completion_tokens', 'output_tokens', 'outputTokens', 'outputTokenCount'];
const CACHE_READ = ['cache_read_input_tokens', 'cacheReadInputTokens', 'cachedContentTokenCount'];
const CACHE_WRITE = ['cache_creation_input_tokens', 'cacheWriteInputTokens'];
const INPUT_DETAILS = ['prompt_tokens_details', 'input_tokens_details'];
const OUTPUT_DETAILS = ['completion_tokens_details', 'output_tokens_details'];

/** Returns `before` with the counts that a JSON answer or an event reports. */
export function mergeUsage(before: TokenUsage, json: unknown): TokenUsage {
  const usage = findUsage(json);
  if (usage === null) return before;
  // Anthropic and Converse count cached input apart from the input.
  const isApart = CACHE_READ.slice(0, 2).some((name) => name in usage);
  const cacheRead =
    readCount(usage, CACHE_READ) ?? readDetail(usage, INPUT_DETAILS, 'cached_tokens');
  const cacheWrite = readCount(usage, CACHE_WRITE);
  const input = readCount(usage, REQUEST);
  const apart = isApart ? (cacheRead ?? 0) + (cacheWrite ?? 0) : 0;
  return {
    request: input === null ? before.request : input + apart,
    response: readResponse(usage) ?? before.response,
    cacheRead: cacheRead ?? before.cacheRead,
    cacheWrite: cacheWrite ?? before.cacheWrite,
    reasoning:
      readDetail(usage, OUTPUT_DETAILS, 'reasoning_tokens') ??
      readCount(usage, ['thoughtsTokenCount']) ??
      before.reasoning,
  };
}

/** Gemini counts thoughts apart from the candidates; both are billed as output. */
function readResponse(usage: JsonObject): number | null {
  const candidates = readCount(usage, ['candidatesTokenCount']);
  if (candidates === null) return readCount(usage, RESPONSE);
  return candidates + (readCount(usage, ['thoughtsTokenCount']) ?? 0);
}

function findUsage(json: unknown): JsonObject | null {
  if (!isObject(json)) return null;
  for (const holder of [json, ...WRAPPERS.map((name) => json[name])]) {
    if (!isObject(holder)) continue;
    for (const name of USAGE_MEMBERS) {
      const usage = holder[name];
      if (isObject(usage)) return usage;
    }
  }
  return null;
}

function readCount(usage: JsonObject, names: readonly string[]): number | null {
  for (const name of names) {
    const value = usage[name];
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  }
  return null;
}

function readDetail(usage: JsonObject, members: readonly string[], name: string): number | null {
  const details = members.map((member) => usage[member]).find(isObject);
  return details === undefined ? null : readCount(details, [name]);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
