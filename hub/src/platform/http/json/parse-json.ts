// Strict parsing of incoming JSON and URLs.
// Main functions: `parseJson` for bodies, `checkUrl` for paths and queries, `checkText` for any text.
// Invariants: an accepted value is UTF-8 with bounded depth and size, without NUL, lone surrogates and prototype-polluting
// keys; a rejection is `invalid_json` or `invalid_request` with a JSON pointer. Depends on shared JSON helpers.
// Start reading at `parseJson`.
import { parseExactly } from '@gatewarden/shared/json-keys.ts';
import { closingQuote } from '@gatewarden/shared/json-strings.ts';
import { HubError } from '../errors/errors.ts';
import { pointerPart } from './json-pointer.ts';

const MAX_DEPTH = 32;
const MAX_VALUES = 200_000;
/** V8 spends two microseconds on each new name, much more than on a value. */
const MAX_NAMES = { perObject: 10_000, total: 100_000 };
/** A body up to this length is parsed before its depth is checked. */
const SMALL = 128 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses a body. Throws only `invalid_json` or `invalid_request` with a JSON pointer. */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new HubError('invalid_json', '/ is not valid UTF-8.');
  }
  if (text.trim() === '') throw new HubError('invalid_json', '/ is empty.');
  // JSON.parse accepts any depth, and its memory grows with the depth.
  if (text.length > SMALL) checkDepth(text, MAX_DEPTH, MAX_NAMES);
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch (error) {
    // Only the position is reported: the engine's message quotes the body, which may contain a secret.
    const at = /position (\d+)/.exec((error as Error).message)?.[1];
    throw new HubError('invalid_json', at && `/ is not valid JSON, from character ${at} on.`);
  }
  if (mayNeedChecks(text) || !isPlain(value, MAX_DEPTH)) checkValues(value);
  return value;
}

/**
 * Returns whether `checkValues` could reject the text, without walking the value: only an escape can produce a NUL or a
 * lone surrogate, and a polluting name appears literally. Most bodies contain neither.
 */
function mayNeedChecks(text: string): boolean {
  return (
    text.length > SMALL ||
    text.includes('\\u') ||
    text.includes('__proto__') ||
    text.includes('prototype')
  );
}

/** Returns whether a value is at most this deep and all its numbers are finite. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  // Iteration by index and by values: `for in` over an array costs more than parsing it.
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item === 'number' && !Number.isFinite(item)) return false;
    if (typeof item === 'object' && item !== null && !isPlain(item, depth - 1)) return false;
  }
  return true;
}

/**
 * Rejects text before parsing if it is too deep for the code that walks the value, or has too many names. Throws
 * `invalid_json`.
 */
export function checkDepth(text: string, maxDepth: number, maxNames?: typeof MAX_NAMES): void {
  let depth = 0;
  let totalNames = 0;
  const names = new Uint32Array(maxDepth + 1);
  const { perObject, total } = maxNames ?? { perObject: Infinity, total: Infinity };
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) {
      i = closingQuote(text, i);
      if (i === -1) return;
    } else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > maxDepth) throw tooDeep(maxDepth);
      names[depth] = 0;
    } else if (unit === 0x3a) {
      const objectNames = (names[depth] ?? 0) + 1;
      names[depth] = objectNames;
      if (objectNames > perObject || ++totalNames > total) {
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
        const memberPointer = () => `${pointer()}/${pointerPart(key)}`;
        checkText(key, pointer);
        if (isPolluting(key, item)) {
          throw new HubError('invalid_json', `${memberPointer()} is a reserved name.`);
        }
        walk(item, depth - 1, memberPointer);
      }
    }
  };
  walk(root, MAX_DEPTH, () => '');
}

/** Returns whether a member would change an object's prototype if the value were copied carelessly. */
function isPolluting(key: string, value: unknown): boolean {
  if (key === '__proto__') return true;
  const isObject = typeof value === 'object' && value !== null;
  return key === 'constructor' && isObject && Object.hasOwn(value, 'prototype');
}

const PLAIN_URL = /^[\x21-\x7e]*$/;

/** Rejects a path or query with an invalid escape, a NUL or a lone surrogate. Throws `invalid_request`. */
export function checkUrl(url: string, params: unknown, query: unknown): void {
  // Only an escape can produce other characters than printable ASCII.
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
 * Returns the URL that selects the route. A path with an invalid escape is matched literally, so that authentication runs
 * before `checkUrl` rejects the path.
 */
export function routableUrl(url: string): string {
  if (!url.includes('%')) return url;
  const path = pathOf(url);
  return isDecodable(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length);
}

function checkFlat(location: string, values: unknown): void {
  for (const [name, value] of Object.entries(values ?? {})) {
    for (const text of [name, value].flat()) {
      if (typeof text === 'string') checkText(text, () => `${location}/${pointerPart(name)}`);
    }
  }
}

/** Rejects a NUL, which PostgreSQL cannot store, and a lone surrogate, which UTF-8 cannot encode. Throws `invalid_request`. */
export function checkText(text: string, pointer: () => string): void {
  if (text.includes('\0')) {
    throw new HubError('invalid_request', `${pointer() || '/'} must not contain a NUL character`);
  }
  if (!text.isWellFormed()) {
    throw new HubError('invalid_request', `${pointer() || '/'} must not contain a lone surrogate`);
  }
}

/** Returns whether a value is an object with members: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
