// Makes a device group or changes its name and description.
import type {
  DeviceGroup,
  DeviceGroupAnswer,
} from '@gatewarden/shared/wire/console/device-groups.ts';
import { Button, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useReload, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import '../decisions/decisions.css';
import { Refusal } from '../ui/Refusal.tsx';

interface GroupDialogProps {
  /** Null for a new one. */
  group: DeviceGroup | null;
  onClose: () => void;
  onStored?: (group: DeviceGroup) => void;
}

export function GroupDialog({ group, onClose, onStored }: GroupDialogProps) {
  const title = group === null ? texts.groups.createTitle : texts.groups.editTitle;
  return (
    <Dialog title={title} onClosed={onClose}>
      {(close) => <GroupForm group={group} onClose={close} {...(onStored ? { onStored } : {})} />}
    </Dialog>
  );
}

function GroupForm({ group, onClose, onStored }: GroupDialogProps) {
  const write = useTenantWrite();
  const reload = useReload();
  const [refusal, setRefusal] = useState<unknown>(null);
  // The page behind may bring a newer version meanwhile; the form stands on the one that the person opened.
  const [original] = useState(group);
  const form = useForm({
    initialValues: { name: original?.name ?? '', description: original?.description ?? '' },
    validate: { name: (name) => (name.trim() === '' ? texts.groups.nameNeeded : null) },
  });
  const submit = async (values: { name: string; description: string }) => {
    setRefusal(null);
    const body = { name: values.name, description: values.description };
    try {
      const answer = await (original === null
        ? write<DeviceGroupAnswer>('POST', '/device-groups', { body })
        : write<DeviceGroupAnswer>('PATCH', `/device-groups/${original.group_id}`, {
            body,
            ifMatch: original.version,
          }));
      notifications.show({ color: 'teal', message: texts.groups.stored });
      reload('device-groups');
      onStored?.(answer.group);
      onClose();
    } catch (error) {
      setRefusal(error);
    }
  };
  return (
    <form className="gw-form" noValidate onSubmit={form.onSubmit(submit)}>
      <TextInput
        label={texts.groups.name}
        data-autofocus
        required
        maxLength={200}
        {...form.getInputProps('name')}
      />
      <Textarea
        label={texts.groups.description}
        autosize
        minRows={2}
        maxLength={2000}
        {...form.getInputProps('description')}
      />
      <Refusal error={refusal} conflict={texts.groups.conflict} />
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {original === null ? texts.groups.create : texts.groups.edit}
        </Button>
      </div>
    </form>
  );
}
