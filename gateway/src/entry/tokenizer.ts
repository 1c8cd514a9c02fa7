// Estimates tokens with the o200k vocabulary. A provider's own count replaces the estimate in log rows.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Longer texts are estimated by their length, because the tokenizer needs milliseconds for each 10 KB. */
const EXACT_CHARACTERS = 100_000;
const CHARACTERS_PER_TOKEN = 4;
/** A special token in a text of a user is ordinary text. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Returns the approximate number of tokens of texts. */
export function estimateTokens(texts: readonly string[]): number {
  let tokens = 0;
  let left = EXACT_CHARACTERS;
  for (const text of texts) {
    if (text.length > left) tokens += Math.ceil(text.length / CHARACTERS_PER_TOKEN);
    else tokens += countTokens(text, AS_TEXT);
    left = Math.max(0, left - text.length);
  }
  return tokens;
}
