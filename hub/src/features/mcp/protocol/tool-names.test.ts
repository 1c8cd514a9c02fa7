import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exposedName, isMappedName, mayBelongTo, splitName } from './tool-names.ts';

const VALID = /^[A-Za-z0-9_-]{1,64}$/;
const slugs = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,63}$/);
const names = fc.oneof(
  fc.string({ minLength: 1, maxLength: 200, unit: 'binary' }),
  fc.stringMatching(/^[A-Za-z0-9_./ -]{1,100}$/),
);

test('offers every tool under a valid and stable name', () => {
  fc.assert(
    fc.property(fc.option(slugs), names, (slug, name) => {
      const exposed = exposedName(slug, name);
      expect(exposed).toMatch(VALID);
      expect(exposedName(slug, name)).toBe(exposed);
      if (slug !== null && isMappedName(exposed)) expect(mayBelongTo(slug, exposed)).toBe(true);
    }),
  );
});

test('offers no two tools of any servers under the same name', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(slugs, names), { selector: String }), (tools) => {
      const exposed = tools.map(([slug, name]) => exposedName(slug, name));
      expect(new Set(exposed).size).toBe(tools.length);
    }),
  );
});

test.each([
  ['alpha', 'echo'],
  ['alpha', 'get_weather-2'],
  ['alpha', 'a__b'],
  ['a', 'x'.repeat(61)],
  [null, 'x'.repeat(64)],
])('keeps the valid name %s %s', (slug, name) => {
  expect(exposedName(slug, name)).toBe(slug === null ? name : `${slug}__${name}`);
});

test.each([
  ['alpha', 'has space', /^alpha__has_space__h[0-9a-f]{16}$/],
  ['alpha', 'namé☃', /^alpha__name__h[0-9a-f]{16}$/],
  ['alpha', '☃', /^alpha____h[0-9a-f]{16}$/],
  ['alpha', 'a'.repeat(80), /^alpha__a{38}__h[0-9a-f]{16}$/],
  ['s'.repeat(64), 'echo', /^s{30}__echo__h[0-9a-f]{16}$/],
  [null, 'files/read', /^files_read__h[0-9a-f]{16}$/],
])('maps the name %s %s', (slug, name, expected) => {
  expect(exposedName(slug, name)).toMatch(expected);
});

test('maps a valid name that looks like a mapped name', () => {
  const mapped = exposedName(null, 'has space');
  expect(exposedName(null, mapped)).not.toBe(mapped);
});

test('splits a name at its first two underscores', () => {
  expect(splitName('alpha__a__b')).toEqual({ slug: 'alpha', name: 'a__b' });
  expect(splitName('alpha')).toBeNull();
});
