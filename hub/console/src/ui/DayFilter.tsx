// A filter of a day, which lives in the URL a moment after it was typed.
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

/** While a day is typed its field is left alone: put back and set anew, it would forget which digits came before. */
export function DayFilter({ label, value, onChange, error }: DayFilterProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const send = useDebouncedCallback((next: string) => {
    // A year is first one of the antiquity.
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
