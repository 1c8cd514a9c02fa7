// User groups for the rules of the gateway. Administrators create, change and delete them.
import type {
  PeopleGroup,
  PeopleGroupAnswer,
} from '@gatewarden/shared/wire/console/people-groups.ts';
import { GROUP_ROLES } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import {
  useList,
  useMayAdminister,
  useReload,
  useResource,
  useTenantCreation,
  useTenantRead,
  useTenantWrite,
} from '../api/tenant.ts';
import { EditConflict } from '../concurrent-edits/EditConflict.tsx';
import { useMergedForm } from '../concurrent-edits/use-merged-form.ts';
import { texts } from '../texts.ts';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { Refusal } from '../ui/Refusal.tsx';
import { Time } from '../ui/Time.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import { splitLines } from './server-values.ts';

const words = texts.mcp.groups;

export function PeopleGroupsPage() {
  const mayAdminister = useMayAdminister();
  const [isNew, setNew] = useState(false);
  const list = useList<PeopleGroup>('mcp', '/people-groups');
  return (
    <Page title={words.title} lead={words.lead}>
      {mayAdminister ? (
        <div className="gw-filters">
          <Button onClick={() => setNew(true)}>{words.new}</Button>
        </div>
      ) : null}
      <ListView
        list={list}
        caption={words.title}
        columns={mayAdminister ? [...COLUMNS, ACTIONS] : COLUMNS}
        rowKey={(row) => row.people_group_id}
        rowTestId="people-group-row"
        empty={<Empty title={words.empty} text={words.emptyText} />}
      />
      {isNew ? (
        <Dialog title={words.newTitle} onClosed={() => setNew(false)}>
          {(close) => <GroupForm original={null} onClose={close} />}
        </Dialog>
      ) : null}
    </Page>
  );
}

const COLUMNS: readonly Column<PeopleGroup>[] = [
  {
    key: 'name',
    weight: 2,
    header: words.name,
    render: (row) => (
      <div>
        <Name value={row.name} clamp />
        {row.description === '' ? null : (
          <div className="gw-dimmed gw-small">
            <Name value={row.description} clamp />
          </div>
        )}
      </div>
    ),
  },
  { key: 'role', weight: 0.8, header: words.role, render: (row) => row.role ?? '' },
  { key: 'count', header: words.count, render: (row) => row.member_count.toLocaleString('en-GB') },
  { key: 'changed', header: words.changed, render: (row) => <Time at={row.updated_at} /> },
];

const ACTIONS: Column<PeopleGroup> = {
  key: 'actions',
  header: texts.ui.actions,
  hiddenHeader: true,
  align: 'end',
  render: (row) => <GroupActions group={row} />,
};

function GroupActions({ group }: { group: PeopleGroup }) {
  const write = useTenantWrite();
  const reload = useReload();
  const [isEditing, setEditing] = useState(false);
  const at = `/people-groups/${group.people_group_id}`;
  const close = () => {
    setEditing(false);
  };
  return (
    <div className="gw-row-actions">
      <Button
        size="xs"
        variant="default"
        aria-label={words.editNamed(group.name)}
        onClick={() => setEditing(true)}
      >
        {words.edit}
      </Button>
      <ConfirmButton
        label={words.deleteNamed(group.name)}
        title={words.deleteTitle}
        name={group.name}
        text={words.deleteText}
        action={words.delete}
        done={words.deleted}
        run={() => write('DELETE', at, { ifMatch: group.version })}
        onDone={() => reload('mcp')}
      />
      {isEditing ? (
        <Dialog title={words.editTitle} onClosed={close}>
          {(done) => <EditGroup group={group} onClose={done} />}
        </Dialog>
      ) : null}
    </div>
  );
}

/** Loads the group first, because the list does not contain the members. */
function EditGroup({ group, onClose }: { group: PeopleGroup; onClose: () => void }) {
  const answer = useResource<PeopleGroupAnswer>('mcp', `/people-groups/${group.people_group_id}`);
  const [kept, setKept] = useState<PeopleGroup | null>(null);
  // The form keeps the group that it was opened with.
  if (kept === null && answer.data !== undefined) setKept(answer.data.group);
  return kept === null ? (
    <Waiting answer={answer} />
  ) : (
    <GroupForm original={kept} onClose={onClose} />
  );
}

interface Values {
  name: string;
  description: string;
  members: string;
  /** Empty without a role. */
  role: string;
}

const toGroupValues = (group: PeopleGroup | null): Values => ({
  name: group?.name ?? '',
  description: group?.description ?? '',
  members: (group?.members ?? []).join('\n'),
  role: group?.role ?? '',
});

const LABELS: Record<string, string> = {
  name: words.name,
  description: words.description,
  members: words.members,
  role: words.role,
};

function GroupForm({ original, onClose }: { original: PeopleGroup | null; onClose: () => void }) {
  const read = useTenantRead();
  const write = useTenantWrite();
  const create = useTenantCreation();
  const reload = useReload();
  const [refusal, setRefusal] = useState<unknown>(null);
  const form = useForm<Values>({
    initialValues: toGroupValues(original),
    validate: {
      name: (name) => (name.trim() === '' ? words.nameNeeded : null),
      members: (members) => {
        const bad = splitLines(members).find((line) => !/^[^\s@<>"]+@[^\s@<>"]+$/.test(line));
        return bad === undefined ? null : words.badMember(bad);
      },
    },
  });
  const meanwhile = useMergedForm<PeopleGroup, Values>(original, {
    read: async ({ people_group_id: id }) =>
      (await read<PeopleGroupAnswer>(`/people-groups/${id}`)).group,
    valuesOf: toGroupValues,
    values: form.getValues,
    setValues: form.setValues,
  });
  const { standing } = meanwhile;
  const submit = async (values: Values) => {
    setRefusal(null);
    meanwhile.forget();
    const body = {
      ...values,
      members: splitLines(values.members),
      role: values.role === '' ? null : values.role,
    };
    try {
      await (standing === null
        ? create<PeopleGroupAnswer>('/people-groups', {
            body,
            as: 'group',
            wholeAt: (row) =>
              row.name === values.name.trim() ? `/people-groups/${row.people_group_id}` : null,
          })
        : write('PATCH', `/people-groups/${standing.people_group_id}`, {
            body,
            ifMatch: standing.version,
          }));
      notifications.show({ color: 'teal', message: words.stored });
      reload('mcp');
      onClose();
    } catch (error) {
      if (!(await meanwhile.refused(error))) setRefusal(error);
    }
  };
  return (
    <form className="gw-form" noValidate onSubmit={form.onSubmit(submit)}>
      <TextInput
        label={words.name}
        maxLength={200}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label={words.description}
        maxLength={2000}
        {...form.getInputProps('description')}
      />
      <Textarea
        label={words.members}
        description={words.membersHint}
        autosize
        minRows={4}
        maxRows={16}
        spellCheck={false}
        {...form.getInputProps('members')}
      />
      <NativeSelect
        label={words.role}
        description={words.roleHint}
        data={[{ value: '', label: words.noRole }, ...GROUP_ROLES]}
        {...form.getInputProps('role')}
      />
      <EditConflict both={meanwhile.both} labelOf={([field = '']) => LABELS[field] ?? field} />
      <Refusal error={refusal} conflict={texts.ui.changedMeanwhile} />
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {original === null ? words.create : words.store}
        </Button>
      </div>
    </form>
  );
}
