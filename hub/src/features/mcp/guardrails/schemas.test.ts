import { expect, test } from 'vitest';
import { compileValidSchema, findViolation, schemaProblem } from './schemas.ts';
import { ScanTimeoutError, startTimeBudget } from './time-budget.ts';

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
])('validates %j with the error at %s', (value, pointer) => {
  const failure = findViolation(compileValidSchema(PATHS), value, startTimeBudget());
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
  [{ pattern: '(a|b|ab|ba){1,1000}c' }, /\/pattern cannot be used: is too large/],
  [{ patternProperties: { '(a|b|ab){1,900}': {} } }, /patternProperties cannot be used: is too/],
  [{ enum: ['x'.repeat(40_000)] }, /longer than 32 KiB/],
  [{ anyOf: Array.from({ length: 600 }, () => ({})) }, /more than 500/],
])('rejects the schema %j', (schema, problem) => {
  expect(schemaProblem(schema as Record<string, unknown>)).toMatch(problem);
});

test('rejects a schema that is nested too deep', () => {
  let schema: Record<string, unknown> = {};
  for (let i = 0; i < 20; i++) schema = { not: schema };
  expect(schemaProblem(schema)).toMatch(/nested deeper/);
  expect(schemaProblem(PATHS)).toBeNull();
});

test('treats names of a hostile schema as plain names', () => {
  const name = "x'];process.exit(1);//";
  const schema = { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] };
  expect(schemaProblem(schema)).toBeNull();
  expect(
    findViolation(compileValidSchema(schema), { [name]: 1 }, startTimeBudget())?.pointer,
  ).toContain('process.exit');
});

test('ignores members that every object inherits', () => {
  const schema = { required: ['constructor'], properties: { toString: { type: 'string' } } };
  expect(findViolation(compileValidSchema(schema), {}, startTimeBudget())?.pointer).toBe(
    '/constructor',
  );
  expect(
    findViolation(compileValidSchema(schema), { constructor: 1 }, startTimeBudget()),
  ).toBeNull();
});

test.each<[string, Record<string, unknown>, () => unknown]>([
  [
    'a long choice for each of many',
    { items: { enum: Array.from({ length: 2_000 }, (_, a) => ({ a })) } },
    () => Array.from({ length: 300_000 }, () => ({ a: 1_999 })),
  ],
  [
    'many patterns for each of many names',
    {
      patternProperties: Object.fromEntries(
        Array.from({ length: 400 }, (_, i) => [`^x+${i}$`, { type: 'number' }]),
      ),
    },
    () => Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`xxxxxxxxxxx${i}`, 1])),
  ],
])('aborts %s before it blocks the process', (_what, schema, value) => {
  expect(schemaProblem(schema)).toBeNull();
  const compiled = compileValidSchema(schema);
  const sent = value();
  const left = startTimeBudget();
  expect(() => findViolation(compiled, sent, left)).toThrow(ScanTimeoutError);
  // The rules that come after it have no time left for what is large, and look at what is small.
  expect(() => findViolation(compiled, sent, left)).toThrow(ScanTimeoutError);
  expect(findViolation(compiled, [], left)).toBeNull();
});
