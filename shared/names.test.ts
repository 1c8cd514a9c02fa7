// Names fold and glob alike everywhere; versions have a total order.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../test/support/property-runs.ts';
import { compareVersions, foldName, globMatches } from './names.ts';

describe('folding', () => {
  test('ignores case, outer space and the Unicode form of an accent', () => {
    expect(foldName('  Café.EXE ')).toBe(foldName('cafe\u0301.exe'));
  });

  test('folds idempotently', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldName(foldName(text))).toBe(foldName(text));
      }),
    );
  });
});

describe('globs', () => {
  const letters = fc.constantFrom('a', 'b', 'é', '.', '\u{1F980}');
  const glob = fc.array(fc.oneof(letters, fc.constantFrom('*', '?')), { maxLength: 8 });
  const name = fc.array(letters, { maxLength: 8 });

  /** The definition of globs by recursion. */
  function fits(pattern: string[], text: string[]): boolean {
    const [first, ...rest] = pattern;
    if (first === undefined) return text.length === 0;
    if (first === '*') return fits(rest, text) || (text.length > 0 && fits(pattern, text.slice(1)));
    return text.length > 0 && (first === '?' || first === text[0]) && fits(rest, text.slice(1));
  }

  test('matches by the definition of globs', () => {
    fc.assert(
      fc.property(glob, name, (pattern, text) => {
        expect(globMatches(pattern.join(''), text.join(''))).toBe(fits(pattern, text));
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  test('matches other characters literally', () => {
    expect(globMatches('a.c', 'abc')).toBe(false);
    expect(globMatches('[ab]*', 'a')).toBe(false);
    expect(globMatches('Python3*', 'python3.11')).toBe(true);
  });

  test('matches a hostile pattern quickly', () => {
    expect(globMatches(`${'*a'.repeat(200)}b`, 'a'.repeat(4_000))).toBe(false);
  });
});

describe('versions', () => {
  test.each([
    ['1.9', '1.10'],
    ['1.0-rc1', '1.0'],
    ['2.0', '1:1.0'],
    ['1.0~beta', '1.0'],
    ['1.0', '1.0-1'],
    ['2.0-rc1', '2'],
    ['1.0.0~beta', '1'],
    ['1.0.dev1', '1.0'],
    ['1.0a1', '1.0'],
    ['1.0a1', '1.0b1'],
    ['1.0-beta2', '1.0-RC1'],
    ['1.0+dfsg~1', '1.0+dfsg'],
    ['1.0-1', '1.0.1'],
    ['1.1.1k', '1.1.1.1'],
    ['1.1.1k', '1.1.1w'],
    ['5.15.0-9', '5.15.0-10'],
    ['99999999999999999998', '99999999999999999999'],
    ['1.0-1~bpo12+1', '1.0-1'],
  ])('orders %s before %s', (older, newer) => {
    expect(compareVersions(older, newer)).toBeLessThan(0);
    expect(compareVersions(newer, older)).toBeGreaterThan(0);
  });

  test.each([
    ['1', '1.0'],
    ['1.0', '1.0.00'],
    ['v2.1', '2.1'],
    ['0:1.0', '1.0'],
    ['1.01', '1.1'],
    ['1.0-rc1', '1-rc1'],
    [' 1.0 ', '1.0'],
  ])('treats %s and %s as equal versions', (a, b) => {
    expect(compareVersions(a, b)).toBe(0);
  });

  const words = ['.', '-', '~', '+', '_', ':', 'rc', 'RC', 'beta', 'a', 'b', 'dev', 'ubuntu', 'v'];
  const version = fc
    .array(fc.oneof(fc.constantFrom('0', '00', '1', '2', '10'), fc.constantFrom(...words, '.0')), {
      maxLength: 7,
    })
    .map((parts) => parts.join(''));
  const order = (a: string, b: string) => Math.sign(compareVersions(a, b)) + 0;

  test('reverses its result for reversed versions', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(order(a, b) + order(b, a)).toBe(0);
        expect(order(a, a)).toBe(0);
      }),
      { numRuns: propertyRuns(5_000) },
    );
  });

  test('orders versions transitively', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        if (order(a, b) <= 0 && order(b, c) <= 0) {
          expect(order(a, c)).toBe(
            order(a, b) === 0 ? order(b, c) : order(b, c) === 0 ? order(a, b) : -1,
          );
        }
      }),
      { numRuns: propertyRuns(20_000) },
    );
  });

  test('compares any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(order(a, b) + order(b, a)).toBe(0);
      }),
    );
  });
});
