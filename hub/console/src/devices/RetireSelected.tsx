// Retires the selected devices after a confirmation. Devices that fail stay selected.
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
  const [confirming, setConfirming] = useState<ReadonlyMap<string, string> | null>(null);
  const retire = useRetire(onSelect);
  return (
    <>
      {selected.size === 0 ? null : (
        <div className="gw-notice" role="status">
          <span>{deviceTexts.selected(selected.size)}</span>
          <span className="gw-row-actions">
            <Button size="xs" color="red" variant="default" onClick={() => setConfirming(selected)}>
              {deviceTexts.retireSelected}
            </Button>
            <Button size="xs" variant="default" onClick={() => onSelect(new Map())}>
              {deviceTexts.clearSelection}
            </Button>
          </span>
        </div>
      )}
      {confirming === null ? null : (
        <ConfirmDialog
          title={deviceTexts.retireSelectedTitle(confirming.size)}
          name={[...confirming.values()].slice(0, NAMES_SHOWN).join(', ')}
          text={deviceTexts.retireText}
          action={deviceTexts.retireSelected}
          done={deviceTexts.retiredSelected}
          run={() => retire(confirming)}
          onClose={() => setConfirming(null)}
        />
      )}
    </>
  );
}

/** The number of host names in the confirmation. */
const NAMES_SHOWN = 5;

/** Tries every device, then rejects with the last error. */
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
