// The button of a row that opens its details in the drawer.
import { Button } from '@mantine/core';
import { shellTexts as t } from './texts.ts';

/** `name`: of the row, for screen readers. */
export function DetailsButton({ name, onOpen }: { name: string; onOpen: () => void }) {
  return (
    <Button size="xs" variant="default" aria-label={t.detailsOf(name)} onClick={onOpen}>
      {t.details}
    </Button>
  );
}
