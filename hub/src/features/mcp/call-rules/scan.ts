// Guardrails over a value: every text in it is looked at, names of members too. Pure.
import type { Finder } from './detectors.ts';

export interface Guardrail {
  ruleId: string;
  name: string;
  action: 'monitor' | 'redact' | 'block';
  finders: readonly { category: string; find: Finder }[];
}

/** What a rule found, as the log row tells it. */
export interface Prediction {
  rule_id: string;
  rule: string;
  action: Guardrail['action'];
  category: string;
  count: number;
}

export interface Scanned {
  /** With what is to be redacted replaced. The same value where there is nothing. */
  value: unknown;
  /** The same with everything replaced that any rule found, for the log. */
  masked: unknown;
  predictions: Prediction[];
}

/** Texts beyond it are not looked at, and so do not pass a rule that blocks or redacts. */
export const SCAN_MAX_CHARS = 4 * 1024 * 1024;
const DEPTH_MAX = 200;

/** Pictures, sounds and files as they stand in results: their bytes are no text. */
function isMedia(node: object, name: string): boolean {
  const { type, mimeType } = node as { type?: unknown; mimeType?: unknown };
  if (name === 'data') return type === 'image' || type === 'audio';
  return name === 'blob' && typeof mimeType === 'string';
}

/** Throws RangeError where the value is too large or nested too deep. */
export function scanned(value: unknown, rules: readonly Guardrail[]): Scanned {
  const found = new Map<string, Prediction>();
  let chars = 0;
  const text = (before: string): { value: string; masked: string } => {
    chars += before.length;
    if (chars > SCAN_MAX_CHARS) throw new RangeError('too large');
    let [kept, masked] = [before, before];
    for (const rule of rules) {
      for (const { category, find } of rule.finders) {
        const { text: replaced, count } = find(masked);
        if (count === 0) continue;
        masked = replaced;
        if (rule.action === 'redact') kept = find(kept).text;
        const key = `${rule.ruleId} ${category}`;
        const known = found.get(key);
        if (known !== undefined) known.count += count;
        else {
          found.set(key, {
            rule_id: rule.ruleId,
            rule: rule.name,
            action: rule.action,
            category,
            count,
          });
        }
      }
    }
    return { value: kept, masked };
  };
  const walk = (node: unknown, depth: number): { value: unknown; masked: unknown } => {
    if (typeof node === 'string') return text(node);
    // A card's number may come as a number.
    if (typeof node === 'number' && node >= 1e12) {
      const before = String(node);
      const { value, masked } = text(before);
      return {
        value: value === before ? node : value,
        masked: masked === before ? node : masked,
      };
    }
    if (typeof node !== 'object' || node === null) return { value: node, masked: node };
    if (depth === 0) throw new RangeError('nested too deep');
    if (Array.isArray(node)) {
      const all = node.map((one) => walk(one, depth - 1));
      const isSame = all.every((one, i) => one.value === node[i] && one.masked === node[i]);
      if (isSame) return { value: node, masked: node };
      return { value: all.map((one) => one.value), masked: all.map((one) => one.masked) };
    }
    const all = Object.entries(node).map(([name, one]) => {
      const walked = isMedia(node, name) ? { value: one, masked: one } : walk(one, depth - 1);
      return [text(name), walked, name, one] as const;
    });
    const isSame = all.every(
      ([key, one, name, before]) =>
        key.value === name && key.masked === name && one.value === before && one.masked === before,
    );
    if (isSame) return { value: node, masked: node };
    return {
      value: Object.fromEntries(all.map(([key, one]) => [key.value, one.value])),
      masked: Object.fromEntries(all.map(([key, one]) => [key.masked, one.masked])),
    };
  };
  const { value: kept, masked } = walk(value, DEPTH_MAX);
  return { value: kept, masked, predictions: [...found.values()] };
}
