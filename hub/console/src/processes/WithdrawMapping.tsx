// Deletes a process mapping after a confirmation.
import type { ProcessMappingRow } from '@gatewarden/shared/wire/console/processes.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isStatus } from '../api/client.ts';
import { staleAfter, topicKey } from '../api/keys.ts';
import { useTenant, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { useAsAsked } from '../ui/as-asked.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Name } from '../ui/Name.tsx';
import { Refusal } from '../ui/Refusal.tsx';

interface WithdrawMappingProps {
  mapping: ProcessMappingRow;
  onClose: () => void;
}

export function WithdrawMapping({ mapping, onClose }: WithdrawMappingProps) {
  return (
    <Dialog title={texts.processes.withdrawTitle} onClosed={onClose}>
      {(close) => <Confirm mapping={mapping} onClose={close} />}
    </Dialog>
  );
}

function Confirm({ mapping, onClose }: WithdrawMappingProps) {
  const { tenantId } = useTenant();
  const write = useTenantWrite();
  const queries = useQueryClient();
  const done = () => {
    for (const topic of staleAfter('process-map')) {
      void queries.invalidateQueries({ queryKey: topicKey(tenantId, topic) });
    }
    notifications.show({ color: 'teal', message: texts.processes.withdrawn });
    onClose();
  };
  const withdraw = useMutation({
    mutationFn: ({ mapping_id, version }: typeof mapping) =>
      write('DELETE', `/process-mappings/${mapping_id}`, { ifMatch: version }),
    onSuccess: done,
    onError: (error) => {
      if (isStatus(error, 404)) done();
    },
  });
  const shown = useAsAsked(mapping, withdraw.error);
  return (
    <div className="gw-form">
      <p className="gw-flat">
        <Name value={shown.process_name} mono /> → <Name value={shown.application_name} />
      </p>
      <p className="gw-dimmed gw-flat">{texts.processes.withdrawText}</p>
      <Refusal error={withdraw.error} conflict={texts.ui.changedMeanwhile} />
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {texts.ui.cancel}
        </Button>
        <Button color="red" loading={withdraw.isPending} onClick={() => withdraw.mutate(shown)}>
          {texts.processes.withdraw}
        </Button>
      </div>
    </div>
  );
}
