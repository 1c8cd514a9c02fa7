import { expect, test } from 'vitest';
import { compiledSchema, failureOf, schemaProblem } from './schemas.ts';

const PATHS = {
  type: 'object',
  properties: {
    path: { type: 'string', pattern: '^/srv/(a+)+$' },
    depth: { type: 'integer', maximum: 3 },
  },
  required: ['path'],
  additionalProperties: false,
};

test.each([
  [{ path: '/srv/aa' }, null],
  [{ path: '/etc/passwd' }, '/path'],
  [{}, '/path'],
  [{ path: '/srv/a', depth: 9 }, '/depth'],
  [{ path: '/srv/a', other: 1 }, '/other'],
  [{ path: `/srv/${'a'.repeat(200_000)}!` }, '/path'],
  ['text', ''],
])('%j fails at %s', (value, pointer) => {
  const failure = failureOf(compiledSchema(PATHS), value);
  expect(failure?.pointer ?? null).toBe(pointer);
});

test.each([
  [{ $ref: '#' }, /\/\$ref is not supported/],
  [{ properties: { a: { uniqueItems: true } } }, /\/properties\/a\/uniqueItems is not supported/],
  [{ format: 'email' }, /format is not supported/],
  [{ properties: { a: 1 } }, /must be a schema/],
  [{ type: 'nothing' }, /cannot be used/],
  [{ pattern: '(?=a)' }, /cannot be used/],
  [{ pattern: '(a)\\1' }, /cannot be used/],
  [{ enum: ['x'.repeat(40_000)] }, /longer than 32 KiB/],
  [{ anyOf: Array.from({ length: 600 }, () => ({})) }, /more than 500/],
])('%j is no schema for rules', (schema, problem) => {
  expect(schemaProblem(schema as Record<string, unknown>)).toMatch(problem);
});

test('a schema that is nested too deep is none', () => {
  let schema: Record<string, unknown> = {};
  for (let i = 0; i < 20; i++) schema = { not: schema };
  expect(schemaProblem(schema)).toMatch(/nested deeper/);
  expect(schemaProblem(PATHS)).toBeNull();
});

test('names of a hostile schema stay names', () => {
  const name = "x'];process.exit(1);//";
  const schema = { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] };
  expect(schemaProblem(schema)).toBeNull();
  expect(failureOf(compiledSchema(schema), { [name]: 1 })?.pointer).toContain('process.exit');
});
