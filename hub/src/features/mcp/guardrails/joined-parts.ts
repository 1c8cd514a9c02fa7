// Scans texts that clients join to a single text, because a secret may be split over them: the parts of a result, a prompt
// or a resource.
import { isObject } from '../../../platform/http/json/parse-json.ts';
import type { ScannedText, TextScanner } from './text-scanner.ts';

/** A value after a scan: `value` has redactions, `masked` has all findings replaced, for the log. */
export interface ScannedNode {
  value: unknown;
  masked: unknown;
}

/** Scans the joined texts of the parts. A redacted text is written to the first part, and the other texts become empty. */
export function scanJoinedParts(scanner: TextScanner, parts: ScannedNode[]): ScannedNode[] {
  const textIndexes = parts.flatMap((part, i) => (partText(part.value) === null ? [] : [i]));
  if (textIndexes.length < 2) return parts;
  const join = (side: keyof ScannedNode) =>
    textIndexes.map((i) => partText((parts[i] as ScannedNode)[side]) ?? '').join('');
  const before: ScannedText = { value: join('value'), masked: join('masked') };
  const after = scanner.applyGuardrails(before.value, before.masked);
  const replaceText = (side: keyof ScannedNode, part: unknown, i: number) =>
    after[side] === before[side] || !textIndexes.includes(i)
      ? part
      : withText(part, i === textIndexes[0] ? after[side] : '');
  return parts.map(({ value, masked }, i) => ({
    value: replaceText('value', value, i),
    masked: replaceText('masked', masked, i),
  }));
}

/** Returns the text of a part; null: the part has none. */
function partText(part: unknown): string | null {
  if (!isObject(part)) return null;
  if (typeof part.text === 'string') return part.text;
  const { content } = part;
  return isObject(content) && typeof content.text === 'string' ? content.text : null;
}

function withText(part: unknown, text: string): unknown {
  const { content, ...rest } = part as Record<string, unknown>;
  if ('text' in rest) return { ...(part as object), text };
  return { ...rest, content: { ...(content as object), text } };
}
