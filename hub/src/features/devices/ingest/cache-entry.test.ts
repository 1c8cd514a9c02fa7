// The cache entry of a device's inventory returns exactly what was written.
import { createHash, hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cachePage,
  copyPage,
  createCacheEntry,
  findSlot,
  hasTextHash,
  ID_PREFIX_BYTES,
  idPrefixesOf,
  probeStart,
  readContentHash,
  TEXT_BYTES,
  writeCachedEntity,
  xorContentHash,
} from './cache-entry.ts';

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const textHashOf = (text: string) => hash('sha256', text, 'binary').slice(0, TEXT_BYTES);

/** Ids of which many begin alike. */
const anId = fc
  .array(fc.constantFrom('00', '01', 'ff'), {
    minLength: ID_PREFIX_BYTES,
    maxLength: ID_PREFIX_BYTES,
  })
  .map((bytes) => bytes.join('').padEnd(64, '0'));
const aWord = fc.tuple(anId, fc.option(fc.tuple(fc.nat(9), fc.option(fc.nat(9)))));

test('returns the last write of each entity over any history', () => {
  fc.assert(
    fc.property(fc.array(aWord, { maxLength: 300 }), fc.array(anId), (words, others) => {
      const picture = createCacheEntry(true);
      const last = new Map<string, { content: string; text: string | null } | null>();
      for (const [id, state] of words) {
        const now =
          state === null
            ? null
            : { content: sha(`${state[0]}`), text: state[1] === null ? null : `${state[1]}` };
        last.set(id, now);
        const textHash = now === null || now.text === null ? null : textHashOf(now.text);
        const held = now === null ? null : { contentHash: now.content, textHash };
        writeCachedEntity(picture, idPrefixesOf([id]), 0, held);
      }
      expect(picture.count).toBe(last.size);
      for (const [id, now] of last) {
        const place = findSlot(picture, idPrefixesOf(['f'.repeat(64), id]), ID_PREFIX_BYTES);
        expect(readContentHash(picture, place)).toBe(now?.content ?? '0'.repeat(64));
        for (let i = 0; i < 10; i++) {
          expect(hasTextHash(picture, place, textHashOf(`${i}`))).toBe(now?.text === `${i}`);
        }
      }
      for (const id of others) {
        if (!last.has(id)) expect(findSlot(picture, idPrefixesOf([id]), 0)).toBe(-1);
      }
    }),
  );
});

test('sums slot contents like the hashes', () => {
  const picture = createCacheEntry(true);
  const ids = ['a', 'b'].map(sha);
  for (const id of ids) {
    writeCachedEntity(picture, idPrefixesOf([id]), 0, { contentHash: sha(id), textHash: null });
  }
  const sum = Buffer.alloc(32);
  for (const id of ids) xorContentHash(picture, findSlot(picture, idPrefixesOf([id]), 0), sum);
  const [a, b] = ids.map((id) => Buffer.from(sha(id), 'hex'));
  expect([...sum]).toEqual([...sum].map((_, i) => (a?.[i] ?? 0) ^ (b?.[i] ?? 0)));
});

test('caches no batch with an entity that is not cached', () => {
  const picture = createCacheEntry(true);
  const page = copyPage(idPrefixesOf([sha('a')]), Buffer.alloc(32));
  cachePage(picture, 'p', page);
  expect(picture.pages.size).toBe(0);
  writeCachedEntity(picture, page.named, 0, { contentHash: sha('a'), textHash: null });
  cachePage(picture, 'p', page);
  expect(picture.pages.get('p')?.page).toEqual(page);
});

test('shares no memory between a cached batch and its source', () => {
  const named = idPrefixesOf(['a', 'b'].map(sha));
  const kept = copyPage(named, Buffer.alloc(32, 7));
  expect(kept).toEqual({ named, contents: Buffer.alloc(32, 7), count: 2 });
  expect(kept.named.buffer.byteLength).toBe(named.length + 32);
});

test.each([
  ['the last bits', 0],
  ['the first bits', 20],
  ['bits in the middle', 9],
])('distributes ids that differ in %s only over separate slots', (_what, shift) => {
  const ids = Array.from({ length: 4_096 }, (_, i) => {
    const half = ((i << shift) >>> 0).toString(16).padStart(8, '0');
    return half + half;
  });
  const prefixes = idPrefixesOf(ids);
  const starts = new Set(ids.map((_, i) => probeStart(prefixes, i * ID_PREFIX_BYTES, 8_191)));
  // By chance 3,223 of 8,192 places.
  expect(starts.size).toBeGreaterThan(2_000);
});
