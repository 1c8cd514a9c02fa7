// The inputs of a section of an app's configuration, made from its schema.
import {
  JsonInput,
  NativeSelect,
  NumberInput,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { memo, useState } from 'react';
import { type Field, valueAt } from './schema-fields.ts';
import { gatewayTexts } from './texts.ts';

const t = gatewayTexts.settings;
/** Longer texts get more lines. */
const LONG_TEXT = 4_000;

interface FieldProps {
  field: Field;
  draft: Record<string, unknown>;
  /** What is stored: what stands there and cannot be reset keeps a value. */
  stored: Record<string, unknown>;
  readOnly: boolean;
  /** undefined: not to be set; null where the schema takes it: to be reset. The same function every time. */
  onChange: (path: string[], value: unknown) => void;
  /** What was typed cannot be understood yet; null: it can again. The same function every time. */
  onProblem: (path: string, problem: string | null) => void;
}

type Group = Extract<Field, { kind: 'group' }>;
type Json = Extract<Field, { kind: 'json' }>;

interface InputProps extends Pick<FieldProps, 'readOnly' | 'onChange' | 'onProblem'> {
  value: unknown;
  /** Something is stored that cannot be reset. */
  isKept: boolean;
}

export function SchemaField(props: FieldProps) {
  const { field, draft, stored, readOnly, onChange, onProblem } = props;
  if (field.kind === 'group') return <Group {...props} field={field} />;
  const input = {
    value: valueAt(draft, field.path),
    isKept: !field.nullable && valueAt(stored, field.path) !== undefined,
    readOnly,
    onChange,
    onProblem,
  };
  return field.kind === 'json' ? (
    <JsonField {...input} field={field} />
  ) : (
    <Leaf {...input} field={field} />
  );
}

function Group(props: FieldProps & { field: Group }) {
  const { field } = props;
  const isTop = field.path.length === 1;
  const inner = (
    <div className="gw-settings-grid">
      {field.fields.map((one) => (
        <SchemaField key={one.path.join('.')} {...props} field={one} />
      ))}
    </div>
  );
  if (isTop) return inner;
  return (
    <fieldset className="gw-field-group gw-settings-wide">
      <legend>{field.label}</legend>
      {inner}
    </fieldset>
  );
}

// Remembered: a key in one of a hundred inputs is no reason to draw the others.
const Leaf = memo(function Leaf(props: InputProps & { field: Exclude<Field, Group | Json> }) {
  const { field, value, isKept, readOnly, onChange } = props;
  const common = { label: field.label, disabled: readOnly };
  if (field.kind === 'flag' || field.kind === 'choice') {
    const choices =
      field.kind === 'flag'
        ? [
            { value: 'true', label: t.yes },
            { value: 'false', label: t.no },
          ]
        : field.values.map((one) => ({ value: one, label: one }));
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
  if (field.kind === 'number') {
    return (
      <NumberInput
        {...common}
        placeholder={t.unset}
        value={typeof value === 'number' ? value : ''}
        allowDecimal={!field.isWhole}
        {...(field.min === undefined ? {} : { min: field.min })}
        {...(field.max === undefined ? {} : { max: field.max })}
        onChange={(next) => onChange(field.path, typeof next === 'number' ? next : undefined)}
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
  const change = (next: string) => onChange(field.path, next === '' ? undefined : next);
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

const JsonField = memo(function JsonField(props: InputProps & { field: Json }) {
  const { field, value, readOnly, onChange, onProblem } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? (value === undefined ? '' : JSON.stringify(value, null, 2));
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
      label={`${field.label} (JSON)`}
      placeholder={t.unset}
      disabled={readOnly}
      autosize
      minRows={1}
      maxRows={14}
      spellCheck={false}
      validationError={t.badJson}
      value={shown}
      onChange={take}
    />
  );
});
