// If-Match and If-None-Match as RFC 9110 says; a header that cannot be read never counts as agreement.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { etagOf, noneMatchHits, versionsAllowed } from './etag.ts';

test.each<[string, string | string[], number[]]>([
  ['one tag', '"3"', [3]],
  ['a list', '"3", "5" ,"7"', [3, 5, 7]],
  ['several headers', ['"3"', '"5"'], [3, 5]],
  ['a weak tag, which never matches', 'W/"3"', []],
  ['weak beside strong', 'W/"3", "4"', [4]],
  ['tags of somebody else', '"abc", "", "a,b"', []],
  ['numbers written otherwise', '"03", "+3", "3.0", "1e3"', []],
  ['empty list elements', '"3",, "4",', [3, 4]],
])('If-Match with %s allows these versions', (_what, header, versions) => {
  expect(versionsAllowed(header)).toEqual(versions);
});

test.each([
  ['absent', undefined],
  ['empty', ''],
  ['blank', '  '],
])('an If-Match that is %s is asked for', (_what, header) => {
  expect(() => versionsAllowed(header)).toThrow(
    expect.objectContaining({ code: 'precondition_required' }),
  );
});

test.each(['*', '3', '"3', '3"', '"3" "4"', 'w/"3"', '"3", 4', ',', "'3'", '"3\u0001"'])(
  'If-Match: %s is refused',
  (header) => {
    expect(() => versionsAllowed(header)).toThrow(
      expect.objectContaining({ code: 'invalid_if_match' }),
    );
  },
);

test('every version is allowed by its own ETag, and by no other', () => {
  const version = fc.integer({ min: 1, max: 999_999_999 });
  fc.assert(
    fc.property(version, version, (a, b) => {
      expect(versionsAllowed(etagOf(a))).toEqual([a]);
      expect(noneMatchHits(etagOf(a), etagOf(b))).toBe(a === b);
    }),
  );
});

test('any header is answered with versions or with one of the two errors', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('"', ',', 'W', '/', '1', ' ', '*') }),
      (header) => {
        try {
          expect(versionsAllowed(header).every(Number.isSafeInteger)).toBe(true);
        } catch (error) {
          expect((error as { code: string }).code).toMatch(
            /^(invalid_if_match|precondition_required)$/,
          );
        }
      },
    ),
  );
});

test('If-None-Match is compared weakly', () => {
  expect(noneMatchHits('W/"3"', '"3"')).toBe(true);
  expect(noneMatchHits('"2", "3"', '"3"')).toBe(true);
  expect(noneMatchHits('*', '"3"')).toBe(true);
  expect(noneMatchHits('3', '"3"')).toBe(false);
  expect(noneMatchHits(undefined, '"3"')).toBe(false);
});
