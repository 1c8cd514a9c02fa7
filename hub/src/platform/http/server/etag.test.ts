// If-Match and If-None-Match follow RFC 9110; an invalid header never matches.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { etagOf, matchesIfNoneMatch, parseIfMatch } from './etag.ts';

test.each<[string, string | string[], number[]]>([
  ['a single tag', '"3"', [3]],
  ['a list', '"3", "5" ,"7"', [3, 5, 7]],
  ['several headers', ['"3"', '"5"'], [3, 5]],
  ['a weak tag, which never matches', 'W/"3"', []],
  ['weak beside strong', 'W/"3", "4"', [4]],
  ['tags of somebody else', '"abc", "", "a,b"', []],
  ['numbers written otherwise', '"03", "+3", "3.0", "1e3"', []],
  ['empty list elements', '"3",, "4",', [3, 4]],
])('parses If-Match with %s into versions', (_what, header, versions) => {
  expect(parseIfMatch(header)).toEqual(versions);
});

test.each([
  ['absent', undefined],
  ['empty', ''],
  ['blank', '  '],
])('requires an If-Match that is %s', (_what, header) => {
  expect(() => parseIfMatch(header)).toThrow(
    expect.objectContaining({ code: 'precondition_required' }),
  );
});

test.each(['*', '3', '"3', '3"', '"3" "4"', 'w/"3"', '"3", 4', ',', "'3'", '"3\u0001"'])(
  'rejects If-Match: %s',
  (header) => {
    expect(() => parseIfMatch(header)).toThrow(
      expect.objectContaining({ code: 'invalid_if_match' }),
    );
  },
);

test('matches every version with its own ETag only', () => {
  const version = fc.integer({ min: 1, max: 999_999_999 });
  fc.assert(
    fc.property(version, version, (a, b) => {
      expect(parseIfMatch(etagOf(a))).toEqual([a]);
      expect(matchesIfNoneMatch(etagOf(a), etagOf(b))).toBe(a === b);
    }),
  );
});

test('parses any header into versions or a listed error', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('"', ',', 'W', '/', '1', ' ', '*') }),
      (header) => {
        try {
          expect(parseIfMatch(header).every(Number.isSafeInteger)).toBe(true);
        } catch (error) {
          expect((error as { code: string }).code).toMatch(
            /^(invalid_if_match|precondition_required)$/,
          );
        }
      },
    ),
  );
});

test('compares If-None-Match weakly', () => {
  expect(matchesIfNoneMatch('W/"3"', '"3"')).toBe(true);
  expect(matchesIfNoneMatch('"2", "3"', '"3"')).toBe(true);
  expect(matchesIfNoneMatch('*', '"3"')).toBe(true);
  expect(matchesIfNoneMatch('3', '"3"')).toBe(false);
  expect(matchesIfNoneMatch(undefined, '"3"')).toBe(false);
});
