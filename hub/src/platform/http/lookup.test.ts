// Known hosts are connected to without waiting for a resolver that other lookups keep busy.
import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { createLookup, type Lookup } from './lookup.ts';

type Done = Parameters<Lookup>[2];
const ONE: LookupAddress[] = [{ address: '192.0.2.1', family: 4 }];
const OTHER: LookupAddress[] = [{ address: '192.0.2.2', family: 4 }];

/** A resolver that answers when it is told to, and what was asked of it. */
function resolver() {
  const asked: { host: string; done: Done }[] = [];
  const lookup = createLookup((host, _options, done) => void asked.push({ host, done }), 20);
  const find = (host: string) =>
    new Promise<LookupAddress[]>((resolve, reject) => {
      lookup(host, { all: true }, (error, found) => (error ? reject(error) : resolve(found)));
    });
  const answer = (at: number, found: LookupAddress[]) => asked[at]?.done(null, found);
  const fail = (at: number, code = 'ENOTFOUND') =>
    asked[at]?.done(Object.assign(new Error('gone'), { code }), []);
  /** A name that was found once. */
  const found = async (host: string) => {
    const first = find(host);
    answer(asked.length - 1, ONE);
    expect(await first).toEqual(ONE);
  };
  return { asked, find, found, answer, fail };
}

test('resolves a name once for simultaneous lookups', async () => {
  const { asked, find, answer } = resolver();
  const all = [find('a'), find('a'), find('b')];
  expect(asked.map(({ host }) => host)).toEqual(['a', 'b']);
  answer(0, ONE);
  answer(1, OTHER);
  expect(await Promise.all(all)).toEqual([ONE, ONE, OTHER]);
});

test('returns the former address when no answer arrives, and does not resolve twice', async () => {
  const { asked, find, found, answer } = resolver();
  await found('a');
  expect(await Promise.all([find('a'), find('a')])).toEqual([ONE, ONE]);
  expect(await find('a')).toEqual(ONE);
  expect(asked).toHaveLength(2);
  // It is late, and the next one is told of it.
  answer(1, OTHER);
  expect(await find('a')).toEqual(OTHER);
});

test('prefers a timely answer to the former address', async () => {
  const { find, found, answer, fail } = resolver();
  await found('a');
  const moved = find('a');
  answer(1, OTHER);
  expect(await moved).toEqual(OTHER);
  const gone = find('a');
  fail(2);
  await expect(gone).rejects.toThrow('gone');
});

test('keeps the former address when the resolver fails temporarily', async () => {
  const { find, found, fail } = resolver();
  await found('a');
  const failed = find('a');
  fail(1, 'EAI_AGAIN');
  await expect(failed).rejects.toThrow('gone');
  expect(await find('a')).toEqual(ONE);
});

test('waits for the first answer to a name', async () => {
  const { find, fail } = resolver();
  const never = find('a');
  const late = new Promise((resolve) => setTimeout(resolve, 60, 'late'));
  expect(await Promise.race([never.catch(() => 'answered'), late])).toBe('late');
  fail(0);
  await expect(never).rejects.toThrow('gone');
});
