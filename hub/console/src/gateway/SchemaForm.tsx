// The inputs of a section of an app's configuration, built from its schema.
import {
  Button,
  Input,
  JsonInput,
  NativeSelect,
  NumberInput,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { memo, useState } from 'react';
import {
  type Fault,
  type Field,
  getFieldFault,
  getValue,
  listInputPaths,
} from './schema-fields.ts';
import { SETTING_VALUE_LABELS } from './setting-labels.ts';
import { gatewayTexts } from './texts.ts';
import { useFieldLabel } from './UnenforcedSettings.tsx';

const t = gatewayTexts.settings;
/** The `maxLength` from which a text has an input of several lines. */
const LONG_TEXT = 4_000;

interface FieldProps {
  field: Field;
  draft: Record<string, unknown>;
  /** The stored configuration: a stored value that cannot be reset cannot be emptied either. */
  stored: Record<string, unknown>;
  /** The error of the hub about the sent values. */
  fault: Fault | null;
  readOnly: boolean;
  /** The value undefined removes the setting; null resets it if the schema allows null. Must be a stable function. */
  onChange: (path: string[], value: unknown) => void;
  /** Reports that the typed text is not valid; null: it is valid again. Must be a stable function. */
  onProblem: (path: string, problem: string | null) => void;
}

type Group = Extract<Field, { kind: 'group' }>;
type Json = Extract<Field, { kind: 'json' }>;
type Numbered = Extract<Field, { kind: 'number' }>;
type Plain = Exclude<Field, Group | Json | Numbered>;

interface InputProps extends Pick<FieldProps, 'readOnly' | 'onChange' | 'onProblem'> {
  value: unknown;
  /** The stored value cannot be reset. */
  isKept: boolean;
  error: string | null;
}

export function SchemaField(props: FieldProps) {
  const { field, draft, stored, fault, readOnly, onChange, onProblem } = props;
  if (field.kind === 'group') return <Group {...props} field={field} />;
  const value = getValue(draft, field.path);
  const isStored = getValue(stored, field.path) !== undefined;
  const input = {
    value,
    isKept: !field.nullable && isStored && value !== undefined,
    error: getFieldFault(field, fault),
    readOnly,
    onChange,
    onProblem,
  };
  if (field.kind === 'json') {
    const members = Object.keys(getValue(stored, field.path) ?? {}).length;
    return <JsonField {...input} field={field} keepsMembers={field.merges && members > 0} />;
  }
  if (field.kind === 'number') return <NumberField {...input} field={field} />;
  return <Leaf {...input} field={field} />;
}

function Group(props: FieldProps & { field: Group }) {
  const { field, fault, readOnly, onChange, onProblem } = props;
  const isTop = field.path.length === 1;
  const label = useFieldLabel(field);
  // The matrix of guardrails covers what the JSON of this section sets in most cases.
  const [shown, advanced] = splitAdvanced(field);
  const error = getFieldFault(field, fault);
  const isSet = (getValue(props.draft, field.path) ?? null) !== null;
  // A reset mounts the inputs again, which discards their typed text.
  const [resets, setResets] = useState(0);
  const reset = () => {
    setResets(resets + 1);
    for (const name of listInputPaths(field)) onProblem(name, null);
    onChange(field.path, undefined);
  };
  const inner = (
    <div className="gw-settings-grid" key={resets}>
      {error === null ? null : (
        <Input.Error className="gw-settings-wide" role="alert">
          {error}
        </Input.Error>
      )}
      {shown.map((item) => (
        <SchemaField key={item.path.join('.')} {...props} field={item} />
      ))}
      {advanced.length === 0 ? null : (
        <details
          className="gw-settings-wide"
          open={advanced.some((item) => getFieldFault(item, fault) !== null) || undefined}
        >
          <summary>{t.advanced}</summary>
          <div className="gw-settings-grid">
            {advanced.map((item) => (
              <SchemaField key={item.path.join('.')} {...props} field={item} />
            ))}
          </div>
        </details>
      )}
      {field.nullable && isSet && !readOnly ? (
        <div className="gw-settings-wide">
          <Button size="xs" variant="default" onClick={reset}>
            {t.reset(field.label)}
          </Button>
        </div>
      ) : null}
    </div>
  );
  if (isTop) return inner;
  return (
    <fieldset className="gw-field-group gw-settings-wide">
      <legend>{label}</legend>
      {inner}
    </fieldset>
  );
}

/** Returns the fields that are shown, and those below “Advanced”: maps of the section Detection, which are JSON. */
function splitAdvanced({ fields, path }: Group): [Field[], Field[]] {
  if (path.join('.') !== 'detection') return [fields, []];
  const isJson = ({ kind }: Field) => kind === 'json';
  return [fields.filter((item) => !isJson(item)), fields.filter(isJson)];
}

// Memoized: a keystroke renders a single input of a hundred.
const Leaf = memo(function Leaf(props: InputProps & { field: Plain }) {
  const { field, value, isKept, error, readOnly, onChange } = props;
  const common = { label: useFieldLabel(field), disabled: readOnly, error };
  if (field.kind === 'flag' || field.kind === 'choice') {
    const choices =
      field.kind === 'flag'
        ? [
            { value: 'true', label: t.yes },
            { value: 'false', label: t.no },
          ]
        : field.values.map((item) => ({ value: item, label: SETTING_VALUE_LABELS[item] ?? item }));
    return (
      <NativeSelect
        {...common}
        value={value === undefined || value === null ? '' : String(value)}
        data={isKept ? choices : [{ value: '', label: t.unset }, ...choices]}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          if (chosen === '') onChange(field.path, undefined);
          else onChange(field.path, field.kind === 'flag' ? chosen === 'true' : chosen);
        }}
      />
    );
  }
  if (field.kind === 'texts') {
    return (
      <TagsInput
        {...common}
        description={readOnly ? undefined : t.add}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={(next) =>
          onChange(field.path, next.length === 0 && value === undefined ? undefined : next)
        }
      />
    );
  }
  const text = typeof value === 'string' ? value : '';
  const change = (next: string) =>
    onChange(field.path, next === '' && !(isKept && field.mayBeEmpty) ? undefined : next);
  if (field.maxLength >= LONG_TEXT) {
    return (
      <Textarea
        {...common}
        className="gw-settings-wide"
        autosize
        minRows={2}
        maxRows={12}
        maxLength={field.maxLength}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...common}
      placeholder={t.unset}
      maxLength={field.maxLength}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
});

/** Keeps the typed text: a number outside its bounds shows an error and is not clamped. */
const NumberField = memo(function NumberField(props: InputProps & { field: Numbered }) {
  const { field, value, error, readOnly, onChange, onProblem } = props;
  const [typed, setTyped] = useState<number | string | null>(null);
  // The state when typing began: an emptied field must not become optional while the user types.
  const [isKept] = useState(props.isKept);
  const bounds = t.bounds(field.min, field.max);
  const findProblem = (next: number | string) => {
    if (next === '') return isKept ? t.badNumber : null;
    return isWithin(next, field) ? null : (bounds ?? t.badNumber);
  };
  const problem = typed === null ? null : findProblem(typed);
  const take = (next: number | string) => {
    setTyped(next);
    const found = findProblem(next);
    onProblem(field.path.join('.'), found === null ? null : `${field.label}: ${found}`);
    if (found === null) onChange(field.path, next === '' ? undefined : Number(next));
  };
  return (
    <NumberInput
      label={field.label}
      description={readOnly ? undefined : bounds}
      disabled={readOnly}
      placeholder={t.unset}
      value={typed ?? (typeof value === 'number' ? value : '')}
      error={problem ?? error}
      allowDecimal={!field.isWhole}
      clampBehavior="none"
      {...(field.min === undefined ? {} : { min: field.min })}
      {...(field.max === undefined ? {} : { max: field.max })}
      onChange={take}
    />
  );
});

function isWithin(typed: number | string, { min = -Infinity, max = Infinity }: Numbered): boolean {
  const number = Number(typed);
  return Number.isFinite(number) && number >= min && number <= max;
}

const JsonField = memo(function JsonField(
  props: InputProps & { field: Json; keepsMembers: boolean },
) {
  const { field, keepsMembers, value, error, readOnly, onChange, onProblem } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? ((value ?? null) === null ? '' : JSON.stringify(value, null, 2));
  const name = field.path.join('.');
  const take = (text: string) => {
    setTyped(text);
    if (text.trim() === '') {
      onProblem(name, null);
      return onChange(field.path, undefined);
    }
    try {
      onChange(field.path, JSON.parse(text));
      onProblem(name, null);
    } catch {
      onProblem(name, `${field.label}: ${t.badJson}`);
    }
  };
  return (
    <JsonInput
      className="gw-settings-wide"
      label={useFieldLabel(field)}
      description={keepsMembers && !readOnly ? t.membersStay : undefined}
      placeholder={t.unset}
      disabled={readOnly}
      autosize
      minRows={1}
      maxRows={14}
      spellCheck={false}
      validationError={t.badJson}
      error={error}
      value={shown}
      onChange={take}
    />
  );
});
