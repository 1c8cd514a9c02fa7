// The search button of the header and its keys: Ctrl-K everywhere, `/` where nobody types. The dialog is loaded when it is
// first opened.
import { Kbd, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconSearch } from '@tabler/icons-react';
import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { areSingleKeysOn, isTyping } from '../app/single-keys.ts';
import { searchTexts as words } from './texts.ts';

const PRELOAD_MS = 2_000;
const loadDialog = () => import('./SearchDialog.tsx');

export function GlobalSearch() {
  const [Dialog, setDialog] = useState<ComponentType<{ opened: number }> | null>(null);
  /** Counts how often the search was opened. */
  const [opened, setOpened] = useState(0);
  const open = useCallback(async () => {
    try {
      const { SearchDialog } = await loadDialog();
      setDialog(() => SearchDialog);
      setOpened((times) => times + 1);
    } catch {
      notifications.show({ color: 'red', message: words.failed });
    }
  }, []);
  useEffect(() => {
    // Loaded ahead of its first use, so that no typed character is lost.
    const timer = setTimeout(() => void loadDialog().catch(() => undefined), PRELOAD_MS);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!opensSearch(event)) return;
      event.preventDefault();
      void open();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
    };
  }, [open]);
  return (
    <>
      <UnstyledButton
        className="gw-search-open"
        aria-keyshortcuts="Control+K /"
        onClick={() => void open()}
      >
        <IconSearch size={16} aria-hidden />
        <span>{words.open}</span>
        <Kbd size="xs" aria-hidden>
          {words.hint}
        </Kbd>
      </UnstyledButton>
      {Dialog === null ? null : <Dialog opened={opened} />}
    </>
  );
}

function opensSearch(event: KeyboardEvent): boolean {
  if (document.querySelector('[role="dialog"]') !== null) return false;
  const hasModifier = event.ctrlKey || event.metaKey;
  if (hasModifier) return event.key.toLowerCase() === 'k' && !event.altKey && !event.shiftKey;
  return event.key === '/' && !event.altKey && areSingleKeysOn() && !isTyping(event.target);
}
