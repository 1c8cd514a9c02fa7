// A process map names a process by an exact mapping before patterns, and by a mapping for its platform before general
// mappings.
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

test('prefers an exact name to a pattern, also to a pattern for this platform', () => {
  const exact = mapping('Node');
  expect(findMapping([mapping('no*', { platform: 'linux' }), exact], 'linux', 'node')).toBe(exact);
});

test('prefers a mapping for this platform to a general mapping', () => {
  const linux = mapping('node', { platform: 'linux' });
  expect(findMapping([mapping('node'), linux], 'linux', 'node')).toBe(linux);
});

test('prefers the longer pattern', () => {
  const longer = mapping('python3*');
  expect(findMapping([mapping('py*'), longer, mapping('*')], 'linux', 'python3.11')).toBe(longer);
});

test('ignores a mapping for another platform', () => {
  expect(findMapping([mapping('node', { platform: 'win32' })], 'linux', 'node')).toBeNull();
});

test('treats wildcards in an exact name literally', () => {
  expect(findMapping([mapping('no*', { match: 'exact' })], 'linux', 'node')).toBeNull();
});

test('ignores the order of mappings of different rank', () => {
  const all = [mapping('node'), mapping('no*'), mapping('*'), mapping('n*', { platform: 'linux' })];
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: 1 }), (some) => {
      expect(findMapping(some, 'linux', 'node')).toBe(
        findMapping([...some].reverse(), 'linux', 'node'),
      );
    }),
  );
});
