// Adds or changes a provider: what its type and way of signing in need, its models and their prices.
import { modesOf } from '@gatewarden/shared/provider-types.ts';
import {
  PROVIDER_TYPES,
  type Provider,
  type SettingName,
} from '@gatewarden/shared/wire/management/providers.ts';
import { Button, NativeSelect, PasswordInput, Switch, TagsInput, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useIdempotencyKey } from '../api/idempotency.ts';
import { oneOf } from '../api/query-string.ts';
import { useTenantRead, useTenantWrite } from '../api/tenant.ts';
import { EditConflict } from '../concurrent-edits/EditConflict.tsx';
import { useMergedForm } from '../concurrent-edits/use-merged-form.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { said } from '../ui/visible.ts';
import { useAfterGateway } from './after-gateway.ts';
import {
  askedSettings,
  EMPTY_PROVIDER,
  inputOfProvider,
  isNumeric,
  type ProviderValues,
  patchOfProvider,
  valuesOfProvider,
  withoutSecret,
} from './provider-values.ts';
import { labelOf } from './schema-fields.ts';
import { gatewayTexts } from './texts.ts';
import { isOfUnnamedVendor, providerTypeLabel } from './vendors.ts';

const t = gatewayTexts.providers;

interface ProviderDialogProps {
  /** Null for a new one. */
  provider: Provider | null;
  onClosed: () => void;
}

export function ProviderDialog({ provider, onClosed }: ProviderDialogProps) {
  const [values, setValues] = useState<ProviderValues>(() =>
    provider === null ? EMPTY_PROVIDER : valuesOfProvider(provider),
  );
  const write = useTenantWrite();
  const afterGateway = useAfterGateway();
  const idempotency = useIdempotencyKey();
  const read = useTenantRead();
  const meanwhile = useMergedForm<Provider, ProviderValues>(provider, {
    read: async (item) => (await read<{ provider: Provider }>(providerPath(item))).provider,
    valuesOf: valuesOfProvider,
    values: () => values,
    setValues,
    withoutSecret,
  });
  const { standing } = meanwhile;
  const store = useMutation({
    mutationFn: () =>
      standing === null
        ? write('POST', '/gateway/providers', {
            body: inputOfProvider(values),
            idempotencyKey: idempotency.key,
          })
        : write('PATCH', providerPath(standing), {
            body: patchOfProvider(values, standing),
            ifMatch: standing.version,
          }),
    onSuccess: () => notifications.show({ color: 'teal', message: t.stored }),
    onMutate: meanwhile.forget,
    onError: async (error) => {
      idempotency.failed(error);
      await meanwhile.refused(error);
    },
    onSettled: () => afterGateway(),
  });
  const change = (part: Partial<ProviderValues>) => setValues((former) => ({ ...former, ...part }));
  return (
    <Dialog wide title={provider?.label ?? t.new} onClosed={onClosed}>
      {(close) => (
        <form
          className="gw-form"
          onSubmit={(event) => {
            event.preventDefault();
            store.mutate(undefined, { onSuccess: close });
          }}
        >
          {provider === null ? <Identity values={values} change={change} /> : null}
          <p className="gw-flat gw-small gw-dimmed" data-testid="provider-type">
            {provider === null ? null : `${providerTypeLabel(values.type)} · `}
            {t.wireType} <code className="gw-mono">{values.type}</code>
          </p>
          <Settings values={values} change={change} isNew={provider === null} />
          <TagsInput
            label={t.models}
            description={`${t.modelsHint} ${gatewayTexts.settings.add}.`}
            value={values.models}
            onChange={(models) => change({ models })}
          />
          <Costs values={values} change={change} />
          <Switch
            label={gatewayTexts.apps.states.true}
            checked={values.enabled}
            onChange={(event) => change({ enabled: event.currentTarget.checked })}
          />
          <EditConflict
            both={meanwhile.both}
            address={meanwhile.address}
            labelOf={([field = '', name]) => labelOf(name ?? field)}
          />
          {store.error === null || meanwhile.both !== null ? null : (
            <ErrorPanel error={store.error} title={texts.errors.notSaved} />
          )}
          <div className="gw-form-end">
            <Button variant="default" onClick={close}>
              {texts.ui.cancel}
            </Button>
            <Button type="submit" loading={store.isPending}>
              {provider === null ? t.create : t.store}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

/** The types of named vendors, then of the vendors that nobody has named, by name. */
function typeOptions() {
  const options = PROVIDER_TYPES.map((value) => ({ value, label: providerTypeLabel(value) }));
  options.sort((a, b) => a.label.localeCompare(b.label));
  const { named = [], unnamed = [] } = Object.groupBy(options, ({ value }) =>
    isOfUnnamedVendor(value) ? 'unnamed' : 'named',
  );
  return unnamed.length === 0 ? named : [...named, { group: t.otherVendors, items: unnamed }];
}

const providerPath = ({ label }: Provider) => `/gateway/providers/${encodeURIComponent(label)}`;

interface PartProps {
  values: ProviderValues;
  change: (part: Partial<ProviderValues>) => void;
}

function Identity({ values, change }: PartProps) {
  return (
    <>
      <TextInput
        label={t.label}
        description={t.labelHint}
        required
        data-autofocus
        maxLength={200}
        value={values.label}
        onChange={(event) => change({ label: event.currentTarget.value })}
      />
      <NativeSelect
        label={t.type}
        data={typeOptions()}
        value={values.type}
        onChange={(event) => {
          const type = oneOf(PROVIDER_TYPES, event.currentTarget.value);
          if (type !== undefined) change({ type, settings: {} });
        }}
      />
    </>
  );
}

function Settings({ values, change, isNew }: PartProps & { isNew: boolean }) {
  const { type, settings } = values;
  const { chosenBy, modes } = modesOf(type);
  const set = (name: SettingName, value: string) =>
    change({ settings: { ...settings, [name]: value } });
  return (
    <div className="gw-settings-grid">
      {modes.length > 1 ? (
        <NativeSelect
          className="gw-settings-wide"
          label={labelOf(chosenBy)}
          data={modes.map((value) => ({ value, label: labelOf(value) }))}
          value={settings[chosenBy] ?? modes[0] ?? ''}
          onChange={(event) => set(chosenBy, event.currentTarget.value)}
        />
      ) : null}
      {askedSettings(type, settings).map(({ name, isSecret, isRequired }) => {
        const common = {
          label: labelOf(name),
          value: settings[name] ?? '',
          required: isRequired && isNew,
          description: isSecret && !isNew ? t.keep : undefined,
          autoComplete: 'off',
          spellCheck: false,
          onChange: (event: { currentTarget: { value: string } }) =>
            set(name, event.currentTarget.value),
        };
        return isSecret ? (
          <PasswordInput key={name} {...common} />
        ) : (
          <TextInput key={name} {...common} inputMode={isNumeric(name) ? 'numeric' : 'text'} />
        );
      })}
    </div>
  );
}

function Costs({ values, change }: PartProps) {
  const priced = [...new Set([...values.models, ...Object.keys(values.costs)])];
  if (priced.length === 0) return null;
  const empty = { input: '', output: '', cache: '' };
  return (
    <fieldset className="gw-field-group">
      <legend>{t.costs}</legend>
      <p className="gw-flat gw-dimmed gw-small">{t.costsHint}</p>
      {priced.map((model) => (
        <div key={model} className="gw-settings-grid">
          {(['input', 'output', 'cache'] as const).map((part) => (
            <TextInput
              key={part}
              label={said`${model}: ${t[part]}`}
              inputMode="decimal"
              value={values.costs[model]?.[part] ?? ''}
              onChange={(event) =>
                change({
                  costs: {
                    ...values.costs,
                    [model]: {
                      ...(values.costs[model] ?? empty),
                      [part]: event.currentTarget.value.replace(',', '.').replace(/[^0-9.]/g, ''),
                    },
                  },
                })
              }
            />
          ))}
        </div>
      ))}
    </fieldset>
  );
}
