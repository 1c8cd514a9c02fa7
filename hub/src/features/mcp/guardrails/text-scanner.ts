// Applies guardrails to texts, to the files that texts embed as base64, and counts the findings.
import type { GuardrailAction } from '@gatewarden/shared/wire/console/mcp-call-rules.ts';
import type { Finder } from './detectors.ts';
import { decodeText, isBinary } from './text-extraction.ts';

export interface Guardrail {
  ruleId: string;
  name: string;
  action: GuardrailAction;
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

/** A text after a scan: `value` has redactions, `masked` has all findings replaced, for the log. */
export interface ScannedText {
  value: string;
  masked: string;
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
/** A data URL within a text, as in Markdown and HTML. */
const DATA_URL = /(data:([\w.+/-]*)(?:;[\w.+=-]+)*;base64,)([A-Za-z0-9+/_-]+={0,2})/gi;
/** Base64 up to this length may be a text instead of an image, so it is scanned as text too. */
const SHORT_CHARS = 4_096;

/** The guardrails of a scan, its findings, and the number of characters that were scanned. */
export class TextScanner {
  readonly #guardrails: readonly Guardrail[];
  readonly #maxChars: number;
  readonly #predictions = new Map<string, Prediction>();
  #scannedChars = 0;

  /** `maxChars`: limit of all texts together. */
  constructor(guardrails: readonly Guardrail[], maxChars: number) {
    this.#guardrails = guardrails;
    this.#maxChars = maxChars;
  }

  /** Returns the findings so far, summed for each guardrail and category. */
  get predictions(): Prediction[] {
    return [...this.#predictions.values()];
  }

  /** Scans a text and the files in its data URLs. Throws RangeError above the limit. */
  scanText(text: string): ScannedText {
    this.#countChars(text.length);
    const { value, masked } = this.#scanDataUrls(text);
    return this.applyGuardrails(value, masked);
  }

  /** Scans the base64 data of an image, audio or file. Data that is no base64 is scanned as text. */
  scanMedia(data: string, mimeType: unknown): ScannedText {
    const base64 = data.replaceAll(/\s+/g, '');
    if (!BASE64.test(base64)) return this.scanText(data);
    const file = this.#scanFile(base64, mimeType);
    if (file !== null) return file.value === base64 ? { ...file, value: data } : file;
    return data.length <= SHORT_CHARS ? this.scanText(data) : { value: data, masked: data };
  }

  /** Applies all guardrails to a text that may have been scanned in parts: `masked` is searched, `value` is redacted. */
  applyGuardrails(value: string, masked: string): ScannedText {
    let scanned: ScannedText = { value, masked };
    for (const guardrail of this.#guardrails) scanned = this.#applyGuardrail(guardrail, scanned);
    return scanned;
  }

  #applyGuardrail(guardrail: Guardrail, before: ScannedText): ScannedText {
    let { value, masked } = before;
    for (const { category, find } of guardrail.finders) {
      const { text: replaced, count } = find(masked);
      if (count === 0) continue;
      masked = replaced;
      if (guardrail.action === 'redact') value = find(value).text;
      this.#recordPrediction(guardrail, category, count);
    }
    return { value, masked };
  }

  #recordPrediction({ ruleId, name, action }: Guardrail, category: string, count: number): void {
    const key = `${ruleId} ${category}`;
    const prediction = this.#predictions.get(key);
    if (prediction !== undefined) prediction.count += count;
    else this.#predictions.set(key, { rule_id: ruleId, rule: name, action, category, count });
  }

  #scanDataUrls(text: string): ScannedText {
    let value = '';
    let masked = '';
    let end = 0;
    for (const { index, 0: url, 1: head = '', 2: mimeType, 3: base64 = '' } of text.matchAll(
      DATA_URL,
    )) {
      const file = this.#scanFile(base64, mimeType);
      if (file === null) continue;
      const between = text.slice(end, index) + head;
      value += between + file.value;
      masked += between + file.masked;
      end = index + url.length;
    }
    if (end === 0) return { value: text, masked: text };
    const rest = text.slice(end);
    return { value: value + rest, masked: masked + rest };
  }

  /** Returns the base64 data after the scan. Null: a binary file, or no finding. */
  #scanFile(base64: string, mimeType: unknown): ScannedText | null {
    const file = isBinary(base64, mimeType)
      ? null
      : decodeText(Buffer.from(base64, 'base64'), mimeType);
    if (file === null) return null;
    this.#countChars(file.text.length);
    const scanned = this.applyGuardrails(file.text, file.text);
    if (scanned.masked === file.text) return null;
    const encode = (text: string) =>
      text === file.text ? base64 : file.encode(text).toString('base64');
    return { value: encode(scanned.value), masked: encode(scanned.masked) };
  }

  #countChars(count: number): void {
    this.#scannedChars += count;
    if (this.#scannedChars > this.#maxChars) throw new RangeError('too large');
  }
}
