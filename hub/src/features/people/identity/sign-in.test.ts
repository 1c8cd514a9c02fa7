// Sign-in returns to the console only.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';
import { sanitizeReturnPath } from './sign-in.ts';

const ORIGIN = 'https://hub.example.com';

test.each(['/console', '/console/', '/console/devices?q=a%20b&limit=5', '/console/apps/x~y:z'])(
  'accepts %s',
  (path) => {
    expect(sanitizeReturnPath(path)).toBe(path);
  },
);

test.each([
  ['', 'nothing'],
  ['https://evil.example', 'another site'],
  ['//evil.example', 'another host'],
  ['/console//evil.example', 'a doubled slash'],
  ['/console/../auth', 'a way out'],
  ['/console/%2e%2e/auth', 'an escaped way out'],
  ['/console/.%2E', 'a half escaped way out'],
  ['/console\\..\\x', 'backslashes'],
  ['/consolee', 'another path'],
  ['/console.evil.example', 'another path with a dot'],
  ['/console/\r\nSet-Cookie: a=b', 'a line break'],
  ['/console/x\n', 'a final line break'],
  ['javascript:alert(1)', 'a script'],
  ['/console/#x', 'a fragment'],
])('rejects %j: %s', (path) => {
  expect(sanitizeReturnPath(path)).toBe('/console/');
});

test('redirects below /console for any request', () => {
  const parts = fc.constantFrom(
    '/console',
    '/',
    '..',
    '.',
    '%2e',
    '%2f',
    '\\',
    '@',
    'x',
    '?',
    ':',
    '\t',
  );
  const path = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.array(parts).map((list) => list.join('')),
  );
  fc.assert(
    fc.property(path, (asked) => {
      const url = new URL(sanitizeReturnPath(asked), ORIGIN);
      expect(url.origin).toBe(ORIGIN);
      expect(url.pathname).toMatch(/^\/console(\/|$)/);
    }),
    { numRuns: propertyRuns(5_000) },
  );
});
