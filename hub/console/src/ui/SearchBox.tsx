// A search box of a list; the URL contains its text.
import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { texts } from '../texts.ts';

const SETTLE_MS = 250;

interface SearchBoxProps {
  label: string;
  placeholder?: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function SearchBox({ label, placeholder, value, onChange }: SearchBoxProps) {
  const [text, setText] = useState(value ?? '');
  const sent = useRef(value ?? '');
  const send = useDebouncedCallback((next: string) => {
    sent.current = next;
    onChange(next.trim() === '' ? undefined : next);
  }, SETTLE_MS);
  // The URL changed from elsewhere: back, a link, cleared filters.
  useEffect(() => {
    const outside = value ?? '';
    if (outside === sent.current.trim() || outside === sent.current) return;
    sent.current = outside;
    setText(outside);
  }, [value]);
  const change = (next: string) => {
    setText(next);
    send(next);
  };
  return (
    <TextInput
      className="gw-grow gw-search"
      size="xs"
      type="search"
      label={label}
      placeholder={placeholder ?? label}
      value={text}
      maxLength={200}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === '' ? null : (
          <CloseButton
            size="sm"
            aria-label={texts.ui.clearSearch}
            onClick={() => {
              change('');
            }}
          />
        )
      }
      onChange={(event) => {
        change(event.currentTarget.value);
      }}
    />
  );
}
