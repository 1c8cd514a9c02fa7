// A filter by text; the address is updated shortly after typing.
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { RemoveFilter } from './RemoveFilter.tsx';

interface TextFilterProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function TextFilter({ label, value, onChange }: TextFilterProps) {
  const [text, setText] = useState(value ?? '');
  const send = useDebouncedCallback(
    (next: string) => onChange(next.trim() === '' ? undefined : next.trim()),
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
      label={label}
      rightSectionPointerEvents="all"
      rightSection={value === undefined ? null : <RemoveFilter label={label} onRemove={remove} />}
      maxLength={200}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
    />
  );
}
