// Redacts credentials in running text. Detectors return spans; the spans are merged, and the text is rewritten. A text
// that changed is examined once more. A text is examined only by the rules whose keywords it contains.
import { COMMAND_RULES } from './command-rules.ts';
import { HIDDEN_CHARACTER, normalizeHiddenText } from './decoding.ts';
import { type Detector, DetectorSet, detectorOf } from './detectors.ts';
import { ENTROPY_RULES } from './entropy-rules.ts';
import { HTTP_RULES } from './http-rules.ts';
import { findKubernetesSecrets, SECRET_KEYWORDS } from './kubernetes-secrets.ts';
import { NAMED_VALUE_RULES } from './named-value-rules.ts';
import { compilePattern } from './regular-expressions.ts';
import type { Rule } from './rule.ts';
import { SENTENCE_RULES } from './sentence-rules.ts';
import { replaceSpans, type Span } from './spans.ts';
import { findTableCredentials, TABLE_KEYWORDS } from './tables.ts';
import { TOKEN_RULES } from './token-rules.ts';

/** The header line of a PEM block, with the encodings of a blank in URLs and forms. */
function keyLine(word: string): string {
  return `----(?:-| )${word}(?: |%20|\\+)[A-Z0-9 %+]{0,40}PRIVATE(?: |%20|\\+)KEY(?:(?: |%20|\\+)BLOCK)? ?-----?`;
}
const PRIVATE_KEY = /PRIVATE(?: |%20|\+)KEY/;
const KEY_BEGIN = compilePattern(keyLine('BEGIN'), 'g');
const KEY_END = compilePattern(keyLine('END'), 'g');

/** Replaces private keys in PEM. A truncated key ends with the text. */
function redactPrivateKeys(text: string): string {
  if (!PRIVATE_KEY.test(text)) return text;
  const spans: Span[] = [];
  KEY_BEGIN.lastIndex = 0;
  for (let begin = KEY_BEGIN.exec(text); begin !== null; begin = KEY_BEGIN.exec(text)) {
    KEY_END.lastIndex = KEY_BEGIN.lastIndex;
    const to = KEY_END.test(text) ? KEY_END.lastIndex : text.length;
    spans.push({ from: begin.index, to, replacement: '[REDACTED_PRIVATE_KEY]' });
    KEY_BEGIN.lastIndex = to;
  }
  return replaceSpans(text, spans);
}

/**
 * The base64 beginnings of credentials: JSON objects and lists, keys of common vendors, headers, URLs with a login, and
 * configuration files. Most other base64 is images and is not decoded.
 */
const ENCODED_STARTS: readonly string[] = [
  ...['eyJ', 'eyAi', 'eyd', 'ewog', 'ewoJ', 'ewoi', 'ew0K', 'W3si', 'Z3d', 'Z2hv', 'Z2hw'],
  ...['Z2l0aHVi', 'Z2xw', 'c2st', 'c2tf', 'QUtJQ', 'QVNJQ', 'QUl6Y', 'eG94', 'LS0tLS1C'],
  ...['QmVhcmVy', 'QXV0aG9y', 'YXV0aG9y', 'cG9zdGdyZ', 'bW9uZ29kY', 'bXlzcWw6', 'cmVkaXM6'],
  ...['YW1xcDov', 'QVdTX', 'U0VDUkV', 'VE9LRU4', 'UEFTU1dP', 'IyEv', 'I2Nsb3Vk', 'ZXhwb3J0I'],
  ...['REJf', 'QVBJX', 'UE9TVEdSRV', 'cGFzc3dvcm', 'ZGF0YWJhc2U6'],
];
const ENCODED: Rule = {
  id: 'base64',
  keywords: ENCODED_STARTS.map((start) => start.toLowerCase()),
  pattern: `(?<![A-Za-z0-9+/_-])(?:${ENCODED_STARTS.join('|')})[A-Za-z0-9+/_-]{20,4096}(?![A-Za-z0-9+/_-])={0,2}`,
  accepts: (value) => {
    const decoded = Buffer.from(value, 'base64').toString('latin1');
    return PRIVATE_KEY.test(decoded) || CREDENTIALS.matches(decoded);
  },
};

/** All detectors; where spans begin at the same position, the first decides the placeholder. */
const DETECTORS: readonly Detector[] = [
  { keywords: SECRET_KEYWORDS, find: findKubernetesSecrets },
  ...[...TOKEN_RULES, ENCODED, ...HTTP_RULES, ...NAMED_VALUE_RULES].map(detectorOf),
  ...[...SENTENCE_RULES, ...COMMAND_RULES, ...ENTROPY_RULES].map(detectorOf),
  { keywords: TABLE_KEYWORDS, find: findTableCredentials },
];

const CREDENTIALS = new DetectorSet(DETECTORS);

/**
 * Replaces credentials in a text by placeholders. Returns the same text if it contains none. A text with a credential is
 * examined twice, because a placeholder can separate a further credential from its surroundings: thus redaction is idempotent.
 */
export function redactText(text: string): string {
  const shown = redactOnce(text);
  return shown === text ? text : redactOnce(shown);
}

function redactOnce(sent: string): string {
  // The lines of a private key would end other values.
  const text = redactPrivateKeys(sent);
  const shown = replaceSpans(text, CREDENTIALS.find(text));
  if (!HIDDEN_CHARACTER.test(shown)) return shown;
  const read = normalizeHiddenText(shown);
  const after = read === shown ? read : replaceSpans(read, CREDENTIALS.find(read));
  // Without a hidden credential, invisible and full-width characters remain, because most have a legitimate use.
  return after === read ? shown : after;
}
