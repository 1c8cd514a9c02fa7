// Guardrails over a value: every text in it is looked at, names of members too.
import { copyDigits, exactDigits } from '../../../platform/http/json/lossless-numbers.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import type { Finder } from './detectors.ts';
import { decodeText, isBinary } from './text-extraction.ts';
import { runWithTimeBudget, sizeOf, startTimeBudget } from './time-budget.ts';

export interface Guardrail {
  ruleId: string;
  name: string;
  action: 'monitor' | 'redact' | 'block';
  finders: readonly { category: string; find: Finder }[];
  /** How many of them the tenant wrote: these may take any time. */
  tenantPatterns: number;
}

/** What a rule found, as the log row tells it. */
export interface Prediction {
  rule_id: string;
  rule: string;
  action: Guardrail['action'];
  category: string;
  count: number;
}

export interface ScanResult {
  /** With what is to be redacted replaced. The same value where there is nothing. */
  value: unknown;
  /** The same with everything replaced that any rule found, for the log. */
  masked: unknown;
  predictions: Prediction[];
}

/** Texts beyond it are not looked at, and so do not pass a rule that blocks or redacts. */
export const SCAN_MAX_CHARS = 4 * 1024 * 1024;
const DEPTH_MAX = 200;

interface Walked {
  value: unknown;
  masked: unknown;
}

/** Pictures, sounds and files as they stand in results: text only where their bytes are. */
function isMedia(node: object, name: string): boolean {
  const { type, mimeType, uri } = node as Record<string, unknown>;
  if (name === 'data') return type === 'image' || type === 'audio';
  // A resource need not say of what type it is.
  return name === 'blob' && (typeof mimeType === 'string' || typeof uri === 'string');
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
/** A file as an address within a text, as Markdown and HTML hold small ones. */
const DATA_ADDRESS = /(data:([\w.+/-]*)(?:;[\w.+=-]+)*;base64,)([A-Za-z0-9+/_-]+={0,2})/gi;
/** What is as short may be a text that only stands in the place of a picture. */
const SHORT_CHARS = 4_096;

/** What a client puts together when it shows a list of parts: of a result, of a prompt's messages, of a resource. */
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

/** Throws RangeError where the value is too large or nested too deep; TooSlow, where the rules take too long with it. */
export function scanContent(value: unknown, rules: readonly Guardrail[]): ScanResult {
  const tenantPatterns = rules.reduce((sum, rule) => sum + rule.tenantPatterns, 0);
  if (tenantPatterns === 0) return scanWithoutBudget(value, rules);
  const left = startTimeBudget(sizeOf(value, SCAN_MAX_CHARS));
  return runWithTimeBudget(value, tenantPatterns, left, () => scanWithoutBudget(value, rules));
}

function scanWithoutBudget(value: unknown, rules: readonly Guardrail[]): ScanResult {
  const found = new Map<string, Prediction>();
  let chars = 0;
  /** `masked` is what is looked at, `kept` what passes: both may have been looked at in parts before. */
  const look = (kept: string, masked: string): { value: string; masked: string } => {
    let [value, hidden] = [kept, masked];
    for (const rule of rules) {
      for (const { category, find } of rule.finders) {
        const { text: replaced, count } = find(hidden);
        if (count === 0) continue;
        hidden = replaced;
        if (rule.action === 'redact') value = find(value).text;
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
    return { value, masked: hidden };
  };
  const text = (before: string): { value: string; masked: string } => {
    chars += before.length;
    if (chars > SCAN_MAX_CHARS) throw new RangeError('too large');
    const { value, masked } = addresses(before);
    return look(value, masked);
  };
  /** With what the files in its addresses hold looked at. */
  const addresses = (before: string): { value: string; masked: string } => {
    let value = '';
    let masked = '';
    let end = 0;
    for (const { index, 0: all, 1: head = '', 2: type, 3: base64 = '' } of before.matchAll(
      DATA_ADDRESS,
    )) {
      const own = inFile(base64, type);
      if (own === null) continue;
      const between = before.slice(end, index) + head;
      value += between + own.value;
      masked += between + own.masked;
      end = index + all.length;
    }
    if (end === 0) return { value: before, masked: before };
    const rest = before.slice(end);
    return { value: value + rest, masked: masked + rest };
  };
  /** Null where nothing is found in it, or it is no text. */
  const inFile = (base64: string, mimeType: unknown): { value: string; masked: string } | null => {
    const file = isBinary(base64, mimeType)
      ? null
      : decodeText(Buffer.from(base64, 'base64'), mimeType);
    if (file === null) return null;
    chars += file.text.length;
    if (chars > SCAN_MAX_CHARS) throw new RangeError('too large');
    const own = look(file.text, file.text);
    if (own.masked === file.text) return null;
    const back = (after: string) =>
      after === file.text ? base64 : file.encode(after).toString('base64');
    return { value: back(own.value), masked: back(own.masked) };
  };
  const media = (node: object, sent: string): { value: string; masked: string } => {
    const base64 = sent.replaceAll(/\s+/g, '');
    if (!BASE64.test(base64)) return text(sent);
    const { mimeType } = node as { mimeType?: unknown };
    const own = inFile(base64, mimeType);
    if (own !== null) {
      return own.value === base64 ? { ...own, value: sent } : own;
    }
    return sent.length <= SHORT_CHARS ? text(sent) : { value: sent, masked: sent };
  };
  /** What only several parts together hold. What is replaced then stands in the first of them. */
  const together = (parts: Walked[]): Walked[] => {
    const at = parts.flatMap((item, i) => (partText(item.value) === null ? [] : [i]));
    if (at.length < 2) return parts;
    const join = (side: keyof Walked) =>
      at.map((i) => partText((parts[i] as Walked)[side]) ?? '').join('');
    const [kept, hidden] = [join('value'), join('masked')];
    const after = look(kept, hidden);
    const put = (side: keyof Walked, before: string) => (item: unknown, i: number) =>
      after[side] === before || !at.includes(i)
        ? item
        : withText(item, i === at[0] ? after[side] : '');
    const values = parts.map((item, i) => put('value', kept)(item.value, i));
    const masks = parts.map((item, i) => put('masked', hidden)(item.masked, i));
    return parts.map((_, i) => ({ value: values[i], masked: masks[i] }));
  };
  /** A card's number may come as a number. */
  const numeral = (node: number, digits: string): Walked => {
    // Its reader may take the digits, or the double that they stand for.
    for (const before of new Set([digits, String(node)])) {
      const { value, masked } = text(before);
      if (masked === before) continue;
      return { value: value === before ? node : value, masked };
    }
    return { value: node, masked: node };
  };
  const walkIn = (holder: object, name: string, node: unknown, depth: number): Walked =>
    typeof node === 'number' && node >= 1e12
      ? numeral(node, exactDigits(holder, name, node))
      : walk(node, depth);
  const walk = (node: unknown, depth: number): Walked => {
    if (typeof node === 'string') return text(node);
    if (typeof node !== 'object' || node === null) return { value: node, masked: node };
    if (depth === 0) throw new RangeError('nested too deep');
    if (Array.isArray(node)) {
      const all = together(node.map((item, i) => walkIn(node, String(i), item, depth - 1)));
      const isSame = all.every((item, i) => item.value === node[i] && item.masked === node[i]);
      if (isSame) return { value: node, masked: node };
      return {
        value: copyDigits(
          node,
          all.map((item) => item.value),
        ),
        masked: copyDigits(
          node,
          all.map((item) => item.masked),
        ),
      };
    }
    const all = Object.entries(node).map(([name, value]) => {
      const walked =
        isMedia(node, name) && typeof value === 'string'
          ? media(node, value)
          : walkIn(node, name, value, depth - 1);
      return [text(name), walked, name, value] as const;
    });
    const isSame = all.every(
      ([key, value, name, before]) =>
        key.value === name && key.masked === name && value.value === before && value.masked === before,
    );
    if (isSame) return { value: node, masked: node };
    const named = (side: keyof Walked) => {
      const names = new Map(all.map(([key, , name]) => [name, key[side] as string]));
      const copy = Object.fromEntries(all.map(([key, value]) => [key[side], value[side]]));
      return copyDigits(node, copy, (name) => names.get(name) ?? name);
    };
    return { value: named('value'), masked: named('masked') };
  };
  const { value: kept, masked } = walk(value, DEPTH_MAX);
  return { value: kept, masked, predictions: [...found.values()] };
}
