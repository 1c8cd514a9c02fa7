// Which mapping names a process: the exact one before patterns, the named platform before any.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMapping } from './process-map.ts';
import type { ProcessMapping } from './wire/sync/process-map.ts';

const mapping = (process_name: string, over: Partial<ProcessMapping> = {}): ProcessMapping => ({
  process_name,
  platform: null,
  match: process_name.includes('*') ? 'glob' : 'exact',
  application_name: 'Demo',
  entity_id: null,
  ...over,
});

test('an exact name decides before a pattern, even one for this platform', () => {
  const exact = mapping('Node');
  expect(findMapping([mapping('no*', { platform: 'linux' }), exact], 'linux', 'node')).toBe(exact);
});

test('a mapping for this platform decides before one for all', () => {
  const linux = mapping('node', { platform: 'linux' });
  expect(findMapping([mapping('node'), linux], 'linux', 'node')).toBe(linux);
});

test('the longer pattern decides', () => {
  const longer = mapping('python3*');
  expect(findMapping([mapping('py*'), longer, mapping('*')], 'linux', 'python3.11')).toBe(longer);
});

test('a mapping for another platform does not count', () => {
  expect(findMapping([mapping('node', { platform: 'win32' })], 'linux', 'node')).toBeNull();
});

test('an exact name knows no wildcards', () => {
  expect(findMapping([mapping('no*', { match: 'exact' })], 'linux', 'node')).toBeNull();
});

test('the order of mappings of different rank never matters', () => {
  const all = [mapping('node'), mapping('no*'), mapping('*'), mapping('n*', { platform: 'linux' })];
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: 1 }), (some) => {
      expect(findMapping(some, 'linux', 'node')).toBe(
        findMapping([...some].reverse(), 'linux', 'node'),
      );
    }),
  );
});
