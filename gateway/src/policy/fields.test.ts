// Every field of an app's configuration has a step that evaluates it, or a reason why a node does not.
import { CONFIG_SECTIONS } from '@gatewarden/shared/wire/management/app-config.ts';
import { describe, expect, it } from 'vitest';

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: Schema | boolean;
}

/** Returns the paths of all fields below a schema; `*` is an item of a list or a member of a map. */
function listFields(schema: Schema, path: string): string[] {
  const { properties, items, anyOf = [], additionalProperties } = schema;
  const inner = [
    ...Object.entries(properties ?? {}).flatMap(([name, field]) =>
      listFields(field, `${path}.${name}`),
    ),
    ...(items?.properties === undefined ? [] : listFields(items, `${path}.*`)),
    ...anyOf.flatMap((option) => (option.properties === undefined ? [] : listFields(option, path))),
    ...(typeof additionalProperties === 'object' && additionalProperties.properties !== undefined
      ? listFields(additionalProperties, `${path}.*`)
      : []),
  ];
  return inner.length === 0 ? [path] : inner;
}

const CATEGORY_FIELDS = [
  ...['enabled_categories', 'category_actions', 'category_scopes', 'category_sensitivities'],
  ...['sub_category_actions', 'sub_category_sensitivities'],
];
const RATE = ['value', 'duration'];
const LIMITS = [
  ...['concurrency_per_minute', 'timeout', 'token_limits.max_per_request'],
  ...['rate_limit', 'token_limits.input', 'token_limits.output'].flatMap((name) =>
    RATE.map((field) => `${name}.${field}`),
  ),
];
const GROUP = [
  ...['group_name', 'group_kind', 'models.*.provider_name', 'models.*.model_name'],
  ...['models.*.credential_source', 'models.*.weight'],
];
const below = (path: string, fields: readonly string[]) =>
  fields.map((field) => `${path}.${field}`);

/** Fields by the table test that proves their effect. */
const EVALUATED: Readonly<Record<string, readonly string[]>> = {
  'access.test.ts': below('access', [
    ...['allowed_source_ips', 'allowed_source_ips.enabled', 'allowed_source_ips.ips'],
    ...[
      'allowed_user_domains',
      'allowed_user_emails',
      'enforce_conversation_id',
      'enforce_identity',
    ],
  ]),
  'identity.test.ts': below('access', [
    ...['identity_token_headers', 'identity_header_mode', 'identity_token_oid_fallback'],
    ...below('jwt_auth', [
      'enabled',
      'allowed_issuers',
      'allowed_client_ids',
      'public_key_pem',
      'kid',
    ]),
  ]),
  'limits.test.ts': below('limits', [
    ...LIMITS,
    'rate_limit_per_minute',
    ...below('model_rate_limits.*', ['provider_label', 'model', ...LIMITS]),
  ]),
  'routing.test.ts': below('routing', [
    ...below('routing_groups.*', GROUP),
    ...below('token_based_routing_groups.*', GROUP),
    ...below('custom_routing.*', [
      ...['group', 'type', 'is_published', 'models.*.provider_name', 'models.*.model'],
      ...['models.*.label', 'models.*.credential_source'],
    ]),
    ...below('routing_thresholds', ['low_max_words', 'medium_max_words']),
  ]),
  'token-saving.test.ts': below('transformations.token_saving', [
    ...['smart_json_compression', 'html_to_text', 'markdown_to_text', 'text_compression'],
  ]),
  'prompt-store.test.ts': ['prompts.require_system_from_store'],
  '../../../shared/guardrails/smart-groups.test.ts': below('smart_group_policies.*', [
    ...['group_name', 'enabled', ...CATEGORY_FIELDS, 'actions.data_risk_action'],
  ]),
  '../../../shared/guardrails/compile.test.ts': below('detection', [
    ...CATEGORY_FIELDS,
    ...below('custom_definitions.*', [
      'definition_id',
      'enabled',
      'action',
      'scope',
      'sensitivity',
    ]),
    ...['data_risk_action', 'edm_pattern_sensitivities'],
  ]),
};

/** Fields that a model evaluates, or that `findUnsupported` reports, directly or by the switch that activates them. */
const OF_MODELS = [
  ...below('detection.guardian_agent', [
    'enabled',
    ...below('coding_helpers', [
      'enabled',
      'dependency_security_check',
      'latest_version_suggestions',
    ]),
    ...below('task_adherence', ['enabled', 'action', 'sensitivity']),
  ]),
  ...below('detection', [
    ...['agent_purpose', 'guardian_agent_prompt', 'is_hallucination_check_enabled'],
    ...['hallucination_check_action', 'hallucination_check_risk_level'],
    ...['hallucination_check_score_threshold', 'scan_images', 'scan_images_scope'],
    ...['scan_encoded_images', 'scan_encoded_images_scope'],
  ]),
  'smart_group_policies.*.actions.hallucination_check_action',
];

/** Sections that the hub evaluates: access to self-service, and alerts. */
const HUB_SECTIONS = ['self_service', 'alerting'];

describe('fields of the configuration', () => {
  const fields = Object.entries(CONFIG_SECTIONS)
    .filter(([name]) => !HUB_SECTIONS.includes(name))
    .flatMap(([name, schema]) => listFields(schema as Schema, name));

  it('evaluates each field or reports it as unsupported', () => {
    const listed = [...Object.values(EVALUATED).flat(), ...OF_MODELS];
    const optional = (field: string) => field !== 'access.allowed_source_ips';
    expect(listed.filter(optional).toSorted()).toEqual(
      [...new Set(fields)].filter(optional).toSorted(),
    );
  });
});
