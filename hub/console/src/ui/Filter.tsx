// A filter by a closed list of values; "All" is no filter.
import { NativeSelect } from '@mantine/core';
import { oneOf } from '../api/query-string.ts';
import { texts } from '../texts.ts';
import { RemoveFilter } from './RemoveFilter.tsx';

interface FilterProps<T extends string> {
  label: string;
  values: readonly T[];
  names: Readonly<Record<T, string>>;
  value: T | undefined;
  onChange: (value: T | undefined) => void;
  /** The text of the empty choice; null: there is none. */
  all?: string | null;
}

export function Filter<T extends string>(props: FilterProps<T>) {
  const { label, values, names, value, onChange, all = texts.ui.all } = props;
  const isChosen = value !== undefined && all !== null;
  return (
    <NativeSelect
      className="gw-chip"
      size="xs"
      data-chosen={isChosen ? '' : undefined}
      label={label}
      rightSectionPointerEvents={isChosen ? 'all' : 'none'}
      rightSection={
        isChosen ? <RemoveFilter label={label} onRemove={() => onChange(undefined)} /> : undefined
      }
      value={value ?? ''}
      data={[
        ...(all === null ? [] : [{ value: '', label: all }]),
        ...values.map((known) => ({ value: known, label: names[known] })),
      ]}
      onChange={(event) => {
        onChange(oneOf(values, event.currentTarget.value));
      }}
    />
  );
}
