// Scans a value with guardrails: every text, including the names of members.
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
  /** Number of patterns of the tenant, whose duration is unknown. */
  tenantPatterns: number;
}

/** A finding of a guardrail, in the format of the log row. */
export interface Prediction {
  rule_id: string;
  rule: string;
  action: Guardrail['action'];
  category: string;
  count: number;
}

export interface ScanResult {
  /** The value with redactions. The same value without findings. */
  value: unknown;
  /** The value with all findings replaced, for the log. */
  masked: unknown;
  predictions: Prediction[];
}

/** Characters that are scanned. A larger value does not pass a guardrail that blocks or redacts. */
export const SCAN_MAX_CHARS = 4 * 1024 * 1024;
const DEPTH_MAX = 200;

interface Walked {
  value: unknown;
  masked: unknown;
}

/** Returns whether a member is the base64 data of an image, audio or file. */
function isMedia(node: object, name: string): boolean {
  const { type, mimeType, uri } = node as Record<string, unknown>;
  if (name === 'data') return type === 'image' || type === 'audio';
  // The type of a resource is optional.
  return name === 'blob' && (typeof mimeType === 'string' || typeof uri === 'string');
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
/** A data URL within a text, as in Markdown and HTML. */
const DATA_ADDRESS = /(data:([\w.+/-]*)(?:;[\w.+=-]+)*;base64,)([A-Za-z0-9+/_-]+={0,2})/gi;
/** Base64 up to this length may be a text instead of an image, so it is scanned as text too. */
const SHORT_CHARS = 4_096;

/** Returns the text of a part, which clients join to a single text: parts of a result, a prompt or a resource. */
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

/** Scans a value. Throws RangeError if it is too large or nested too deep, and ScanTimeoutError after the time budget. */
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
  /** Scans the files in data URLs. */
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
  /** Returns null without a finding, or for a binary file. */
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
  /** Scans the joined parts. A redacted text is written to the first part. */
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
  /** Scans a number, such as a card number. */
  const numeral = (node: number, digits: string): Walked => {
    // A reader may use the digits, or the nearest double.
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
      const side = (name: keyof Walked) =>
        copyDigits(
          node,
          all.map((walked) => walked[name]),
        );
      return { value: side('value'), masked: side('masked') };
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
        key.value === name &&
        key.masked === name &&
        value.value === before &&
        value.masked === before,
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
