// Detectors of credentials. The redaction library finds them, so that a guardrail and the log agree; this file aligns
// its result with the text to learn their positions.
import { redactText } from '../../redaction/text.ts';
import type { ScannedText } from '../scanned-text.ts';
import type { Detector, Range } from '../types.ts';

interface SecretRange extends Range {
  subcategory: string;
}

const PLACEHOLDER = /\[REDACTED(?:_([A-Z_]{1,40}))?\]/g;
/** Authentication schemes: the redaction changes their case in front of a placeholder. */
const SCHEME = /(?:bearer|basic)\s{1,8}$/i;
const SUBCATEGORIES = ['api_key', 'access_token', 'password', 'private_key', 'connection_string'];

/** Returns the credentials of a text in order. Where an alignment is ambiguous, a range covers all possibilities. */
function findSecrets(text: string): readonly SecretRange[] {
  const redacted = redactText(text);
  if (redacted === text) return [];
  const pieces: string[] = [];
  const kinds: (string | undefined)[] = [];
  let from = 0;
  for (const match of redacted.matchAll(PLACEHOLDER)) {
    pieces.push(redacted.slice(from, match.index).replace(SCHEME, ''));
    kinds.push(match[1]);
    from = match.index + match[0].length;
  }
  pieces.push(redacted.slice(from));
  const bounds = alignPieces(text, pieces);
  if (bounds === null) return [coverDifference(text, redacted)];
  return kinds.flatMap((kind, i): SecretRange[] => {
    const start = bounds.starts[i] ?? 0;
    const end = bounds.ends[i] ?? text.length;
    // The text itself may contain a placeholder.
    if (start >= end || /^\[REDACTED(?:_[A-Z_]{1,40})?\]$/.test(text.slice(start, end))) return [];
    const before = text.slice(Math.max(0, start - 60), start);
    return [{ start, end, subcategory: classifySecret(kind, before, text.slice(start, end)) }];
  });
}

/**
 * Returns where the text between pieces starts and ends: starts from the earliest alignment, ends from the latest.
 * Returns null if the pieces do not occur in order, because the redaction normalized the text.
 */
function alignPieces(text: string, pieces: readonly string[]) {
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return null;
  const inner = pieces.slice(1, -1);
  const starts = alignForward(text, inner, first.length);
  const ends = alignBackward(text, inner, text.length - last.length);
  return starts === null || ends === null ? null : { starts, ends };
}

/** Returns the end of the earliest occurrence of each piece, behind `start`; null if a piece does not occur in order. */
function alignForward(text: string, pieces: readonly string[], start: number): number[] | null {
  const starts = [start];
  for (const piece of pieces) {
    const at = text.indexOf(piece, (starts.at(-1) ?? 0) + 1);
    if (at === -1) return null;
    starts.push(at + piece.length);
  }
  return starts;
}

/** Returns the start of the latest occurrence of each piece, before `end`; null if a piece does not occur in order. */
function alignBackward(text: string, pieces: readonly string[], end: number): number[] | null {
  const ends = [end];
  for (const piece of pieces.toReversed()) {
    const at = text.lastIndexOf(piece, (ends[0] ?? 0) - 1 - piece.length);
    if (at === -1) return null;
    ends.unshift(at);
  }
  return ends;
}

/** Returns everything between the common start and the common end of both texts. */
function coverDifference(text: string, redacted: string): SecretRange {
  const most = Math.min(text.length, redacted.length);
  let start = 0;
  while (start < most && text[start] === redacted[start]) start++;
  let same = 0;
  while (same < most - start && text.at(-1 - same) === redacted.at(-1 - same)) same++;
  return { start, end: text.length - same, subcategory: 'api_key' };
}

/** Returns the subcategory of a secret from its placeholder, or from the text before it. */
function classifySecret(kind: string | undefined, before: string, value: string): string {
  if (kind === 'PRIVATE_KEY') return 'private_key';
  if (kind === 'PASSWORD_HASH') return 'password';
  if (kind !== undefined) return /TOKEN|JWT/.test(kind) ? 'access_token' : 'api_key';
  if (/:\/\/[^\s/]{0,58}$/.test(before)) return 'connection_string';
  if (/^(?:bearer|basic)\s/i.test(value)) return 'access_token';
  if (/pass|pwd|pin\b/i.test(before)) return 'password';
  if (/token|bearer|cookie|session|authorization/i.test(before)) return 'access_token';
  return /key|secret/i.test(before) ? 'api_key' : 'password';
}

/** The secrets of a text, found once for the detectors of all subcategories. */
const secretsByText = new WeakMap<ScannedText, readonly SecretRange[]>();

function secretsOf(scanned: ScannedText): readonly SecretRange[] {
  const secrets = secretsByText.get(scanned) ?? findSecrets(scanned.text);
  secretsByText.set(scanned, secrets);
  return secrets;
}

export const SECRET_DETECTORS: readonly Detector[] = SUBCATEGORIES.map((subcategory) => ({
  name: subcategory,
  category: 'secrets',
  subcategory,
  level: 'low',
  find: (scanned) => secretsOf(scanned).filter((secret) => secret.subcategory === subcategory),
}));
