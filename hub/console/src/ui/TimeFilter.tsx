// A filter of a time in the viewer's zone, which lives in the URL as an instant.
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
  // While it is typed, a year is first one of the antiquity.
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
