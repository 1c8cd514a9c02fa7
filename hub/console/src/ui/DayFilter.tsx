// A filter by day; the address is updated shortly after typing.
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { RemoveFilter } from './RemoveFilter.tsx';

interface DayFilterProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  error?: string | undefined;
}

/** The field is not set while the user types, because a date input would lose the typed digits. */
export function DayFilter({ label, value, onChange, error }: DayFilterProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const send = useDebouncedCallback((next: string) => {
    // A partly typed year is a year of antiquity.
    if (next === '' || next >= '1970') onChange(next || undefined);
  }, 300);
  const remove = () => {
    send.cancel();
    setTyped(null);
    onChange(undefined);
  };
  return (
    <TextInput
      className="gw-chip"
      size="xs"
      data-chosen={value === undefined ? undefined : ''}
      type="date"
      label={label}
      rightSectionPointerEvents="all"
      rightSection={value === undefined ? null : <RemoveFilter label={label} onRemove={remove} />}
      value={typed ?? value ?? ''}
      error={error}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
      onBlur={() => {
        send.flush();
        setTyped(null);
      }}
    />
  );
}
