// The fields of a provider, for the dialog that adds or changes it and for the dialog that creates an app.
import { modesOf } from '@gatewarden/shared/provider-types.ts';
import { PROVIDER_TYPES, type SettingName } from '@gatewarden/shared/wire/management/providers.ts';
import { NativeSelect, PasswordInput, TagsInput, TextInput } from '@mantine/core';
import { oneOf } from '../api/query-string.ts';
import { visibleText } from '../ui/visible.ts';
import { isNumeric, listFormSettings, type ProviderValues } from './provider-values.ts';
import { nameInWords } from './schema-fields.ts';
import { gatewayTexts } from './texts.ts';
import { isOfUnnamedVendor, providerTypeLabel } from './vendors.ts';

const t = gatewayTexts.providers;

/** The types of named vendors, then of unnamed vendors, by name. */
function typeOptions() {
  const options = PROVIDER_TYPES.map((value) => ({ value, label: providerTypeLabel(value) }));
  options.sort((a, b) => a.label.localeCompare(b.label));
  const { named = [], unnamed = [] } = Object.groupBy(options, ({ value }) =>
    isOfUnnamedVendor(value) ? 'unnamed' : 'named',
  );
  return unnamed.length === 0 ? named : [...named, { group: t.otherVendors, items: unnamed }];
}

interface PartProps {
  values: ProviderValues;
  change: (part: Partial<ProviderValues>) => void;
}

/** Label and type, which cannot change later. `placeholder` is the label of a provider without a typed label. */
export function ProviderIdentity({
  values,
  change,
  placeholder,
}: PartProps & { placeholder?: string }) {
  return (
    <>
      <TextInput
        label={t.label}
        description={t.labelHint}
        required={placeholder === undefined}
        data-autofocus={placeholder === undefined ? true : undefined}
        placeholder={placeholder}
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

/** The settings of the type and its authentication mode. */
export function ProviderSettingFields({ values, change, isNew }: PartProps & { isNew: boolean }) {
  const { type, settings } = values;
  const { chosenBy, modes } = modesOf(type);
  const set = (name: SettingName, value: string) =>
    change({ settings: { ...settings, [name]: value } });
  return (
    <div className="gw-settings-grid">
      {modes.length > 1 ? (
        <NativeSelect
          className="gw-settings-wide"
          label={nameInWords(chosenBy)}
          data={modes.map((value) => ({ value, label: nameInWords(value) }))}
          value={settings[chosenBy] ?? modes[0] ?? ''}
          onChange={(event) => set(chosenBy, event.currentTarget.value)}
        />
      ) : null}
      {listFormSettings(type, settings).map(({ name, isSecret, isRequired }) => {
        const common = {
          label: nameInWords(name),
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

/** The models that the provider offers. */
export function ProviderModels({ values, change }: PartProps) {
  return (
    <TagsInput
      label={t.models}
      description={`${t.modelsHint} ${gatewayTexts.settings.add}.`}
      value={values.models}
      onChange={(models) => change({ models })}
    />
  );
}

/** Prices of the provider's own, which take precedence over all others. */
export function ProviderCosts({ values, change }: PartProps) {
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
              label={visibleText`${model}: ${t[part]}`}
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
