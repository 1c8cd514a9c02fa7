// Scans a value with guardrails: every text, including the names of members.
import { copyDigits, exactDigits } from '../../../platform/http/json/lossless-numbers.ts';
import { type ScannedNode, scanJoinedParts } from './joined-parts.ts';
import { type Guardrail, type Prediction, TextScanner } from './text-scanner.ts';
import { runWithTimeBudget, sizeOf, startTimeBudget } from './time-budget.ts';

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
/** Numbers from this size may be a card or account number, so they are scanned like a text. */
const NUMBER_MIN = 1e12;

/** Scans a value. Throws RangeError if it is too large or nested too deep, and ScanTimeoutError after the time budget. */
export function scanContent(value: unknown, guardrails: readonly Guardrail[]): ScanResult {
  const tenantPatterns = guardrails.reduce((sum, { tenantPatterns: count }) => sum + count, 0);
  if (tenantPatterns === 0) return scanWithoutBudget(value, guardrails);
  const budget = startTimeBudget(sizeOf(value, SCAN_MAX_CHARS));
  return runWithTimeBudget(value, tenantPatterns, budget, () =>
    scanWithoutBudget(value, guardrails),
  );
}

function scanWithoutBudget(value: unknown, guardrails: readonly Guardrail[]): ScanResult {
  const scanner = new TextScanner(guardrails, SCAN_MAX_CHARS);
  const scanned = scanNode(scanner, value, DEPTH_MAX);
  return { value: scanned.value, masked: scanned.masked, predictions: scanner.predictions };
}

/** Scans a value with its members. `depth`: levels that may be below the value. */
function scanNode(scanner: TextScanner, node: unknown, depth: number): ScannedNode {
  if (typeof node === 'string') return scanner.scanText(node);
  if (typeof node !== 'object' || node === null) return { value: node, masked: node };
  if (depth === 0) throw new RangeError('nested too deep');
  return Array.isArray(node)
    ? scanArray(scanner, node, depth)
    : scanObject(scanner, node as Record<string, unknown>, depth);
}

function scanArray(scanner: TextScanner, items: unknown[], depth: number): ScannedNode {
  const scanned = scanJoinedParts(
    scanner,
    items.map((item, i) => scanMember(scanner, { holder: items, name: String(i) }, item, depth)),
  );
  const isUnchanged = scanned.every(
    ({ value, masked }, i) => value === items[i] && masked === items[i],
  );
  if (isUnchanged) return { value: items, masked: items };
  const copy = (side: keyof ScannedNode) =>
    copyDigits(
      items,
      scanned.map((item) => item[side]),
    );
  return { value: copy('value'), masked: copy('masked') };
}

function scanObject(
  scanner: TextScanner,
  node: Record<string, unknown>,
  depth: number,
): ScannedNode {
  const members = Object.entries(node).map(([name, before]) => {
    const content =
      isMedia(node, name) && typeof before === 'string'
        ? scanner.scanMedia(before, node.mimeType)
        : scanMember(scanner, { holder: node, name }, before, depth);
    return { name, before, key: scanner.scanText(name), content };
  });
  const isUnchanged = members.every(
    ({ name, before, key, content }) =>
      key.value === name &&
      key.masked === name &&
      content.value === before &&
      content.masked === before,
  );
  if (isUnchanged) return { value: node, masked: node };
  const copy = (side: keyof ScannedNode) => {
    const names = new Map(members.map(({ name, key }) => [name, key[side]]));
    const copied = Object.fromEntries(
      members.map(({ key, content }) => [key[side], content[side]]),
    );
    return copyDigits(node, copied, (name) => names.get(name) ?? name);
  };
  return { value: copy('value'), masked: copy('masked') };
}

/** Scans an item or a member of `holder`, which knows the digits of its numbers. */
function scanMember(
  scanner: TextScanner,
  { holder, name }: { holder: object; name: string },
  node: unknown,
  depth: number,
): ScannedNode {
  return typeof node === 'number' && node >= NUMBER_MIN
    ? scanNumber(scanner, node, exactDigits(holder, name, node))
    : scanNode(scanner, node, depth - 1);
}

/** Scans a number, such as a card number. A reader may use the digits that were sent, or the nearest double. */
function scanNumber(scanner: TextScanner, node: number, digits: string): ScannedNode {
  for (const before of new Set([digits, String(node)])) {
    const { value, masked } = scanner.scanText(before);
    if (masked === before) continue;
    return { value: value === before ? node : value, masked };
  }
  return { value: node, masked: node };
}

/** Returns whether a member is the base64 data of an image, audio or file. */
function isMedia({ type, mimeType, uri }: Record<string, unknown>, name: string): boolean {
  if (name === 'data') return type === 'image' || type === 'audio';
  // The type of a resource is optional.
  return name === 'blob' && (typeof mimeType === 'string' || typeof uri === 'string');
}
