// The button that removes a chosen filter, inside of the filter's chip.
import { CloseButton } from '@mantine/core';
import { texts } from '../texts.ts';

interface RemoveFilterProps {
  /** The name of the filter. */
  label: string;
  onRemove: () => void;
}

export function RemoveFilter({ label, onRemove }: RemoveFilterProps) {
  return <CloseButton size="xs" aria-label={texts.ui.removeFilter(label)} onClick={onRemove} />;
}
