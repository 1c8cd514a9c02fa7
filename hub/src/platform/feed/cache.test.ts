// Told caches: never older than the last notice, and never trusted while notices may be missed.
import { beforeEach, expect, test } from 'vitest';
import { createToldCache, type ToldCache } from './cache.ts';
import type { Notice, Notifications } from './notifications.ts';

let live: boolean;
let tell: (notice: Notice) => void;
let lose: () => void;
let cache: ToldCache<string>;
let loads: number;

const load = (value: string) => async () => {
  loads++;
  return value;
};

beforeEach(() => {
  live = true;
  loads = 0;
  const notifications = {
    get isLive() {
      return live;
    },
    onNotice: (listener: (notice: Notice) => void) => {
      tell = listener;
      return () => undefined;
    },
    onLost: (listener: () => void) => {
      lose = listener;
      return () => undefined;
    },
  } as Notifications;
  cache = createToldCache({ name: 'test', max: 2, notifications });
});

test('what was loaded is remembered', async () => {
  expect(await cache.get('a', load('1'))).toBe('1');
  expect(await cache.get('a', load('2'))).toBe('1');
  expect([loads, cache.peek('a'), cache.peek('b')]).toEqual([1, '1', undefined]);
});

test('a notice of this cache and key makes it load again, any other does not', async () => {
  await cache.get('a', load('1'));
  tell({ kind: 'forget', cache: 'other', keys: ['a'] });
  tell({ kind: 'forget', cache: 'test', keys: ['b'] });
  expect(cache.peek('a')).toBe('1');
  tell({ kind: 'forget', cache: 'test', keys: ['a'] });
  expect(await cache.get('a', load('2'))).toBe('2');
});

test('a value that was forgotten while it was loaded is given, but not remembered', async () => {
  const loading = cache.get('a', async () => {
    tell({ kind: 'forget', cache: 'test', keys: ['a'] });
    return 'stale';
  });
  expect(await loading).toBe('stale');
  expect(cache.peek('a')).toBeUndefined();
});

test('while notices may be missed nothing is remembered or given from memory', async () => {
  await cache.get('a', load('1'));
  live = false;
  expect(cache.peek('a')).toBeUndefined();
  expect(await cache.get('a', load('2'))).toBe('2');
  expect(await cache.get('a', load('3'))).toBe('3');
});

test('what was remembered before notices were lost is not given after they came back', async () => {
  await cache.get('a', load('1'));
  live = false;
  lose();
  live = true;
  expect(cache.peek('a')).toBeUndefined();
});

test('a value whose loading began before a loss is not remembered', async () => {
  await cache.get('a', async () => {
    lose();
    return '1';
  });
  expect(cache.peek('a')).toBeUndefined();
});

test('a failed load is thrown and not remembered', async () => {
  await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await cache.get('a', load('1'))).toBe('1');
});

test('of too many entries the one that was not used for longest goes', async () => {
  await cache.get('a', load('1'));
  await cache.get('b', load('2'));
  cache.peek('a');
  await cache.get('c', load('3'));
  expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual(['1', undefined, '3']);
});
