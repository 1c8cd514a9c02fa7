// Retires the selected devices after a question; devices that could not be retired stay selected.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useReload, useTenantWrite } from '../api/tenant.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { deviceTexts } from './device-texts.ts';

interface RetireSelectedProps {
  /** Host names by device id. */
  selected: ReadonlyMap<string, string>;
  onSelect: (selected: ReadonlyMap<string, string>) => void;
}

export function RetireSelected({ selected, onSelect }: RetireSelectedProps) {
  const [asked, setAsked] = useState<ReadonlyMap<string, string> | null>(null);
  const retire = useRetire(onSelect);
  return (
    <>
      {selected.size === 0 ? null : (
        <div className="gw-notice" role="status">
          <span>{deviceTexts.selected(selected.size)}</span>
          <span className="gw-row-actions">
            <Button size="xs" color="red" variant="default" onClick={() => setAsked(selected)}>
              {deviceTexts.retireSelected}
            </Button>
            <Button size="xs" variant="default" onClick={() => onSelect(new Map())}>
              {deviceTexts.clearSelection}
            </Button>
          </span>
        </div>
      )}
      {asked === null ? null : (
        <ConfirmDialog
          title={deviceTexts.retireSelectedTitle(asked.size)}
          name={[...asked.values()].slice(0, NAMED).join(', ')}
          text={deviceTexts.retireText}
          action={deviceTexts.retireSelected}
          done={deviceTexts.retiredSelected}
          run={() => retire(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** Host names that the question lists. */
const NAMED = 5;

/** Rejects with the last refusal, after it has tried every device. */
function useRetire(onSelect: RetireSelectedProps['onSelect']) {
  const write = useTenantWrite();
  const reload = useReload();
  return async (selected: ReadonlyMap<string, string>): Promise<void> => {
    const failed = new Map<string, string>();
    let refusal: unknown;
    for (const [deviceId, hostname] of selected) {
      try {
        await write('DELETE', `/devices/${deviceId}`);
      } catch (error) {
        failed.set(deviceId, hostname);
        refusal = error;
      }
    }
    reload('devices');
    onSelect(failed);
    if (failed.size > 0) throw refusal;
  };
}
