// Notified caches are never older than the last notification, and bypassed while notifications may be missing.
import { beforeEach, expect, test } from 'vitest';
import type { Notice, Notifications } from './notifications.ts';
import { createNotifiedCache, type NotifiedCache } from './notified-cache.ts';

let live: boolean;
let publish: (notice: Notice) => void;
let lose: () => void;
let cache: NotifiedCache<string>;
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
      publish = listener;
      return () => undefined;
    },
    onLost: (listener: () => void) => {
      lose = listener;
      return () => undefined;
    },
  } as Notifications;
  cache = createNotifiedCache({ name: 'test', max: 2, notifications });
});

test('caches a loaded value', async () => {
  expect(await cache.get('a', load('1'))).toBe('1');
  expect(await cache.get('a', load('2'))).toBe('1');
  expect([loads, cache.getIfCached('a'), cache.getIfCached('b')]).toEqual([1, '1', undefined]);
});

test('reloads after a notification of its cache and key, and after no other', async () => {
  await cache.get('a', load('1'));
  publish({ kind: 'forget', cache: 'other', keys: ['a'] });
  publish({ kind: 'forget', cache: 'test', keys: ['b'] });
  expect(cache.getIfCached('a')).toBe('1');
  publish({ kind: 'forget', cache: 'test', keys: ['a'] });
  expect(await cache.get('a', load('2'))).toBe('2');
});

test('returns but does not cache a value that was invalidated during its load', async () => {
  const loading = cache.get('a', async () => {
    publish({ kind: 'forget', cache: 'test', keys: ['a'] });
    return 'stale';
  });
  expect(await loading).toBe('stale');
  expect(cache.getIfCached('a')).toBeUndefined();
});

test('bypasses the cache while notifications may be missing', async () => {
  await cache.get('a', load('1'));
  live = false;
  expect(cache.getIfCached('a')).toBeUndefined();
  expect(await cache.get('a', load('2'))).toBe('2');
  expect(await cache.get('a', load('3'))).toBe('3');
});

test('reloads values from before a notification gap', async () => {
  await cache.get('a', load('1'));
  live = false;
  lose();
  live = true;
  expect(cache.getIfCached('a')).toBeUndefined();
});

test('does not cache a value whose load began before a gap', async () => {
  await cache.get('a', async () => {
    lose();
    return '1';
  });
  expect(cache.getIfCached('a')).toBeUndefined();
});

test('rethrows a failed load and does not cache it', async () => {
  await expect(cache.get('a', () => Promise.reject(new Error('unavailable')))).rejects.toThrow(
    'unavailable',
  );
  expect(await cache.get('a', load('1'))).toBe('1');
});

test('evicts the least recently used entry at its limit', async () => {
  await cache.get('a', load('1'));
  await cache.get('b', load('2'));
  cache.getIfCached('a');
  await cache.get('c', load('3'));
  expect([cache.getIfCached('a'), cache.getIfCached('b'), cache.getIfCached('c')]).toEqual([
    '1',
    undefined,
    '3',
  ]);
});
