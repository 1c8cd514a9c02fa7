// Digests with which agent and hub compare their overrides and inventories without sending them.
import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { sha256Hex } from './identity.ts';

/**
 * Returns the hexadecimal SHA-256 of the lines `override_id:revision`, sorted bytewise and joined by a line feed.
 * Without overrides, the digest is that of the empty text.
 */
export function appliedDigest(
  overrides: Iterable<{ override_id: string; revision: number }>,
): string {
  const lines = [...overrides]
    .map(({ override_id, revision }) => `${override_id.toLowerCase()}:${revision}`)
    .sort();
  return sha256Hex(lines.join('\n'));
}

/** Returns the 32-byte SHA-256 of an entity's canonical JSON (RFC 8785), exactly as sent, unknown fields included. */
export function entityHash(entity: object): Buffer {
  return Buffer.from(entityHashHex(entity), 'hex');
}

/** Returns the same digest as `entityHash` in lower-case hexadecimal. */
export function entityHashHex(entity: object): string {
  return hash('sha256', canonicalForm(entity));
}

/**
 * Returns the canonical JSON of RFC 8785. With sorted keys, `JSON.stringify` produces it at half the cost, except for
 * integer keys, which JavaScript always orders first.
 */
export function canonicalForm(value: object): string {
  const sorted = sortedKeys(value);
  return sorted === null ? (canonicalize(value) ?? '') : JSON.stringify(sorted);
}

/** Returns null if a key is an integer. */
function sortedKeys(value: object): object | null {
  if (Array.isArray(value)) return sortedItems(value);
  const result: Record<string, unknown> = {};
  const keys = sortKeys(Object.keys(value));
  if (keys === null) return null;
  for (const key of keys) {
    const item = (value as Record<string, unknown>)[key];
    const sorted = sortedItem(item);
    if (sorted === null && item !== null) return null;
    result[key] = sorted;
  }
  return result;
}

function sortedItems(list: readonly unknown[]): unknown[] | null {
  const items: unknown[] = [];
  for (const item of list) {
    const sorted = sortedItem(item);
    if (sorted === null && item !== null) return null;
    items.push(sorted);
  }
  return items;
}

const sortedItem = (item: unknown): unknown =>
  typeof item === 'object' && item !== null ? sortedKeys(item) : item;

const INTEGER = /^\d+$/;
const SHAPES_MAX = 16;
const SHAPE_KEYS_MAX = 64;
/**
 * A cache of recent key lists with their order: entities of a source share a key list, and sorting dominates the cost.
 */
const shapes: { keys: readonly string[]; sorted: readonly string[] | null }[] = [];
let oldest = 0;

function sortKeys(keys: readonly string[]): readonly string[] | null {
  const cached = shapes.find((shape) => areSame(shape.keys, keys));
  if (cached !== undefined) return cached.sorted;
  const sorted = keys.some((key) => INTEGER.test(key)) ? null : [...keys].sort();
  if (keys.length <= SHAPE_KEYS_MAX) {
    shapes[oldest] = { keys, sorted };
    oldest = (oldest + 1) % SHAPES_MAX;
  }
  return sorted;
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

export const EMPTY_INVENTORY: Buffer = Buffer.alloc(32);

/**
 * XORs the 32-byte hash at the offset `at` into `sum`. Adding and removing an entity are the same operation, in any
 * order.
 */
export function addHash(sum: Uint8Array, bytes: Uint8Array, at = 0): void {
  for (let i = 0; i < 32; i++) sum[i] = (sum[i] ?? 0) ^ (bytes[at + i] ?? 0);
}

/** Returns the XOR of two 32-byte hashes. */
export function xorHash(a: Uint8Array, b: Uint8Array): Buffer {
  const result = Buffer.alloc(32);
  addHash(result, a);
  addHash(result, b);
  return result;
}

/** Returns the XOR of any number of 32-byte hashes in hexadecimal. */
export function xorOfHex(hashes: readonly string[]): Buffer {
  const result = Buffer.alloc(32);
  const bytes = Buffer.alloc(32);
  for (const hex of hashes) {
    bytes.write(hex, 'hex');
    addHash(result, bytes);
  }
  return result;
}
