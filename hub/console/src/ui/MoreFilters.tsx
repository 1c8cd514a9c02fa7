// Filters that few users need: behind a button, and always shown while one of them is chosen.
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { texts } from '../texts.ts';

interface MoreFiltersProps {
  /** The values of the filters inside. */
  chosen: readonly unknown[];
  children: ReactNode;
}

export function MoreFilters({ chosen, children }: MoreFiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const isChosen = chosen.some((value) => value !== undefined);
  if (isOpen || isChosen) return children;
  return (
    <Button size="xs" variant="subtle" onClick={() => setOpen(true)}>
      {texts.ui.moreFilters}
    </Button>
  );
}
