// Replaces tokens that their own format identifies, in texts where names have no meaning, such as arguments of launches.
import { DetectorSet, detectorOf } from './detectors.ts';
import { replaceSpans } from './spans.ts';
import { TOKEN_RULES } from './token-rules.ts';

const TOKENS = new DetectorSet(TOKEN_RULES.map(detectorOf));

/** Replaces each token by a text. Returns the same text if it contains none. */
export function replaceTokens(text: string, replacement: string): string {
  return replaceSpans(
    text,
    TOKENS.find(text).map((span) => ({ ...span, replacement })),
  );
}
