// The two digests by which agent and hub find out cheaply whether they hold the same: overrides and inventory.
import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { sha256Hex } from './identity.ts';

/** SHA-256 of the lines `override_id:revision`, sorted bytewise and joined by a line feed; of nothing when none is held. */
export function appliedDigest(held: Iterable<{ override_id: string; revision: number }>): string {
  const lines = [...held].map((o) => `${o.override_id.toLowerCase()}:${o.revision}`).sort();
  return sha256Hex(lines.join('\n'));
}

/** SHA-256 of an entity's RFC 8785 form, exactly as it is sent, unknown fields included. */
export function entityHash(entity: object): Buffer {
  return Buffer.from(entityHashHex(entity), 'hex');
}

/** The same, in lower-case hex. */
export function entityHashHex(entity: object): string {
  return hash('sha256', canonicalForm(entity));
}

/** RFC 8785. Sorted keys make `JSON.stringify` give it, at half the cost; whole-number keys it would put first. */
export function canonicalForm(value: object): string {
  const sorted = sortedKeys(value);
  return sorted === null ? (canonicalize(value) ?? '') : JSON.stringify(sorted);
}

/** Null where a key is a whole number. */
function sortedKeys(value: object): object | null {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      const part = typeof item === 'object' && item !== null ? sortedKeys(item) : item;
      if (part === null && item !== null) return null;
      items.push(part);
    }
    return items;
  }
  const result: Record<string, unknown> = {};
  const keys = inOrder(Object.keys(value));
  if (keys === null) return null;
  for (const key of keys) {
    const item = (value as Record<string, unknown>)[key];
    const part = typeof item === 'object' && item !== null ? sortedKeys(item) : item;
    if (part === null && item !== null) return null;
    result[key] = part;
  }
  return result;
}

const WHOLE_NUMBER = /^\d+$/;
const SHAPES_MAX = 16;
const SHAPE_KEYS_MAX = 64;
/** The key lists seen last with their order: entities of a source all have the same, and sorting costs most. */
const shapes: { keys: readonly string[]; sorted: readonly string[] | null }[] = [];
let oldest = 0;

function inOrder(keys: readonly string[]): readonly string[] | null {
  const known = shapes.find((shape) => areSame(shape.keys, keys));
  if (known !== undefined) return known.sorted;
  const sorted = keys.some((key) => WHOLE_NUMBER.test(key)) ? null : [...keys].sort();
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

/** XORs the 32-byte hash that stands at `at` into `sum`: adding an entity and taking it away are the same step, in any order. */
export function addHash(sum: Uint8Array, bytes: Uint8Array, at = 0): void {
  for (let i = 0; i < 32; i++) sum[i] = (sum[i] ?? 0) ^ (bytes[at + i] ?? 0);
}

/** XOR of two 32-byte hashes. */
export function xorHash(a: Uint8Array, b: Uint8Array): Buffer {
  const result = Buffer.alloc(32);
  addHash(result, a);
  addHash(result, b);
  return result;
}

/** XOR of any number of 32-byte hashes, given in hex. */
export function xorOfHex(hashes: readonly string[]): Buffer {
  const result = Buffer.alloc(32);
  const one = Buffer.alloc(32);
  for (const hex of hashes) {
    one.write(hex, 'hex');
    addHash(result, one);
  }
  return result;
}
