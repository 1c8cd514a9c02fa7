// The button of a row that opens its details in the drawer.
import { IconLayoutSidebarRight } from '@tabler/icons-react';
import { RowAction } from '../ui/RowAction.tsx';
import { shellTexts as t } from './texts.ts';

/** `name`: of the row, for screen readers. */
export function DetailsButton({ name, onOpen }: { name: string; onOpen: () => void }) {
  return (
    <RowAction
      label={t.details}
      fullLabel={t.detailsOf(name)}
      Icon={IconLayoutSidebarRight}
      onClick={onOpen}
    />
  );
}
