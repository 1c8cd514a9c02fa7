// The values of a provider's form, and the requests from them. Pure.
import { modesOf, requirementsOf } from '@gatewarden/shared/provider-types.ts';
import {
  ADDRESS_SETTINGS,
  type ModelCost,
  PROVIDER_SETTINGS,
  type Provider,
  type ProviderInput,
  type ProviderPatch,
  type ProviderSettings,
  type ProviderType,
  SECRET_SETTINGS,
  type SettingName,
} from '@gatewarden/shared/wire/management/providers.ts';

export interface ProviderValues {
  label: string;
  type: ProviderType;
  /** The typed text; an empty text is not sent. */
  settings: Partial<Record<SettingName, string>>;
  models: string[];
  costs: Record<string, { input: string; output: string; cache: string }>;
  enabled: boolean;
}

/** Optional settings, which no authentication mode requires. */
const ALWAYS: readonly SettingName[] = ['base_url'];
const OPTIONAL: Partial<Record<string, readonly SettingName[]>> = {
  vendorB: ['vendorB_api_version'],
  vendorC: ['vendorC_version'],
  vendorG: ['vendorG_role_session_name', 'vendorG_session_duration_seconds'],
  vendorF: ['vendorF_project_id'],
};

export interface FormSetting {
  name: SettingName;
  isSecret: boolean;
  isRequired: boolean;
}

/** Returns the settings of the form by type and mode, without the setting that chooses the mode. */
export function listFormSettings(
  type: ProviderType,
  settings: ProviderValues['settings'],
): FormSetting[] {
  const { chosenBy, modes } = modesOf(type);
  const chosen = settings[chosenBy] || modes[0] || '';
  const requirements = requirementsOf(type, { [chosenBy]: chosen } as ProviderSettings);
  const required: readonly SettingName[] = 'required' in requirements ? requirements.required : [];
  const credentials: readonly SettingName[] =
    'required' in requirements ? requirements.credentials : [];
  const extra = Object.entries(OPTIONAL).flatMap(([vendor, names = []]) =>
    type.includes(vendor) ? names : [],
  );
  const names = new Set([...required, ...credentials, ...extra, ...ALWAYS]);
  return [...names].map((name) => ({
    name,
    isSecret: SECRET_SETTINGS.includes(name),
    isRequired: required.includes(name),
  }));
}

export const isNumeric = (name: SettingName): boolean =>
  (PROVIDER_SETTINGS[name] as { type?: string }).type === 'integer';

export const EMPTY_PROVIDER: ProviderValues = {
  label: '',
  type: 'vendorA',
  settings: {},
  models: [],
  costs: {},
  enabled: true,
};

export function toProviderValues(provider: Provider): ProviderValues {
  const text = (price: number | null | undefined) =>
    price === null || price === undefined ? '' : String(price);
  return {
    label: provider.label,
    type: provider.provider_name,
    settings: Object.fromEntries(
      Object.entries(provider.provider_settings).map(([name, value]) => [name, String(value)]),
    ),
    models: provider.selected_models,
    costs: Object.fromEntries(
      Object.entries(provider.model_costs).map(([model, cost]) => [
        model,
        {
          input: text(cost?.input_per_1m),
          output: text(cost?.output_per_1m),
          cache: text(cost?.cache_per_1m),
        },
      ]),
    ),
    enabled: provider.enabled,
  };
}

export function toProviderInput(values: ProviderValues): ProviderInput {
  return {
    label: values.label.trim(),
    provider_name: values.type,
    ...toSharedFields(values),
    model_costs: toModelCosts(values.costs),
  };
}

/** Returns the changes only, so that no untouched secret is rotated. A cleared setting is null. */
export function toProviderPatch(values: ProviderValues, stored: Provider): ProviderPatch {
  const { provider_settings: settings, ...rest } = toSharedFields(values);
  const asked = listFormSettings(values.type, values.settings);
  const cleared = asked.filter(
    ({ name }) => values.settings[name] === '' && stored.provider_settings[name] !== undefined,
  );
  const changed = [
    ...Object.entries(settings).filter(
      ([name, value]) => stored.provider_settings[name as SettingName] !== value,
    ),
    ...cleared.map(({ name }) => [name, null] as const),
  ];
  const removedModels = Object.keys(stored.model_costs).filter((model) => !(model in values.costs));
  return {
    ...rest,
    ...(changed.length === 0 ? {} : { provider_settings: Object.fromEntries(changed) }),
    model_costs: {
      ...Object.fromEntries(removedModels.map((model) => [model, null])),
      ...toModelCosts(values.costs),
    },
  };
}

function toSharedFields(values: ProviderValues) {
  const asked = new Set<string>(
    listFormSettings(values.type, values.settings).map((item) => item.name),
  );
  asked.add(modesOf(values.type).chosenBy);
  const settings: ProviderSettings = {};
  for (const [name, text] of Object.entries(values.settings) as [SettingName, string][]) {
    if (text === '' || !asked.has(name)) continue;
    settings[name] = isNumeric(name) ? Number(text) : text;
  }
  return {
    provider_settings: settings,
    selected_models: values.models,
    enabled: values.enabled,
  };
}

function toModelCosts(costs: ProviderValues['costs']): Record<string, ModelCost> {
  const price = (text: string) => (text.trim() === '' ? null : Number(text));
  return Object.fromEntries(
    Object.entries(costs).map(([model, item]) => [
      model,
      {
        input_per_1m: price(item.input),
        output_per_1m: price(item.output),
        cache_per_1m: price(item.cache),
      },
    ]),
  );
}

/** Returns `next` without typed secrets if its address changed, so that no secret goes to another address; else null. */
export function dropSecretOfOldAddress(
  previous: ProviderValues,
  next: ProviderValues,
): { values: ProviderValues; address: string } | null {
  const isSecret = (name: string) => (SECRET_SETTINGS as readonly string[]).includes(name);
  const moved = ADDRESS_SETTINGS.find(
    (name) => (next.settings[name] ?? '') !== (previous.settings[name] ?? ''),
  );
  const isMoved = moved !== undefined || next.type !== previous.type;
  const typed = Object.entries(previous.settings).some(
    ([name, text]) => isSecret(name) && text !== '',
  );
  if (!isMoved || !typed) return null;
  const kept = Object.entries(next.settings).filter(([name]) => !isSecret(name));
  const address = next.settings[moved ?? 'base_url'] ?? '';
  return { values: { ...next, settings: Object.fromEntries(kept) }, address };
}
