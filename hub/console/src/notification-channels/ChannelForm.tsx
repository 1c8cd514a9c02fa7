// The form of a notification channel: type, destination, and the alerts that it sends.
import type {
  NotificationChannel,
  NotificationChannelAnswer,
} from '@gatewarden/shared/wire/console/notification-channels.ts';
import { SEVERITIES } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, Checkbox, NativeSelect, Radio, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { oneOf } from '../api/query-string.ts';
import { useTenantRead } from '../api/tenant.ts';
import { EditConflict } from '../concurrent-edits/EditConflict.tsx';
import { useMergedForm } from '../concurrent-edits/use-merged-form.ts';
import { GroupSelect } from '../groups/GroupSelect.tsx';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import {
  type ChannelValues,
  DEFAULT_DIGEST,
  EMPTY_CHANNEL,
  FORMAT_CHOICES,
  isPagerDuty,
  toValues,
  validateChannel,
} from './channel-values.ts';
import { CHANNEL_KINDS } from './kinds.ts';
import '../policies/policies.css';

interface ChannelFormProps {
  /** The channel that is changed; null for a new one. */
  original: NotificationChannel | null;
  submitText: string;
  /** `latest`: the version that the values change, after an edit conflict; null for a new channel. */
  save: (values: ChannelValues, latest: NotificationChannel | null) => Promise<void>;
  onCancel: () => void;
}

export function ChannelForm({ original, submitText, save, onCancel }: ChannelFormProps) {
  const form = useForm<ChannelValues>({
    initialValues: original === null ? EMPTY_CHANNEL : toValues(original),
    validate: (values) => validateChannel(values, original),
  });
  const read = useTenantRead();
  // The page behind may show a newer version; the form keeps the version that the user opened.
  const meanwhile = useMergedForm<NotificationChannel, ChannelValues>(original, {
    read: async ({ route_id: id }) =>
      (await read<NotificationChannelAnswer>(`/alert-routes/${id}`)).route,
    valuesOf: toValues,
    values: form.getValues,
    setValues: form.setValues,
  });
  const [refusal, setRefusal] = useState<unknown>(null);
  const submit = async (values: ChannelValues) => {
    setRefusal(null);
    meanwhile.forget();
    try {
      await save(values, meanwhile.standing);
    } catch (error) {
      if (!(await meanwhile.refused(error))) setRefusal(error);
    }
  };
  const { kind } = form.values;
  return (
    <form className="gw-form" noValidate onSubmit={form.onSubmit(submit)}>
      {original === null ? <KindField form={form} /> : null}
      <TextInput
        label={texts.channels.name}
        description={texts.channels.nameHint}
        maxLength={120}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      {kind === 'email' ? (
        <Textarea
          label={texts.channels.to}
          description={texts.channels.toHint}
          autosize
          minRows={2}
          required
          {...form.getInputProps('to')}
        />
      ) : (
        <TextInput
          label={texts.channels.url}
          description={original === null ? texts.channels.urlHint : texts.channels.urlKeep}
          placeholder={original?.url_hint ?? 'https://'}
          maxLength={2048}
          autoComplete="off"
          spellCheck={false}
          required={original === null}
          {...form.getInputProps('url')}
        />
      )}
      {kind === 'chat' ? <ChatFields form={form} isNew={original === null} /> : null}
      <NativeSelect
        label={texts.channels.severity}
        data={SEVERITIES.map((value) => ({ value, label: texts.channels.severities[value] }))}
        {...form.getInputProps('severity')}
      />
      <GroupSelect
        label={texts.channels.group}
        description={texts.channels.groupHint}
        placeholder={texts.groups.findPlaceholder}
        noneLabel={texts.channels.allDevices}
        value={form.values.group}
        onChange={(groupId) => {
          form.setFieldValue('group', groupId);
        }}
      />
      <TextInput
        label={texts.channels.digest}
        description={texts.channels.digestHint}
        inputMode="numeric"
        maxLength={4}
        {...form.getInputProps('digest')}
      />
      <Checkbox
        label={texts.channels.requests}
        description={texts.channels.requestsHint}
        {...form.getInputProps('requests', { type: 'checkbox' })}
      />
      <EditConflict both={meanwhile.both} labelOf={([field = '']) => LABELS[field] ?? field} />
      {refusal === null ? null : <ErrorPanel error={refusal} title={texts.errors.notSaved} />}
      <div className="gw-form-end">
        <Button variant="default" onClick={onCancel}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {submitText}
        </Button>
      </div>
    </form>
  );
}

/** Selects the type of a new channel. */
function KindField({ form }: { form: UseFormReturnType<ChannelValues> }) {
  const { kind, digest } = form.values;
  return (
    <Radio.Group
      label={texts.channels.kind}
      {...form.getInputProps('kind')}
      onChange={(value) => {
        const chosen = oneOf(CHANNEL_KINDS, value) ?? kind;
        form.setFieldValue('kind', chosen);
        // A digest limit that the user did not change follows the default of the type.
        if (digest === DEFAULT_DIGEST[kind]) form.setFieldValue('digest', DEFAULT_DIGEST[chosen]);
      }}
    >
      <div className="gw-radios" data-column="">
        {CHANNEL_KINDS.map((item) => (
          <Radio
            key={item}
            value={item}
            label={texts.channels.kinds[item]}
            description={texts.channels.kindHints[item]}
          />
        ))}
      </div>
    </Radio.Group>
  );
}

/** The system that messages are formatted for, and the key that PagerDuty needs. */
function ChatFields({ form, isNew }: { form: UseFormReturnType<ChannelValues>; isNew: boolean }) {
  return (
    <>
      <NativeSelect
        label={texts.channels.format}
        description={texts.channels.formatHint}
        data={FORMAT_CHOICES.map((value) => ({
          value,
          label: value === '' ? texts.channels.formatFromUrl : texts.channels.formats[value],
        }))}
        {...form.getInputProps('format')}
      />
      {isPagerDuty(form.values) ? (
        <TextInput
          label={texts.channels.routingKey}
          description={isNew ? texts.channels.routingKeyHint : texts.channels.routingKeyKeep}
          maxLength={32}
          autoComplete="off"
          spellCheck={false}
          required={isNew}
          {...form.getInputProps('routingKey')}
        />
      ) : null}
    </>
  );
}

const LABELS: Record<string, string> = {
  format: texts.channels.format,
  name: texts.channels.name,
  to: texts.channels.to,
  severity: texts.channels.severity,
  group: texts.channels.group,
  digest: texts.channels.digest,
  requests: texts.channels.requests,
};
