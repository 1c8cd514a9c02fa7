import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  countValues,
  type Field,
  getFieldFault,
  getSectionField,
  getValue,
  listInputPaths,
  nameInWords,
  parseFault,
  SECTION_NAMES,
  settingLabel,
  setValue,
} from './schema-fields.ts';
import { SETTING_LABELS } from './setting-labels.ts';

test('schema sections all have inputs', () => {
  const kinds = SECTION_NAMES.map((name) => [name, getSectionField(name).kind]);
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

test('input kinds follow the schema', () => {
  const limits = getSectionField('limits');
  if (limits.kind !== 'group') throw new Error('limits is a group');
  const kindOf = (name: string) => limits.fields.find((item) => item.path.at(-1) === name);
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
      { kind: 'number', label: 'Amount' },
      { kind: 'choice', values: ['minute', 'hour', 'day'] },
    ],
  });
  expect(kindOf('model_rate_limits')?.kind).toBe('json');
  const access = getSectionField('access');
  if (access.kind !== 'group') throw new Error('access is a group');
  const ips = access.fields.find((item) => item.path.at(-1) === 'allowed_source_ips');
  expect(ips).toMatchObject({ kind: 'json', nullable: true });
  expect(access.fields.find((item) => item.path.at(-1) === 'enforce_identity')?.kind).toBe('flag');
  expect(access.fields.find((item) => item.path.at(-1) === 'allowed_user_domains')?.kind).toBe(
    'texts',
  );
});

test('marks merged maps as maps without removal', () => {
  const detection = getSectionField('detection');
  const access = getSectionField('access');
  if (detection.kind !== 'group' || access.kind !== 'group') throw new Error('these are groups');
  const mergesIn = (group: typeof detection, name: string) => {
    const field = group.fields.find((item) => item.path.at(-1) === name);
    return field?.kind === 'json' ? field.merges : null;
  };
  expect(mergesIn(detection, 'enabled_categories')).toBe(true);
  expect(mergesIn(detection, 'sub_category_actions')).toBe(true);
  expect(mergesIn(detection, 'custom_definitions')).toBe(false);
  expect(mergesIn(access, 'allowed_source_ips')).toBe(false);
});

test('reads written values, and leaves no empty objects behind after a removal', () => {
  const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(path, fc.jsonValue(), (at, value) => {
      const written = setValue({}, at, value);
      expect(getValue(written, at)).toEqual(value);
      expect(setValue(written, at, undefined)).toEqual({});
    }),
  );
});

test('counts the values that are set', () => {
  const config = { limits: { timeout: 5, rate_limit: { value: 1, duration: 'day' } } };
  expect(countValues(getSectionField('limits'), config)).toBe(3);
});

test('shows an error at the field that it points to, or at the nearest parent', () => {
  const limits = getSectionField('limits');
  const faultRows = (message: string, field = limits): [string, string][] => {
    const found = getFieldFault(field, parseFault(message));
    const inner =
      field.kind === 'group' ? field.fields.flatMap((item) => faultRows(message, item)) : [];
    return found === null ? inner : [[field.path.join('.'), found], ...inner];
  };
  expect(faultRows('/limits/rate_limit/duration is required')).toEqual([
    ['limits.rate_limit.duration', 'is required'],
  ]);
  expect(faultRows('/limits/model_rate_limits/0/a~1b must be a text')).toEqual([
    ['limits.model_rate_limits', '0 → a/b: must be a text'],
  ]);
  expect(faultRows('/limits/rate_limit/unknown is not known')).toEqual([
    ['limits.rate_limit', 'unknown: is not known'],
  ]);
  expect(faultRows('/limits/rate_limit must be object')).toEqual([
    ['limits.rate_limit', 'must be object'],
  ]);
  expect(faultRows('/access/jwt_auth must be object')).toEqual([]);
  expect(parseFault('The server didn’t respond.')).toBe(null);
  expect(listInputPaths(limits)).toContain('limits.rate_limit.duration');
});

test('allows removal of members of replaced objects, and of nullable members of merged objects', () => {
  const nullable = (path: string, field = getSectionField('limits')): boolean[] => {
    if (field.path.join('.') === path) return [field.nullable];
    return field.kind === 'group' ? field.fields.flatMap((item) => nullable(path, item)) : [];
  };
  expect(nullable('limits.rate_limit.duration')).toEqual([true]);
  expect(nullable('limits.rate_limit_per_minute')).toEqual([false]);
  expect(nullable('access.jwt_auth.enabled', getSectionField('access'))).toEqual([false]);
});

test('labels every setting of the schema from the data file', () => {
  const names = (field: Field): string[] =>
    field.kind === 'group'
      ? [field.path.at(-1) ?? '', ...field.fields.flatMap(names)]
      : [field.path.at(-1) ?? ''];
  const settings = SECTION_NAMES.flatMap((name) => names(getSectionField(name)).slice(1));
  expect(settings.filter((name) => !Object.hasOwn(SETTING_LABELS, name))).toEqual([]);
  expect(settingLabel('edm_pattern_sensitivities')).toBe('Sensitivity of exact data matches');
  expect(settingLabel('new_limit')).toBe('New limit');
});

test.each([
  ['iban', 'IBAN'],
  ['swift_code', 'SWIFT code'],
  ['sql_injection', 'SQL injection'],
  ['provider_ids', 'Provider IDs'],
])('the name %s reads %s', (name, words) => {
  expect(nameInWords(name)).toBe(words);
});
