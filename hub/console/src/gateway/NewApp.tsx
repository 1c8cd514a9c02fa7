// Creates an app with its providers, a new provider if needed, and the first key; then shows how to call the app.
import { APP_MODES, type AppMode } from '@gatewarden/shared/wire/management/app-config.ts';
import type { AppKeyIssued } from '@gatewarden/shared/wire/management/keys.ts';
import type { Provider } from '@gatewarden/shared/wire/management/providers.ts';
import {
  Button,
  Input,
  MultiSelect,
  NativeSelect,
  SegmentedControl,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { useIdempotencyKey } from '../api/idempotency.ts';
import { oneOf } from '../api/query-string.ts';
import { useAllOf, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { SecretBox } from '../ui/SecretBox.tsx';
import { visible } from '../ui/visible.ts';
import { ConnectApp } from './ConnectApp.tsx';
import { ProviderIdentity, ProviderModels, ProviderSettingFields } from './ProviderFields.tsx';
import { EMPTY_PROVIDER, type ProviderValues, toProviderInput } from './provider-values.ts';
import { useReloadGateway } from './reload-gateway.ts';
import { gatewayTexts } from './texts.ts';
import { providerTypeLabel } from './vendors.ts';
import type { AppWritten } from './wire.ts';

const t = gatewayTexts.apps;

interface Values {
  name: string;
  mode: AppMode;
  providers: string[];
  tags: string[];
  key: string;
}

type CreatedApp = AppWritten & { key: AppKeyIssued };

export function NewApp({ onClosed }: { onClosed: () => void }) {
  const [created, setCreated] = useState<CreatedApp | null>(null);
  return (
    <Dialog wide title={t.new} onClosed={onClosed}>
      {(close) =>
        created === null ? (
          <NewAppForm onCreated={setCreated} onCancel={close} />
        ) : (
          <SecretBox
            label={gatewayTexts.keys.secret}
            hint={gatewayTexts.keys.secretHint}
            note={t.keyOnce}
            secret={created.key.secret}
            onDone={close}
          >
            {created.app.mode === 'gateway' ? (
              <ConnectApp
                providerLabels={created.app.provider_labels}
                appKey={created.key.secret}
              />
            ) : null}
          </SecretBox>
        )
      }
    </Dialog>
  );
}

interface FormProps {
  onCreated: (app: CreatedApp) => void;
  onCancel: () => void;
}

const PROVIDER_SOURCES = ['existing', 'new'] as const;
type ProviderSource = (typeof PROVIDER_SOURCES)[number];

function NewAppForm({ onCreated, onCancel }: FormProps) {
  const write = useTenantWrite();
  const reloadGateway = useReloadGateway();
  const existing = useAllOf<Provider>('gateway', '/gateway/providers');
  const [chosenSource, setSource] = useState<ProviderSource | null>(null);
  const source = chosenSource ?? (existing.length === 0 ? 'new' : 'existing');
  const [provider, setProvider] = useState<ProviderValues>(EMPTY_PROVIDER);
  const [refusal, setRefusal] = useState<unknown>(null);
  const ofProvider = useIdempotencyKey();
  const ofApp = useIdempotencyKey();
  const form = useForm<Values>({
    initialValues: { name: '', mode: 'gateway', providers: [], tags: [], key: 'Default' },
    validate: {
      name: (name) => (name.trim() === '' ? t.needName : null),
      providers: (chosen, { mode }) =>
        mode === 'gateway' && source === 'existing' && chosen.length === 0 ? t.needProvider : null,
      key: (key) => (key.trim() === '' ? gatewayTexts.keys.needName : null),
    },
  });
  /** An added provider stays chosen, so that a second attempt only creates the app. */
  const addProvider = async (): Promise<string[]> => {
    const label = provider.label.trim() || providerTypeLabel(provider.type);
    const body = toProviderInput({ ...provider, label });
    await write('POST', '/gateway/providers', { idempotencyKey: ofProvider.key, body });
    setSource('existing');
    form.setFieldValue('providers', [label]);
    return [label];
  };
  const submit = async (values: Values) => {
    setRefusal(null);
    const isGateway = values.mode === 'gateway';
    try {
      const labels = isGateway && source === 'new' ? await addProvider() : values.providers;
      const created = await write<CreatedApp>('POST', '/gateway/apps', {
        idempotencyKey: ofApp.key,
        body: {
          name: values.name,
          mode: values.mode,
          tags: values.tags,
          initial_key: { name: values.key },
          ...(isGateway ? { provider_labels: labels } : {}),
        },
      });
      onCreated(created);
    } catch (error) {
      ofProvider.failed(error);
      ofApp.failed(error);
      setRefusal(error);
    } finally {
      void reloadGateway();
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
      {form.values.mode === 'gateway' ? (
        <>
          {existing.length === 0 ? null : (
            <Input.Wrapper label={t.provider}>
              <div>
                <SegmentedControl
                  aria-label={t.provider}
                  value={source}
                  data={PROVIDER_SOURCES.map((value) => ({
                    value,
                    label: t.providerSources[value],
                  }))}
                  onChange={(value) => setSource(oneOf(PROVIDER_SOURCES, value) ?? null)}
                />
              </div>
            </Input.Wrapper>
          )}
          {source === 'new' ? (
            <NewProvider values={provider} setValues={setProvider} />
          ) : (
            <ExistingProviders form={form} existing={existing} />
          )}
        </>
      ) : null}
      <MoreOptions form={form} />
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

interface NewProviderProps {
  values: ProviderValues;
  setValues: (change: (before: ProviderValues) => ProviderValues) => void;
}

function NewProvider({ values, setValues }: NewProviderProps) {
  const change = (part: Partial<ProviderValues>) => setValues((before) => ({ ...before, ...part }));
  return (
    <fieldset className="gw-field-group">
      <legend>{gatewayTexts.providers.new}</legend>
      <ProviderIdentity
        values={values}
        change={change}
        placeholder={providerTypeLabel(values.type)}
      />
      <ProviderSettingFields values={values} change={change} isNew />
      <ProviderModels values={values} change={change} />
    </fieldset>
  );
}

interface ExistingProps {
  form: UseFormReturnType<Values>;
  existing: readonly Provider[];
}

function ExistingProviders({ form, existing }: ExistingProps) {
  const chosen = existing.filter(({ label }) => form.values.providers.includes(label));
  const models = [...new Set(chosen.flatMap(({ selected_models }) => selected_models))];
  return (
    <>
      <MultiSelect
        label={t.providers}
        required
        searchable
        data={existing.map((item) => ({ value: item.label, label: visible(item.label) }))}
        {...form.getInputProps('providers')}
      />
      {chosen.length === 0 ? null : (
        <p className="gw-flat gw-small gw-dimmed">
          {t.providerModels(
            models.length === 0 ? gatewayTexts.providers.anyModel : models.join(', '),
          )}
        </p>
      )}
    </>
  );
}

function MoreOptions({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <details className="gw-more" open={form.errors.key !== undefined || undefined}>
      <summary>{t.more}</summary>
      <div className="gw-form">
        <NativeSelect
          label={t.mode}
          data={APP_MODES.map((value) => ({ value, label: t.modes[value] }))}
          {...form.getInputProps('mode')}
          onChange={(event) => {
            const mode = oneOf(APP_MODES, event.currentTarget.value);
            if (mode !== undefined) form.setFieldValue('mode', mode);
          }}
        />
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
      </div>
    </details>
  );
}
