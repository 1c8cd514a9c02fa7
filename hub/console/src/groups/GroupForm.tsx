// Creates or changes a device group: name, description and membership.
import type {
  DeviceGroup,
  DeviceGroupAnswer,
} from '@gatewarden/shared/wire/console/device-groups.ts';
import { Button, Radio, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useReload, useTenantCreation, useTenantRead, useTenantWrite } from '../api/tenant.ts';
import { EditConflict } from '../concurrent-edits/EditConflict.tsx';
import { useMergedForm } from '../concurrent-edits/use-merged-form.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import '../policies/policies.css';
import { Refusal } from '../ui/Refusal.tsx';
import { RuleFields } from './RuleFields.tsx';
import { type GroupValues, ruleOf, valuesOfGroup } from './rule-values.ts';

interface GroupDialogProps {
  /** Null for a new group. */
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
  const create = useTenantCreation();
  const reload = useReload();
  const [refusal, setRefusal] = useState<unknown>(null);
  const form = useForm<GroupValues>({
    initialValues: valuesOfGroup(group),
    validate: {
      name: (name) => (name.trim() === '' ? texts.groups.nameNeeded : null),
      conditions: (_, values) =>
        ruleOf(values) === 'incomplete' ? texts.groups.valuesNeeded : null,
    },
  });
  const read = useTenantRead();
  // The page may load a newer version; the form is based on the version that the user opened.
  const meanwhile = useMergedForm<DeviceGroup, GroupValues>(group, {
    read: async ({ group_id: id }) => (await read<DeviceGroupAnswer>(`/device-groups/${id}`)).group,
    valuesOf: valuesOfGroup,
    values: form.getValues,
    setValues: form.setValues,
  });
  const original = meanwhile.standing;
  const rule = ruleOf(form.values);
  const submit = async (values: GroupValues) => {
    setRefusal(null);
    meanwhile.forget();
    const body = { name: values.name, description: values.description, rule: ruleOf(values) };
    try {
      const answer = await (original === null
        ? create<DeviceGroupAnswer>('/device-groups', {
            body,
            as: 'group',
            among: { query: values.name.trim() },
          })
        : write<DeviceGroupAnswer>('PATCH', `/device-groups/${original.group_id}`, {
            body,
            ifMatch: original.version,
          }));
      notifications.show({ color: 'teal', message: texts.groups.stored });
      reload('device-groups');
      onStored?.(answer.group);
      onClose();
    } catch (error) {
      if (!(await meanwhile.refused(error))) setRefusal(error);
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
      <Radio.Group
        label={texts.groups.membership}
        value={form.values.membership}
        onChange={(value) => {
          form.setFieldValue('membership', value === 'rule' ? 'rule' : 'hand');
        }}
      >
        <div className="gw-radios" data-column="">
          <Radio value="hand" label={texts.groups.byHand} />
          <Radio value="rule" label={texts.groups.byRule} description={texts.groups.byRuleHint} />
        </div>
      </Radio.Group>
      {form.values.membership === 'rule' ? (
        <RuleFields
          conditions={form.values.conditions}
          onChange={(conditions) => {
            form.setFieldValue('conditions', conditions);
          }}
          rule={rule === 'incomplete' ? null : rule}
          error={typeof form.errors.conditions === 'string' ? form.errors.conditions : null}
        />
      ) : null}
      <EditConflict both={meanwhile.both} labelOf={([field = '']) => LABELS[field] ?? field} />
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

const LABELS: Record<string, string> = {
  name: texts.groups.name,
  description: texts.groups.description,
  membership: texts.groups.membership,
  conditions: texts.groups.byRule,
};
