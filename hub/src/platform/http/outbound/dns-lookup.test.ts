// Known hosts are connected to without waiting for a resolver that other lookups keep busy.
import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { createLookup, type Lookup } from './dns-lookup.ts';

type Done = Parameters<Lookup>[2];
const FIRST: LookupAddress[] = [{ address: '192.0.2.1', family: 4 }];
const SECOND: LookupAddress[] = [{ address: '192.0.2.2', family: 4 }];

/** Time that a lookup of a cached name waits for an answer. */
const PATIENCE_MS = 20;
const LATE_MS = 2 * PATIENCE_MS;

/** Sets up a resolver whose answers the test controls, and which records its queries. */
function setUpResolver() {
  const queries: { host: string; done: Done }[] = [];
  const lookup = createLookup(
    (host, _options, done) => void queries.push({ host, done }),
    PATIENCE_MS,
  );
  const find = (host: string) =>
    new Promise<LookupAddress[]>((resolve, reject) => {
      lookup(host, { all: true }, (error, addresses) =>
        error ? reject(error) : resolve(addresses),
      );
    });
  const answer = (at: number, addresses: LookupAddress[]) => queries[at]?.done(null, addresses);
  const fail = (at: number, code = 'ENOTFOUND') =>
    queries[at]?.done(Object.assign(new Error('not found'), { code }), []);
  /** Resolves a name, so that its address is cached. */
  const cacheAddress = async (host: string) => {
    const first = find(host);
    answer(queries.length - 1, FIRST);
    expect(await first).toEqual(FIRST);
  };
  return { queries, find, cacheAddress, answer, fail };
}

test('resolves a name once for simultaneous lookups', async () => {
  const { queries, find, answer } = setUpResolver();
  const all = [find('a'), find('a'), find('b')];
  expect(queries.map(({ host }) => host)).toEqual(['a', 'b']);
  answer(0, FIRST);
  answer(1, SECOND);
  expect(await Promise.all(all)).toEqual([FIRST, FIRST, SECOND]);
});

test('returns the former address when no answer arrives, and does not resolve twice', async () => {
  const { queries, find, cacheAddress, answer } = setUpResolver();
  await cacheAddress('a');
  expect(await Promise.all([find('a'), find('a')])).toEqual([FIRST, FIRST]);
  expect(await find('a')).toEqual(FIRST);
  expect(queries).toHaveLength(2);
  // The late answer reaches the next lookup.
  answer(1, SECOND);
  expect(await find('a')).toEqual(SECOND);
});

test('prefers a timely answer to the former address', async () => {
  const { find, cacheAddress, answer, fail } = setUpResolver();
  await cacheAddress('a');
  const moved = find('a');
  answer(1, SECOND);
  expect(await moved).toEqual(SECOND);
  const missing = find('a');
  fail(2);
  await expect(missing).rejects.toThrow('not found');
});

test('keeps the former address when the resolver fails temporarily', async () => {
  const { find, cacheAddress, fail } = setUpResolver();
  await cacheAddress('a');
  const failed = find('a');
  fail(1, 'EAI_AGAIN');
  await expect(failed).rejects.toThrow('not found');
  expect(await find('a')).toEqual(FIRST);
});

test('waits for the first answer to a name', async () => {
  const { find, fail } = setUpResolver();
  const never = find('a');
  const late = new Promise((resolve) => setTimeout(resolve, LATE_MS, 'late'));
  expect(await Promise.race([never.catch(() => 'answered'), late])).toBe('late');
  fail(0);
  await expect(never).rejects.toThrow('not found');
});
