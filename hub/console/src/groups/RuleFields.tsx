// The fields of a membership query: its conditions, and the devices that match now.
import {
  type GroupRule,
  RULE_FIELDS,
  type RuleCondition,
  type RulePreviewAnswer,
} from '@gatewarden/shared/wire/console/device-groups.ts';
import type { PeopleGroup } from '@gatewarden/shared/wire/console/people-groups.ts';
import { PLATFORMS } from '@gatewarden/shared/wire/vocabulary.ts';
import {
  Button,
  MultiSelect,
  NativeSelect,
  TagsInput,
  type TagsInputProps,
  TextInput,
} from '@mantine/core';
import { oneOf } from '../api/query-string.ts';
import { useSettledPreview } from '../api/settled-preview.ts';
import { useAllOf } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Name } from '../ui/Name.tsx';
import { changedCondition, NEW_CONDITION, testsOf } from './rule-values.ts';
import './groups.css';

const t = texts.groups;
const CONDITIONS_MAX = 10;
const VALUES_MAX = 50;

interface RuleFieldsProps {
  conditions: readonly RuleCondition[];
  onChange: (conditions: RuleCondition[]) => void;
  /** The query as it would be saved; null while a condition has no value. */
  rule: GroupRule | null;
  error: string | null;
}

export function RuleFields({ conditions, onChange, rule, error }: RuleFieldsProps) {
  return (
    <fieldset className="gw-rule">
      <legend>{t.rule}</legend>
      <p className="gw-dimmed gw-flat">{t.ruleLead}</p>
      {conditions.map((condition, i) => (
        <Condition
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no id but its position
          key={i}
          n={i + 1}
          condition={condition}
          onChange={(changed) => {
            onChange(conditions.map((item, j) => (i === j ? changed : item)));
          }}
          onDrop={
            conditions.length === 1
              ? null
              : () => {
                  onChange(conditions.filter((_, j) => i !== j));
                }
          }
        />
      ))}
      {error === null ? null : <p className="gw-field-error">{error}</p>}
      {conditions.length < CONDITIONS_MAX ? (
        <div>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              onChange([...conditions, NEW_CONDITION]);
            }}
          >
            {t.addCondition}
          </Button>
        </div>
      ) : null}
      <RulePreview rule={rule} />
    </fieldset>
  );
}

interface ConditionProps {
  n: number;
  condition: RuleCondition;
  onChange: (condition: RuleCondition) => void;
  onDrop: (() => void) | null;
}

function Condition({ n, condition, onChange, onDrop }: ConditionProps) {
  const { field, test, values } = condition;
  return (
    <fieldset className="gw-condition" aria-label={t.condition(n)}>
      <NativeSelect
        label={t.field}
        data={RULE_FIELDS.map((value) => ({ value, label: t.fields[value] }))}
        value={field}
        onChange={(event) => {
          const chosen = oneOf(RULE_FIELDS, event.currentTarget.value);
          if (chosen !== undefined) onChange(changedCondition(condition, { field: chosen }));
        }}
      />
      <NativeSelect
        label={t.test}
        data={testsOf(field).map((value) => ({ value, label: t.tests[value] }))}
        value={test}
        onChange={(event) => {
          const chosen = oneOf(testsOf(field), event.currentTarget.value);
          if (chosen !== undefined) onChange(changedCondition(condition, { test: chosen }));
        }}
      />
      <Values
        condition={condition}
        onValues={(changed) => {
          onChange({ field, test, values: changed.slice(0, VALUES_MAX) });
        }}
        values={values}
      />
      {onDrop === null ? null : (
        <Button size="xs" variant="default" aria-label={t.dropCondition(n)} onClick={onDrop}>
          {t.drop}
        </Button>
      )}
    </fieldset>
  );
}

function Values({
  condition: { field, test },
  values,
  onValues,
}: {
  condition: RuleCondition;
  values: string[];
  onValues: (values: string[]) => void;
}) {
  if (test === 'at_least' || test === 'below') {
    return (
      <TextInput
        label={t.version}
        maxLength={200}
        value={values[0] ?? ''}
        onChange={(event) => {
          onValues([event.currentTarget.value.trim()].filter((item) => item !== ''));
        }}
      />
    );
  }
  const label = t.values[test];
  if (field === 'platform') {
    return (
      <MultiSelect
        label={label}
        data={PLATFORMS.map((value) => ({ value, label: texts.platforms[value] }))}
        value={values}
        onChange={onValues}
      />
    );
  }
  const texting = { label, values, onValues };
  return field === 'people_group' ? (
    <PeopleGroups {...texting} />
  ) : (
    <Texts {...texting} splitChars={[',']} />
  );
}

interface TextsProps extends Pick<TagsInputProps, 'data' | 'splitChars'> {
  label: string;
  values: string[];
  onValues: (values: string[]) => void;
}

function Texts({ values, onValues, ...rest }: TextsProps) {
  return (
    <TagsInput
      description={t.valuesHint}
      acceptValueOnBlur
      maxTags={VALUES_MAX}
      value={values}
      onChange={onValues}
      {...rest}
    />
  );
}

/** Offers the existing values. A comma does not end a value, because names of directory groups contain commas. */
function PeopleGroups(props: TextsProps) {
  const groups = useAllOf<PeopleGroup>('mcp', '/people-groups');
  const names = groups.map((item) => item.name).filter((item) => item.trim() === item);
  return <Texts {...props} data={[...new Set(names)]} splitChars={[]} />;
}

/** The devices that match the query now, debounced after its last change. */
function RulePreview({ rule }: { rule: GroupRule | null }) {
  const { data, isError, error } = useSettledPreview<RulePreviewAnswer>(
    'device-groups',
    '/device-groups/preview',
    rule === null ? null : { rule },
  );
  if (rule === null) return null;
  if (isError) return <ErrorPanel error={error} title={t.previewFailed} />;
  return (
    <div aria-live="polite" data-testid="rule-preview">
      {data === undefined ? (
        <p className="gw-dimmed gw-flat">{texts.ui.loading}</p>
      ) : (
        <>
          <p className="gw-flat">{t.previewCount(data.device_count)}</p>
          <ul className="gw-membership">
            {data.devices.map((item) => (
              <li key={item.device_id}>
                <Name value={item.hostname} clamp />
              </li>
            ))}
            {data.device_count > data.devices.length ? (
              <li className="gw-dimmed">
                {t.previewMore(data.device_count - data.devices.length)}
              </li>
            ) : null}
          </ul>
        </>
      )}
    </div>
  );
}
