// Makes an app: its name, mode and providers, and the first key that comes with it.
import { APP_MODES, type AppMode } from '@gatewarden/shared/wire/management/app-config.ts';
import type { AppKeyIssued } from '@gatewarden/shared/wire/management/keys.ts';
import type { Provider } from '@gatewarden/shared/wire/management/providers.ts';
import { Button, MultiSelect, NativeSelect, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useIdempotencyKey } from '../api/idempotency.ts';
import { oneOf } from '../api/query-string.ts';
import { useAllOf, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { SecretBox } from '../ui/SecretBox.tsx';
import { visible } from '../ui/visible.ts';
import { useAfterGateway } from './after-gateway.ts';
import { gatewayTexts } from './texts.ts';
import type { AppWritten } from './wire.ts';

const t = gatewayTexts.apps;

interface Values {
  name: string;
  mode: AppMode;
  providers: string[];
  tags: string[];
  key: string;
}

export function NewApp({ onClosed }: { onClosed: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Dialog title={t.new} onClosed={onClosed}>
      {(close) =>
        secret === null ? (
          <NewAppForm onMade={setSecret} onCancel={close} />
        ) : (
          <SecretBox
            label={gatewayTexts.keys.secret}
            hint={gatewayTexts.keys.secretHint}
            note={t.keyOnce}
            secret={secret}
            onDone={close}
          />
        )
      }
    </Dialog>
  );
}

interface FormProps {
  onMade: (secret: string) => void;
  onCancel: () => void;
}

function NewAppForm({ onMade, onCancel }: FormProps) {
  const write = useTenantWrite();
  const afterGateway = useAfterGateway();
  const providers = useAllOf<Provider>('gateway', '/gateway/providers');
  const [refusal, setRefusal] = useState<unknown>(null);
  const idempotency = useIdempotencyKey();
  const form = useForm<Values>({
    initialValues: { name: '', mode: 'gateway', providers: [], tags: [], key: 'Default' },
    validate: {
      name: (name) => (name.trim() === '' ? t.needName : null),
      providers: (chosen, { mode }) =>
        mode === 'gateway' && chosen.length === 0 ? t.needProvider : null,
      key: (key) => (key.trim() === '' ? gatewayTexts.keys.needName : null),
    },
  });
  const submit = async (values: Values) => {
    setRefusal(null);
    try {
      const made = await write<AppWritten & { key: AppKeyIssued }>('POST', '/gateway/apps', {
        idempotencyKey: idempotency.key,
        body: {
          name: values.name,
          mode: values.mode,
          tags: values.tags,
          initial_key: { name: values.key },
          ...(values.mode === 'gateway' ? { provider_labels: values.providers } : {}),
        },
      });
      void afterGateway();
      onMade(made.key.secret);
    } catch (error) {
      idempotency.failed(error);
      setRefusal(error);
    }
  };
  return (
    <form className="gw-form" noValidate onSubmit={form.onSubmit(submit)}>
      <TextInput
        label={t.name}
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <NativeSelect
        label={t.mode}
        data={APP_MODES.map((value) => ({ value, label: t.modes[value] }))}
        {...form.getInputProps('mode')}
        onChange={(event) => {
          const mode = oneOf(APP_MODES, event.currentTarget.value);
          if (mode !== undefined) form.setFieldValue('mode', mode);
        }}
      />
      {form.values.mode === 'gateway' ? (
        <MultiSelect
          label={t.providers}
          required
          searchable
          data={providers.map((item) => ({ value: item.label, label: visible(item.label) }))}
          {...form.getInputProps('providers')}
        />
      ) : null}
      <TagsInput
        label={t.tags}
        description={gatewayTexts.settings.add}
        {...form.getInputProps('tags')}
      />
      <TextInput
        label={t.firstKey}
        description={t.firstKeyHint}
        required
        maxLength={120}
        {...form.getInputProps('key')}
      />
      {refusal === null ? null : <ErrorPanel error={refusal} title={texts.errors.notSaved} />}
      <div className="gw-form-end">
        <Button variant="default" onClick={onCancel}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {t.create}
        </Button>
      </div>
    </form>
  );
}
