// Shared providers: connections of the tenant that apps reference by label.
import { type Static, Type } from 'typebox';
import { NameText, Nullable, OneOf } from '../common.ts';
import { ListAnswer, RequestId, Strict, UnixSeconds, Version } from './common.ts';

export const PROVIDER_TYPES = [
  'vendorA',
  'vendorB_vendorA',
  'general',
  'gw_ai',
  'vendorC',
  'vendorC_messages',
  'vendorC_messages_vendorG',
  'vendorC_messages_vendorB',
  'vendorD',
  'vendorE_ai',
  'vendorE_chatcompletions',
  'vendorF',
  'vendorA_responses',
  'vendorA_responses_vendorB',
  'vendorF_responses',
  'vendorA_assistants',
  'vendorA_assistants_vendorB',
  'vendorA_realtime',
  'vendorA_realtime_vendorB',
  'vendorG',
  'vendorG_embeddings',
  'vendorH_rerank',
  'vendorG_rerank',
  'vendorI_rerank',
  'vendorJ_rerank',
  'general_rerank',
  'vendorK',
] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

export const AUTH_TYPES = [
  'api_key',
  'express',
  'service_account',
  'adc',
  'gateway_user_principal',
  'user_principal',
  'session_principal',
  'instance_principal',
  'resource_principal',
] as const;
export type AuthType = (typeof AUTH_TYPES)[number];

const open = Type.String({ minLength: 1, maxLength: 2048 });
const secret = Type.String({
  minLength: 1,
  maxLength: 65_536,
  writeOnly: true,
  'x-secret': true,
});

/** The settings of all provider types. */
export const PROVIDER_SETTINGS = {
  vendorC_version: open,
  api_key: secret,
  auth_type: OneOf(AUTH_TYPES),
  vendorG_access_key: secret,
  vendorG_auth_mode: OneOf(['static', 'assume_role'] as const),
  vendorG_external_id: secret,
  vendorG_region: open,
  vendorG_role_arn: open,
  vendorG_role_session_name: open,
  vendorG_secret_key: secret,
  vendorG_session_duration_seconds: Type.Integer({ minimum: 900, maximum: 43_200 }),
  vendorG_session_token: secret,
  vendorB_api_version: open,
  vendorB_endpoint: open,
  base_url: open,
  vendorE_project_id: open,
  vendorE_region: open,
  vendorF_compartment_id: open,
  vendorF_fingerprint: open,
  vendorF_project_id: open,
  vendorF_region: open,
  vendorF_tenancy_id: open,
  vendorF_user_id: open,
  vendorF_private_key: secret,
  vendorF_private_key_passphrase: secret,
  vendorF_session_token: secret,
  service_account_json: secret,
} as const;
export type SettingName = keyof typeof PROVIDER_SETTINGS;
export type ProviderSettings = Partial<Record<SettingName, string | number>>;
export type ProviderSettingsPatch = Partial<Record<SettingName, string | number | null>>;

/** The settings that reads omit. */
export const SECRET_SETTINGS: readonly SettingName[] = (
  Object.keys(PROVIDER_SETTINGS) as SettingName[]
).filter((name) => 'x-secret' in PROVIDER_SETTINGS[name]);
/** The settings that name the host to which secrets are sent. */
export const ADDRESS_SETTINGS = [
  'base_url',
  'vendorB_endpoint',
] as const satisfies readonly SettingName[];

const optional = Object.fromEntries(
  Object.entries(PROVIDER_SETTINGS).map(([name, schema]) => [name, Type.Optional(schema)]),
);
const SettingsInput = Type.Unsafe<ProviderSettings>(
  Strict(optional, { title: 'ProviderSettings' }),
);
/** A change of settings: null removes an optional setting. */
const SettingsPatch = Type.Unsafe<ProviderSettingsPatch>(
  Strict(
    Object.fromEntries(
      Object.entries(PROVIDER_SETTINGS).map(([name, schema]) => [
        name,
        Type.Optional(Nullable(schema)),
      ]),
    ),
    { title: 'ProviderSettingsPatch' },
  ),
);
const SettingsRead = Type.Unsafe<ProviderSettings>(
  Strict(
    Object.fromEntries(
      Object.entries(optional).filter(([name]) => !SECRET_SETTINGS.includes(name as SettingName)),
    ),
    { title: 'ProviderSettingsRead' },
  ),
);

const Price = Nullable(Type.Number({ minimum: 0 }));
const ModelName = Type.String({ minLength: 1, maxLength: 512 });
export const ModelCost = Strict({
  input_per_1m: Type.Optional(Price),
  output_per_1m: Type.Optional(Price),
  cache_per_1m: Type.Optional(Price),
});
export type ModelCost = Static<typeof ModelCost>;
/** The maximum number of model costs in a request and in storage. */
export const MAX_MODEL_COSTS = 1000;
const ModelCosts = Type.Unsafe<Record<string, ModelCost | null>>({
  type: 'object',
  propertyNames: { type: 'string', minLength: 1, maxLength: 512 },
  maxProperties: MAX_MODEL_COSTS,
  additionalProperties: Nullable(ModelCost),
});

const Label = NameText(200);
const changeable = {
  selected_models: Type.Optional(Type.Array(ModelName, { maxItems: 1000, uniqueItems: true })),
  model_costs: Type.Optional(ModelCosts),
  enabled: Type.Optional(Type.Boolean()),
};

export const ProviderInput = Strict(
  {
    label: Label,
    provider_name: OneOf(PROVIDER_TYPES),
    provider_settings: Type.Optional(SettingsInput),
    ...changeable,
  },
  { title: 'ProviderInput' },
);
export type ProviderInput = Static<typeof ProviderInput>;

/**
 * A change of a provider. `label` and `provider_name` may be repeated, never changed. Null removes an optional setting.
 * A new `auth_type` or `vendorG_auth_mode` removes the settings and credentials of the previous mode and requires those
 * of the new mode.
 */
export const ProviderPatch = Strict({
  label: Type.Optional(Label),
  provider_name: Type.Optional(OneOf(PROVIDER_TYPES)),
  provider_settings: Type.Optional(SettingsPatch),
  ...changeable,
});
export type ProviderPatch = Static<typeof ProviderPatch>;

export const Provider = Type.Object(
  {
    label: Type.String(),
    provider_name: OneOf(PROVIDER_TYPES),
    provider_settings: SettingsRead,
    selected_models: Type.Array(Type.String()),
    model_costs: ModelCosts,
    enabled: Type.Boolean(),
    credential_configured: Type.Boolean(),
    created_at: UnixSeconds,
    updated_at: UnixSeconds,
    version: Version,
  },
  { title: 'Provider' },
);
export type Provider = Static<typeof Provider>;

export const ProviderAnswer = Type.Object({ provider: Provider, ...RequestId });
export const ProvidersAnswer = ListAnswer(Provider);

export const TEST_OUTCOMES = ['passed', 'failed', 'unsupported'] as const;
export const ProviderTestInput = Strict({
  kind: OneOf(['connection', 'model'] as const),
  model: Type.Optional(ModelName),
});
export type ProviderTestInput = Static<typeof ProviderTestInput>;
export const ProviderTest = Type.Object({
  configuration_version: Version,
  kind: OneOf(['connection', 'model'] as const),
  model: Nullable(Type.String()),
  outcome: OneOf(TEST_OUTCOMES),
  code: Nullable(Type.String()),
  completed_at: UnixSeconds,
  latency_ms: Type.Optional(Type.Number()),
});
export type ProviderTest = Static<typeof ProviderTest>;
export const ProviderTestAnswer = Type.Object({ test: ProviderTest, ...RequestId });
