// Deletes a device group after a confirmation.
import type { DeviceGroup } from '@gatewarden/shared/wire/console/device-groups.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useReload, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Name } from '../ui/Name.tsx';
import { Refusal } from '../ui/Refusal.tsx';

interface DeleteGroupProps {
  group: DeviceGroup;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteGroup({ group, onClose, onDeleted }: DeleteGroupProps) {
  return (
    <Dialog title={texts.groups.removeTitle} onClosed={onClose}>
      {(close) => <Confirm group={group} onClose={close} onDeleted={onDeleted} />}
    </Dialog>
  );
}

function Confirm({ group, onClose, onDeleted }: DeleteGroupProps) {
  const write = useTenantWrite();
  const reload = useReload();
  const [shown] = useState(group);
  const remove = useMutation({
    mutationFn: () =>
      write('DELETE', `/device-groups/${shown.group_id}`, { ifMatch: shown.version }),
    onSuccess: () => {
      notifications.show({ color: 'teal', message: texts.groups.removed });
      reload('device-groups');
      onClose();
      onDeleted();
    },
  });
  return (
    <div className="gw-form">
      <p className="gw-flat">
        <Name value={shown.name} clamp />
      </p>
      <p className="gw-dimmed gw-flat">{texts.groups.removeText}</p>
      <Refusal error={remove.error} conflict={texts.groups.conflict} />
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {texts.ui.cancel}
        </Button>
        <Button
          color="red"
          loading={remove.isPending}
          onClick={() => {
            remove.mutate();
          }}
        >
          {texts.groups.remove}
        </Button>
      </div>
    </div>
  );
}
