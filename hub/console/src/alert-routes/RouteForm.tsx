// The form of a route: how it reaches people, where, and for which alerts.
import type { AlertRoute, AlertRouteAnswer } from '@gatewarden/shared/wire/console/alert-routes.ts';
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
import { ROUTE_KINDS } from './kinds.ts';
import {
  EMPTY_ROUTE,
  FORMAT_CHOICES,
  isPagerDuty,
  type RouteValues,
  routeErrors,
  USUAL_DIGEST,
  valuesOf,
} from './route-values.ts';
import '../decisions/decisions.css';

interface RouteFormProps {
  /** The route that is changed; null for a new one. */
  original: AlertRoute | null;
  submitText: string;
  /** `standing`: what this is a change of, as it stands as far as the person knows. */
  save: (values: RouteValues, standing: AlertRoute | null) => Promise<void>;
  onCancel: () => void;
}

export function RouteForm({ original, submitText, save, onCancel }: RouteFormProps) {
  const form = useForm<RouteValues>({
    initialValues: original === null ? EMPTY_ROUTE : valuesOf(original),
    validate: (values) => routeErrors(values, original),
  });
  const read = useTenantRead();
  // The page behind may show a newer version; the form keeps the version that the user opened.
  const meanwhile = useMergedForm<AlertRoute, RouteValues>(original, {
    read: async ({ route_id: id }) => (await read<AlertRouteAnswer>(`/alert-routes/${id}`)).route,
    valuesOf,
    values: form.getValues,
    setValues: form.setValues,
  });
  const [refusal, setRefusal] = useState<unknown>(null);
  const submit = async (values: RouteValues) => {
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
      {original === null ? (
        <Radio.Group
          label={texts.routes.kind}
          {...form.getInputProps('kind')}
          onChange={(value) => {
            const chosen = oneOf(ROUTE_KINDS, value) ?? kind;
            // Until somebody says otherwise, each kind does what is usual for it.
            const isUsual = form.values.digest === USUAL_DIGEST[kind];
            form.setFieldValue('kind', chosen);
            if (isUsual) form.setFieldValue('digest', USUAL_DIGEST[chosen]);
          }}
        >
          <div className="gw-radios" data-column="">
            {ROUTE_KINDS.map((item) => (
              <Radio
                key={item}
                value={item}
                label={texts.routes.kinds[item]}
                description={texts.routes.kindHints[item]}
              />
            ))}
          </div>
        </Radio.Group>
      ) : null}
      <TextInput
        label={texts.routes.name}
        description={texts.routes.nameHint}
        maxLength={120}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      {kind === 'email' ? (
        <Textarea
          label={texts.routes.to}
          description={texts.routes.toHint}
          autosize
          minRows={2}
          required
          {...form.getInputProps('to')}
        />
      ) : (
        <TextInput
          label={texts.routes.url}
          description={original === null ? texts.routes.urlHint : texts.routes.urlKeep}
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
        label={texts.routes.severity}
        data={SEVERITIES.map((value) => ({ value, label: texts.routes.severities[value] }))}
        {...form.getInputProps('severity')}
      />
      <GroupSelect
        label={texts.routes.group}
        description={texts.routes.groupHint}
        placeholder={texts.groups.findPlaceholder}
        noneLabel={texts.routes.allDevices}
        value={form.values.group}
        onChange={(groupId) => {
          form.setFieldValue('group', groupId);
        }}
      />
      <TextInput
        label={texts.routes.digest}
        description={texts.routes.digestHint}
        inputMode="numeric"
        maxLength={4}
        {...form.getInputProps('digest')}
      />
      <Checkbox
        label={texts.routes.requests}
        description={texts.routes.requestsHint}
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

/** The system that messages are formatted for, and the key that PagerDuty needs. */
function ChatFields({ form, isNew }: { form: UseFormReturnType<RouteValues>; isNew: boolean }) {
  return (
    <>
      <NativeSelect
        label={texts.routes.format}
        description={texts.routes.formatHint}
        data={FORMAT_CHOICES.map((value) => ({
          value,
          label: value === '' ? texts.routes.formatFromUrl : texts.routes.formats[value],
        }))}
        {...form.getInputProps('format')}
      />
      {isPagerDuty(form.values) ? (
        <TextInput
          label={texts.routes.routingKey}
          description={isNew ? texts.routes.routingKeyHint : texts.routes.routingKeyKeep}
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
  format: texts.routes.format,
  name: texts.routes.name,
  to: texts.routes.to,
  severity: texts.routes.severity,
  group: texts.routes.group,
  digest: texts.routes.digest,
  requests: texts.routes.requests,
};
