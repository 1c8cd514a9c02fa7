// The form of an access rule: its effect, server, tools and subject.
import type { Backend } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import type { PeopleGroup } from '@gatewarden/shared/wire/console/people-groups.ts';
import { Button, NativeSelect, Radio, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useSentOnce } from '../api/idempotency.ts';
import { withoutUnknown } from '../api/older-hub.ts';
import { oneOf } from '../api/query-string.ts';
import { useAllOf, useReload, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { visible } from '../ui/visible.ts';

const words = texts.mcp.rules;
const EFFECTS = ['allow', 'deny'] as const;
const SUBJECTS = ['everybody', 'group', 'person'] as const;

interface Values {
  effect: (typeof EFFECTS)[number];
  backend: string;
  tool: string;
  subject: (typeof SUBJECTS)[number];
  group: string;
  person: string;
  reason: string;
}

export function NewRule({ backendId, onClose }: { backendId: string | null; onClose: () => void }) {
  return (
    <Dialog title={words.newTitle} onClosed={onClose}>
      {(close) => <RuleForm backendId={backendId} onClose={close} />}
    </Dialog>
  );
}

function RuleForm({ backendId, onClose }: { backendId: string | null; onClose: () => void }) {
  const write = useTenantWrite();
  const reload = useReload();
  const backends = useAllOf<Backend>('mcp', '/mcp/backends');
  const groups = useAllOf<PeopleGroup>('mcp', '/people-groups');
  const once = useSentOnce();
  const [refusal, setRefusal] = useState<unknown>(null);
  const form = useForm<Values>({
    initialValues: {
      effect: 'allow',
      backend: backendId ?? '',
      tool: '',
      subject: 'group',
      group: '',
      person: '',
      reason: '',
    },
    validate: {
      group: (group, { subject }) =>
        subject === 'group' && group === '' ? words.groupNeeded : null,
      person: (person, { subject }) =>
        subject === 'person' && !/^[^\s@]+@[^\s@]+$/.test(person.trim())
          ? texts.mcp.access.personNeeded
          : null,
    },
  });
  const submit = async (values: Values) => {
    setRefusal(null);
    try {
      const body = toRuleInput(values);
      await once<unknown>(
        body,
        (id) =>
          withoutUnknown('rule_id', { ...body, rule_id: id }, (sent) =>
            write('POST', '/mcp/rules', { body: sent }),
          ),
        () => Promise.resolve(),
      );
      notifications.show({ color: 'teal', message: words.created });
      reload('mcp');
      onClose();
    } catch (error) {
      setRefusal(error);
    }
  };
  const { subject } = form.values;
  return (
    <form className="gw-form" noValidate onSubmit={form.onSubmit(submit)}>
      <Radio.Group
        label={words.effect}
        value={form.values.effect}
        onChange={(value) => form.setFieldValue('effect', oneOf(EFFECTS, value) ?? 'allow')}
      >
        <div className="gw-radios">
          {EFFECTS.map((item) => (
            <Radio key={item} value={item} label={words.effects[item]} />
          ))}
        </div>
      </Radio.Group>
      <NativeSelect
        label={words.subject}
        data={SUBJECTS.map((value) => ({ value, label: words.subjects[value] }))}
        {...form.getInputProps('subject')}
      />
      {subject === 'group' ? (
        <NativeSelect
          label={words.group}
          required
          data={[
            { value: '', label: texts.ui.none },
            ...groups.map((item) => ({ value: item.people_group_id, label: visible(item.name) })),
          ]}
          {...form.getInputProps('group')}
        />
      ) : null}
      {subject === 'person' ? (
        <TextInput
          label={words.person}
          required
          maxLength={320}
          autoComplete="off"
          {...form.getInputProps('person')}
        />
      ) : null}
      <NativeSelect
        label={words.target}
        data={[
          { value: '', label: words.allServers },
          ...backends.map((item) => ({ value: item.id, label: visible(item.name) })),
        ]}
        {...form.getInputProps('backend')}
      />
      <TextInput
        label={words.tool}
        description={words.toolHint}
        maxLength={200}
        spellCheck={false}
        {...form.getInputProps('tool')}
      />
      <TextInput
        label={words.reason}
        description={words.reasonHint}
        maxLength={500}
        {...form.getInputProps('reason')}
      />
      {refusal === null ? null : <ErrorPanel error={refusal} title={texts.errors.notSaved} />}
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {words.create}
        </Button>
      </div>
    </form>
  );
}

const trimToNull = (text: string) => (text.trim() === '' ? null : text.trim());

const toRuleInput = (values: Values) => ({
  effect: values.effect,
  backend_id: trimToNull(values.backend),
  tool: trimToNull(values.tool),
  reason: trimToNull(values.reason),
  subject:
    values.subject === 'group'
      ? { kind: 'group', group_id: values.group }
      : values.subject === 'person'
        ? { kind: 'person', email: values.person.trim() }
        : { kind: 'everybody' },
});
