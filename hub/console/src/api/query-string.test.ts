// Query strings, and filters parsed from an address.
import { expect, test } from 'vitest';
import { oneOf, searchText, withQuery } from './query-string.ts';

test('leaves out what was not chosen', () => {
  expect(withQuery('/a', { query: '', kind: undefined, cursor: null })).toBe('/a');
});

test('escapes what people type', () => {
  expect(withQuery('/a', { query: 'a&b=c #?', limit: 50 })).toBe(
    '/a?query=a%26b%3Dc+%23%3F&limit=50',
  );
});

test('keeps false, which is a choice', () => {
  expect(withQuery('/a', { removed: false })).toBe('/a?removed=false');
});

test('ignores a filter that the hub does not know', () => {
  expect(oneOf(['open', 'acknowledged'], 'open')).toBe('open');
  expect(oneOf(['open', 'acknowledged'], 'drop table')).toBeUndefined();
  expect(oneOf(['open'], 7)).toBeUndefined();
});

test('search text is cut to what the hub takes; numbers are text', () => {
  expect(searchText('x'.repeat(500))).toHaveLength(200);
  expect(searchText(42)).toBe('42');
  expect(searchText('   ')).toBeUndefined();
  expect(searchText({})).toBeUndefined();
});
