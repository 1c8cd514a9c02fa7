// The configuration of an app as a single data structure. Validation, merging, the OpenAPI document, the `app_fields`
// of the capabilities, the omissions of snapshots and the scope of a rollback are derived from it. Annotations express
// the rules that JSON Schema lacks.
import { type Static, type TSchema, Type } from 'typebox';
import { NameText, Nullable, OneOf } from '../common.ts';
import { ExpiresAt, PartialOf, Strict } from './common.ts';

/**
 * Annotations of a schema besides JSON Schema. ANNOTATIONS lists their names for validators that refuse unknown
 * keywords.
 */
export interface Annotation {
  /** The value replaces the stored value, member for member; without this annotation, objects and maps merge. */
  'x-replace'?: true;
  /** Write-only: encrypted at rest, absent from reads, snapshots and audit records. */
  'x-secret'?: true;
  /** A rollback preserves the current value. */
  'x-no-rollback'?: true;
  /** The value has no effect while policy authority is enabled. */
  'x-governed'?: true;
  /** The text refers to a resource of the tenant that must exist. */
  'x-names'?: Reference;
  /** The keys of this map refer to resources of the tenant that must exist. */
  'x-keys-name'?: Reference;
  /** The name of the schema in the OpenAPI document, which then defines it once. */
  title?: string;
}
export type Reference = 'provider' | 'definition' | 'smart_group' | 'category' | 'selector';
export const ANNOTATIONS = [
  'x-replace',
  'x-secret',
  'x-no-rollback',
  'x-governed',
  'x-names',
  'x-keys-name',
] as const satisfies (keyof Annotation)[];

export const APP_MODES = ['gateway', 'sdk', 'vendorB_studio'] as const;
export type AppMode = (typeof APP_MODES)[number];

export const ACTIONS = ['monitor', 'partial-redact', 'redact', 'block'] as const;
export type Action = (typeof ACTIONS)[number];
export const DETECTION_SCOPES = ['request', 'response', 'both'] as const;
export type DetectionScope = (typeof DETECTION_SCOPES)[number];
const SENSITIVITIES = ['low', 'medium', 'high'] as const;

/** The maximum length of any list in a configuration. */
export const MAX_ITEMS = 1000;
const Flag = Type.Boolean();
const text = (maxLength: number, annotation: Annotation = {}) =>
  Type.String({ minLength: 1, maxLength, ...annotation });
const Name = text(200);
const Model = text(512);
/** The name of an HTTP header (RFC 9110 §5.1). A node matches it against requests, which cannot carry another name. */
const HeaderName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
  description: 'the name of an HTTP header',
});
const list = <T extends TSchema>(item: T, options: object = {}) =>
  Type.Array(item, { maxItems: MAX_ITEMS, ...options });
const count = (options: object = {}) =>
  Type.Integer({ minimum: 0, maximum: 2 ** 53 - 1, ...options });
/** A map from names to values. */
const map = <T extends TSchema>(value: T, annotation: Annotation = {}) =>
  Type.Unsafe<Record<string, Static<T>>>({
    type: 'object',
    propertyNames: { type: 'string', minLength: 1, maxLength: 200 },
    maxProperties: MAX_ITEMS,
    additionalProperties: value,
    ...annotation,
  });
const options = <T extends Record<string, TSchema>>(properties: T, annotation: Annotation = {}) =>
  PartialOf(properties, annotation);

export const Email = Type.String({
  description: 'an e-mail address',
  minLength: 3,
  maxLength: 320,
  pattern: '^[^\\s@<>,;"]+@[^\\s@<>,;"]+$',
});

const ActionValue = OneOf(ACTIONS);
const ScopeValue = OneOf(DETECTION_SCOPES);
const Sensitivity = OneOf(SENSITIVITIES);
const BlockOrMonitor = OneOf(['block', 'monitor'] as const);

/** Shared by `detection` and the policies of smart groups. */
const byCategory = {
  enabled_categories: map(Flag, { 'x-keys-name': 'selector' }),
  category_actions: map(ActionValue, { 'x-keys-name': 'category' }),
  category_scopes: map(ScopeValue, { 'x-keys-name': 'category' }),
  category_sensitivities: map(list(Name), { 'x-keys-name': 'category' }),
  sub_category_actions: map(map(ActionValue), { 'x-keys-name': 'category' }),
  sub_category_sensitivities: map(map(Name), { 'x-keys-name': 'category' }),
};

const Detection = options(
  {
    ...byCategory,
    custom_definitions: list(
      Strict({
        definition_id: text(200, { 'x-names': 'definition' }),
        enabled: Type.Optional(Type.Boolean({ default: true })),
        action: Type.Optional(ActionValue),
        scope: Type.Optional(ScopeValue),
        sensitivity: Type.Optional(Sensitivity),
      }),
    ),
    data_risk_action: ActionValue,
    edm_pattern_sensitivities: map(Sensitivity),
    guardian_agent: options({
      enabled: Flag,
      coding_helpers: options({
        enabled: Flag,
        dependency_security_check: Flag,
        latest_version_suggestions: Flag,
      }),
      task_adherence: options({
        enabled: Flag,
        action: OneOf(['nudge', 'block'] as const),
        sensitivity: Sensitivity,
      }),
    }),
    agent_purpose: Type.String({ maxLength: 20_000 }),
    guardian_agent_prompt: Type.String({ maxLength: 20_000 }),
    hallucination_check_action: BlockOrMonitor,
    hallucination_check_risk_level: Name,
    hallucination_check_score_threshold: Type.Number({ minimum: 0, maximum: 1 }),
    is_hallucination_check_enabled: Flag,
    scan_images: Flag,
    scan_encoded_images: Flag,
    scan_images_scope: ScopeValue,
    scan_encoded_images_scope: ScopeValue,
  },
  { 'x-governed': true, title: 'Detection' },
);

const RateLimit = Strict(
  { value: count(), duration: OneOf(['minute', 'hour', 'day'] as const) },
  { 'x-replace': true },
);
const TokenLimits = options({
  max_per_request: Nullable(count()),
  input: Nullable(RateLimit),
  output: Nullable(RateLimit),
});

const Limits = options(
  {
    concurrency_per_minute: Nullable(count()),
    timeout: Nullable(count()),
    rate_limit_per_minute: count(),
    rate_limit: Nullable(RateLimit),
    token_limits: TokenLimits,
    model_rate_limits: list(
      Strict({
        provider_label: text(200, { 'x-names': 'provider' }),
        model: Model,
        timeout: Type.Optional(Nullable(Type.Number({ minimum: 0 }))),
        concurrency_per_minute: Type.Optional(Nullable(count())),
        rate_limit: Type.Optional(Nullable(RateLimit)),
        token_limits: Type.Optional(TokenLimits),
      }),
    ),
  },
  { 'x-governed': true, title: 'Limits' },
);

const RoutingGroup = Strict({
  group_name: Name,
  group_kind: Type.Optional(
    OneOf([
      'chat_completion',
      'vendorC_messages',
      'vendorE_ai',
      'responses',
      'realtime',
      'vendorG_runtime',
    ] as const),
  ),
  models: list(
    Strict({
      provider_name: Name,
      model_name: Model,
      credential_source: Type.Optional(text(200)),
      weight: Type.Number({ exclusiveMinimum: 0, maximum: 100 }),
    }),
    { minItems: 1 },
  ),
});

export const Routing = options(
  {
    routing_groups: list(RoutingGroup),
    token_based_routing_groups: list(RoutingGroup),
    custom_routing: list(
      Strict({
        group: Type.Optional(
          OneOf([
            'chat_completion',
            'vendorC_messages',
            'vendorE_ai',
            'responses',
            'vendorG_runtime',
          ] as const),
        ),
        type: OneOf([
          'Low_Context_Request',
          'Medium_Context_Request',
          'High_Context_Request',
        ] as const),
        is_published: Flag,
        models: list(
          Strict({
            provider_name: Name,
            model: Model,
            label: Type.Optional(text(200)),
            credential_source: Type.Optional(text(200)),
          }),
        ),
      }),
    ),
    routing_thresholds: Strict(
      { low_max_words: count(), medium_max_words: count() },
      { 'x-replace': true },
    ),
  },
  { 'x-governed': true, title: 'Routing' },
);

const Access = options(
  {
    allowed_source_ips: Type.Union([
      list(text(64)),
      options({ enabled: Flag, ips: list(text(64)) }),
      Type.Null(),
    ]),
    allowed_user_domains: list(text(253)),
    allowed_user_emails: list(text(320)),
    identity_token_headers: list(HeaderName),
    enforce_conversation_id: Flag,
    enforce_identity: Flag,
    identity_header_mode: Flag,
    identity_token_oid_fallback: Flag,
    jwt_auth: Nullable(
      options({
        enabled: Flag,
        allowed_issuers: list(text(2048)),
        allowed_client_ids: list(text(512)),
        public_key_pem: Type.String({ maxLength: 16_384, 'x-no-rollback': true }),
        kid: Type.String({ maxLength: 512, 'x-no-rollback': true }),
      }),
    ),
  },
  { 'x-governed': true, title: 'Access' },
);

const Transformations = options(
  {
    token_saving: options({
      smart_json_compression: Flag,
      html_to_text: Flag,
      markdown_to_text: Flag,
      text_compression: Flag,
    }),
  },
  { 'x-governed': true, title: 'Transformations' },
);

const UniqueEmails = list(Email, { uniqueItems: true });
const SmartGroups = list(text(200, { 'x-names': 'smart_group' }), { uniqueItems: true });
const SelfServiceRole = options(
  {
    allow_all: Type.Boolean({ default: false }),
    allow_emails: UniqueEmails,
    deny_emails: UniqueEmails,
    allow_smart_groups: SmartGroups,
    deny_smart_groups: SmartGroups,
  },
  { title: 'SelfServiceRole' },
);
export const SELF_SERVICE_ROLES = [
  ...['self_service_viewer', 'settings_update_requester', 'settings_update_direct'],
  ...['show_api_key', 'show_logs_for_all_users'],
];
const ROLES = Object.fromEntries(SELF_SERVICE_ROLES.map((name) => [name, SelfServiceRole]));
const selfServiceWith = (flatRoles: Record<string, TSchema>) =>
  options({
    enable_self_service: Flag,
    self_service: options({
      access_control: Nullable(
        options({
          version: Type.Literal(1, { default: 1 }),
          roles: options(ROLES),
          ...flatRoles,
        }),
      ),
    }),
  });

const SmartGroupPolicies = list(
  Strict({
    group_name: text(200, { 'x-names': 'smart_group' }),
    enabled: Type.Optional(Flag),
    ...Object.fromEntries(
      Object.entries(byCategory).map(([name, schema]) => [name, Type.Optional(schema)]),
    ),
    actions: Type.Optional(
      options({ data_risk_action: ActionValue, hallucination_check_action: BlockOrMonitor }),
    ),
  }),
  { 'x-governed': true, title: 'SmartGroupPolicies' },
);

const AlertLevel = options({
  enabled: Type.Boolean({ default: false }),
  window_minutes: Type.Integer({ minimum: 5, maximum: 1440, default: 15 }),
  failure_rate_threshold: Type.Number({ minimum: 0, maximum: 100, default: 10 }),
  minimum_requests: count({ default: 20 }),
  cooldown_minutes: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, default: 10 }),
  notify_on_recovery: Type.Boolean({ default: true }),
});

const Alerting = Nullable(
  options(
    {
      app_level: AlertLevel,
      provider_level: AlertLevel,
      channels: options({
        emails: UniqueEmails,
        webhooks: list(
          Strict({
            id: text(200),
            type: Type.Optional(
              Type.Union([Type.Literal('vendorL'), Type.Literal('generic')], {
                default: 'generic',
              }),
            ),
            label: Type.Optional(Type.String({ maxLength: 200 })),
            url: Type.Optional(
              Type.String({ minLength: 1, maxLength: 2048, 'x-secret': true, writeOnly: true }),
            ),
          }),
        ),
      }),
    },
    { 'x-replace': true, title: 'Alerting' },
  ),
);

/** The sections that form an app's stored configuration. */
export const CONFIG_SECTIONS = {
  detection: Detection,
  limits: Limits,
  routing: Routing,
  access: Access,
  transformations: Transformations,
  self_service: selfServiceWith({}),
  prompts: options({ require_system_from_store: Flag }),
  smart_group_policies: SmartGroupPolicies,
  alerting: Alerting,
} as const;
export type ConfigSection = keyof typeof CONFIG_SECTIONS;

/** A stored configuration: sections by name, each valid against its schema. */
export type AppConfig = Partial<Record<ConfigSection, unknown>>;

const ProviderLabels = list(text(200), { uniqueItems: true });
const Tags = list(text(200));

export const AppPatch = PartialOf(
  {
    ...CONFIG_SECTIONS,
    /** Roles are accepted in `access_control` itself, too; reads return them below `roles`. */
    self_service: selfServiceWith(ROLES),
    enabled: Flag,
    provider_labels: ProviderLabels,
    tags: Tags,
  },
  { title: 'AppPatch' },
);
export type AppPatch = AppConfig & {
  enabled?: boolean;
  provider_labels?: string[];
  tags?: string[];
};

export const AppCreate = Strict(
  {
    ...AppPatch.properties,
    name: NameText(1000),
    mode: Type.Optional(OneOf(APP_MODES)),
    initial_key: Type.Optional(
      Strict({
        name: Type.Optional(NameText(200)),
        expires_at: Type.Optional(Nullable(ExpiresAt)),
      }),
    ),
  },
  { title: 'AppCreate' },
);
