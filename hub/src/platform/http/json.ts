// JSON as it may enter: strict UTF-8, bounded depth and size of structure, no NUL, no lone surrogate, no poisoned keys.
import { parseExactly } from '@gatewarden/shared/json-keys.ts';
import { closingQuote } from '@gatewarden/shared/json-strings.ts';
import { HubError } from './errors.ts';
import { pointerPart } from './pointer.ts';

const MAX_DEPTH = 32;
const MAX_VALUES = 200_000;
/** V8 takes two microseconds for each name that it has not seen: of a large object's many more than for its values. */
const MAX_NAMES = { ofAnObject: 10_000, inAll: 100_000 };
/** Up to here a body is parsed before its depth is looked at. */
const SMALL = 128 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses a body. Throws `invalid_json` or `invalid_request` with a JSON pointer; never anything else. */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new HubError('invalid_json', '/ is not valid UTF-8.');
  }
  if (text.trim() === '') throw new HubError('invalid_json', '/ is empty.');
  // JSON.parse takes any depth, at a cost of memory that grows with it.
  if (text.length > SMALL) checkDepth(text, MAX_DEPTH, MAX_NAMES);
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch (error) {
    // Only the place: the engine's own words quote the body, which may hold a secret.
    const at = /position (\d+)/.exec((error as Error).message)?.[1];
    throw new HubError('invalid_json', at && `/ is not valid JSON, from character ${at} on.`);
  }
  if (mayHoldOddities(text) || !isPlain(value, MAX_DEPTH)) checkValues(value);
  return value;
}

/**
 * Looks for what `checkValues` refuses without walking: only an escape can make a NUL or a lone surrogate, and a
 * poisoned name is written out. Most bodies hold none of it.
 */
function mayHoldOddities(text: string): boolean {
  return (
    text.length > SMALL ||
    text.includes('\\u') ||
    text.includes('__proto__') ||
    text.includes('prototype')
  );
}

/** Not deeper than this, and every number finite. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  // By index and by values: `for in` over an array costs more than parsing it did.
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item === 'number' && !Number.isFinite(item)) return false;
    if (typeof item === 'object' && item !== null && !isPlain(item, depth - 1)) return false;
  }
  return true;
}

/**
 * Before parsing: what walks the result later would not take any depth, and names cost more than they are worth. Throws
 * `invalid_json`.
 */
export function checkDepth(text: string, maxDepth: number, maxNames?: typeof MAX_NAMES): void {
  let depth = 0;
  let namesInAll = 0;
  const names = new Uint32Array(maxDepth + 1);
  const { ofAnObject, inAll } = maxNames ?? { ofAnObject: Infinity, inAll: Infinity };
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) {
      i = closingQuote(text, i);
      if (i === -1) return;
    } else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > maxDepth) throw tooDeep(maxDepth);
      names[depth] = 0;
    } else if (unit === 0x3a) {
      const ofThis = (names[depth] ?? 0) + 1;
      names[depth] = ofThis;
      if (ofThis > ofAnObject || ++namesInAll > inAll) {
        throw new HubError('invalid_json', '/ has too many names.');
      }
    } else if (unit === 0x5d || unit === 0x7d) {
      depth--;
    }
  }
}

const tooDeep = (maxDepth: number) =>
  new HubError('invalid_json', `/ is nested deeper than ${maxDepth} levels.`);

function checkValues(root: unknown): void {
  let count = 0;
  const walk = (value: unknown, depth: number, pointer: () => string): void => {
    if (++count > MAX_VALUES) throw new HubError('invalid_json', '/ has too many values.');
    if (typeof value === 'string') checkText(value, pointer);
    else if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new HubError('invalid_request', `${pointer()} is outside the supported number range`);
    } else if (typeof value !== 'object' || value === null) {
      return;
    } else if (depth === 0) {
      throw tooDeep(MAX_DEPTH);
    } else if (Array.isArray(value)) {
      value.forEach((item, i) => {
        walk(item, depth - 1, () => `${pointer()}/${i}`);
      });
    } else {
      for (const [key, item] of Object.entries(value)) {
        const here = () => `${pointer()}/${pointerPart(key)}`;
        checkText(key, pointer);
        if (isPoison(key, item)) {
          throw new HubError('invalid_json', `${here()} is a reserved name.`);
        }
        walk(item, depth - 1, here);
      }
    }
  };
  walk(root, MAX_DEPTH, () => '');
}

/** Names that would reach an object's prototype where a value is copied carelessly. */
function isPoison(key: string, value: unknown): boolean {
  if (key === '__proto__') return true;
  const isObject = typeof value === 'object' && value !== null;
  return key === 'constructor' && isObject && Object.hasOwn(value, 'prototype');
}

const PLAIN_URL = /^[\x21-\x7e]*$/;

/** The same for what stands in a path and a query: bad escapes, NUL and lone surrogates are a 400. */
export function checkUrl(url: string, params: unknown, query: unknown): void {
  // Only an escape can make anything else than plain ASCII of a URL.
  if (!url.includes('%') && PLAIN_URL.test(url)) return;
  if (!isDecodable(pathOf(url)))
    throw new HubError('invalid_request', '/path has an invalid escape sequence');
  const at = url.indexOf('?');
  try {
    decodeURIComponent(at === -1 ? '' : url.slice(at + 1));
  } catch {
    throw new HubError('invalid_request', '/query has an invalid escape sequence');
  }
  checkFlat('/path', params);
  checkFlat('/query', query);
}

const pathOf = (url: string) => url.split('?', 1)[0] as string;

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * The URL by which a route is found. One whose path holds a bad escape is found by its very letters, so that who may not
 * come in is told that first; `checkUrl` refuses it after.
 */
export function findableUrl(url: string): string {
  if (!url.includes('%')) return url;
  const path = pathOf(url);
  return isDecodable(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length);
}

function checkFlat(place: string, values: unknown): void {
  for (const [name, value] of Object.entries(values ?? {})) {
    for (const text of [name, value].flat()) {
      if (typeof text === 'string') checkText(text, () => `${place}/${pointerPart(name)}`);
    }
  }
}

/** NUL never reaches PostgreSQL, a lone surrogate never reaches UTF-8. Throws `invalid_request` with the pointer. */
export function checkText(text: string, pointer: () => string): void {
  if (text.includes('\0')) {
    throw new HubError('invalid_request', `${pointer() || '/'} must not contain a NUL character`);
  }
  if (!text.isWellFormed()) {
    throw new HubError('invalid_request', `${pointer() || '/'} must not contain a lone surrogate`);
  }
}

/** An object with members: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
