import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countValues, fieldOfSection, SECTION_NAMES, valueAt, withValue } from './schema-fields.ts';

test('every section of the schema has its inputs', () => {
  const kinds = SECTION_NAMES.map((name) => [name, fieldOfSection(name).kind]);
  expect(Object.fromEntries(kinds)).toEqual({
    detection: 'group',
    limits: 'group',
    routing: 'group',
    access: 'group',
    transformations: 'group',
    self_service: 'group',
    prompts: 'group',
    smart_group_policies: 'json',
    alerting: 'group',
  });
});

test('inputs are of the kind that the schema says', () => {
  const limits = fieldOfSection('limits');
  if (limits.kind !== 'group') throw new Error('limits is a group');
  const kindOf = (name: string) => limits.fields.find((one) => one.path.at(-1) === name);
  expect(kindOf('timeout')).toMatchObject({
    kind: 'number',
    isWhole: true,
    min: 0,
    nullable: true,
  });
  expect(kindOf('rate_limit')).toMatchObject({
    kind: 'group',
    nullable: true,
    fields: [
      { kind: 'number', label: 'Value' },
      { kind: 'choice', values: ['minute', 'hour', 'day'] },
    ],
  });
  expect(kindOf('model_rate_limits')?.kind).toBe('json');
  const access = fieldOfSection('access');
  if (access.kind !== 'group') throw new Error('access is a group');
  const ips = access.fields.find((one) => one.path.at(-1) === 'allowed_source_ips');
  expect(ips).toMatchObject({ kind: 'json', nullable: true });
  expect(access.fields.find((one) => one.path.at(-1) === 'enforce_identity')?.kind).toBe('flag');
  expect(access.fields.find((one) => one.path.at(-1) === 'allowed_user_domains')?.kind).toBe(
    'texts',
  );
});

test('what is written is read, what is taken out leaves nothing empty behind', () => {
  const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(path, fc.jsonValue(), (at, value) => {
      const written = withValue({}, at, value);
      expect(valueAt(written, at)).toEqual(value);
      expect(withValue(written, at, undefined)).toEqual({});
    }),
  );
});

test('counts the values that are set', () => {
  const config = { limits: { timeout: 5, rate_limit: { value: 1, duration: 'day' } } };
  expect(countValues(fieldOfSection('limits'), config)).toBe(3);
});
