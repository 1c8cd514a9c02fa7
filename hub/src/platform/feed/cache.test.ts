// Notified caches are never older than the last notification, and bypassed while notifications may be missing.
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

test('caches a loaded value', async () => {
  expect(await cache.get('a', load('1'))).toBe('1');
  expect(await cache.get('a', load('2'))).toBe('1');
  expect([loads, cache.peek('a'), cache.peek('b')]).toEqual([1, '1', undefined]);
});

test('reloads after a notification of its cache and key, and after no other', async () => {
  await cache.get('a', load('1'));
  tell({ kind: 'forget', cache: 'other', keys: ['a'] });
  tell({ kind: 'forget', cache: 'test', keys: ['b'] });
  expect(cache.peek('a')).toBe('1');
  tell({ kind: 'forget', cache: 'test', keys: ['a'] });
  expect(await cache.get('a', load('2'))).toBe('2');
});

test('returns but does not cache a value that was invalidated during its load', async () => {
  const loading = cache.get('a', async () => {
    tell({ kind: 'forget', cache: 'test', keys: ['a'] });
    return 'stale';
  });
  expect(await loading).toBe('stale');
  expect(cache.peek('a')).toBeUndefined();
});

test('bypasses the cache while notifications may be missing', async () => {
  await cache.get('a', load('1'));
  live = false;
  expect(cache.peek('a')).toBeUndefined();
  expect(await cache.get('a', load('2'))).toBe('2');
  expect(await cache.get('a', load('3'))).toBe('3');
});

test('reloads values from before a notification gap', async () => {
  await cache.get('a', load('1'));
  live = false;
  lose();
  live = true;
  expect(cache.peek('a')).toBeUndefined();
});

test('does not cache a value whose load began before a gap', async () => {
  await cache.get('a', async () => {
    lose();
    return '1';
  });
  expect(cache.peek('a')).toBeUndefined();
});

test('rethrows a failed load and does not cache it', async () => {
  await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await cache.get('a', load('1'))).toBe('1');
});

test('evicts the least recently used entry at its limit', async () => {
  await cache.get('a', load('1'));
  await cache.get('b', load('2'));
  cache.peek('a');
  await cache.get('c', load('3'));
  expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual(['1', undefined, '3']);
});
