// The selection of alerts in their list, and the bar that resolves the selected alerts.
import type { AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts.ts';
import type { Column } from '../ui/DataTable.tsx';
import { headline } from './FreshAlerts.tsx';
import { alertKey } from './open-alerts.ts';
import { ResolveDialog } from './ResolveAlerts.tsx';
import { ALERTS_RESOLVED_MOST } from './states.ts';
import { resolveTexts as words } from './texts.ts';

type Selected = ReadonlyMap<string, AlertRow>;

/** Returns the column of checkboxes, and the bar of the selection. */
export function useAlertSelection() {
  const [selected, setSelected] = useState<Selected>(new Map());
  const [isResolving, setResolving] = useState(false);
  const toggle = (row: AlertRow) => {
    setSelected((before) => {
      const after = new Map(before);
      const isRemoved = after.delete(alertKey(row));
      if (!isRemoved && after.size < ALERTS_RESOLVED_MOST) after.set(alertKey(row), row);
      return after;
    });
  };
  const clear = () => setSelected(new Map());
  const column: Column<AlertRow> = {
    key: 'select',
    weight: 0.42,
    header: texts.ui.selection,
    hiddenHeader: true,
    render: (row) => (
      <Checkbox
        aria-label={words.select(headline(row))}
        checked={selected.has(alertKey(row))}
        onChange={() => toggle(row)}
      />
    ),
  };
  const bar = (
    <>
      {selected.size === 0 ? null : (
        <div className="gw-notice gw-selection" role="status" data-testid="selection-bar">
          <span>{words.selected(selected.size)}</span>
          <span className="gw-row-actions">
            <Button size="xs" onClick={() => setResolving(true)}>
              {words.open}
            </Button>
            <Button size="xs" variant="default" onClick={clear}>
              {words.clear}
            </Button>
          </span>
        </div>
      )}
      {isResolving ? (
        <ResolveDialog
          alerts={[...selected.values()]}
          onResolved={clear}
          onClosed={() => setResolving(false)}
        />
      ) : null}
    </>
  );
  return { column, bar };
}
