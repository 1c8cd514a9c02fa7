// A filter by time in the viewer's time zone; the address contains the instant.
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { instant } from '../api/query-string.ts';
import { RemoveFilter } from './RemoveFilter.tsx';
import { fromLocalInput, toLocalInput } from './time-text.ts';

interface TimeFilterProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function TimeFilter({ label, value, onChange }: TimeFilterProps) {
  const [text, setText] = useState(toLocalInput(value ?? null));
  // A partly typed year is a year of antiquity.
  const send = useDebouncedCallback(
    (next: string) => onChange(instant(fromLocalInput(next) ?? undefined)),
    300,
  );
  const remove = () => {
    send.cancel();
    setText('');
    onChange(undefined);
  };
  return (
    <TextInput
      className="gw-chip"
      size="xs"
      data-chosen={value === undefined ? undefined : ''}
      type="datetime-local"
      label={label}
      rightSectionPointerEvents="all"
      rightSection={value === undefined ? null : <RemoveFilter label={label} onRemove={remove} />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
    />
  );
}
