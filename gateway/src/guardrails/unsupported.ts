// Settings that a node cannot enforce. A setting either needs a model, which the operator names by GATEWAY_GUARDIAN_URL,
// or it is beyond every node. Capabilities and the app's page report both, so that no setting is silently ignored.
import type { DetectionCatalog } from '@gatewarden/shared/guardrails/compile.ts';
import { DETECTORS } from '@gatewarden/shared/guardrails/detectors/index.ts';
import type { CategorySettings } from '@gatewarden/shared/guardrails/settings.ts';
import type { GovernedSettings } from '../policy/settings.ts';

export interface NodeAbilities {
  /** GATEWAY_GUARDIAN_URL is set. */
  hasGuardian: boolean;
  catalog: DetectionCatalog;
}

export interface UnsupportedSetting {
  /** A JSON pointer into the configuration of the app. */
  path: string;
  reason: 'needs_model' | 'needs_data' | 'not_available';
}

/**
 * Subcategories that only a model recognizes in running text. Detectors of some of them find labeled values, which is
 * no complete check.
 */
export const MODEL_SUBCATEGORIES: Readonly<Record<string, readonly string[]>> = {
  pii: ['person_name'],
  phi: ['diagnosis', 'medication'],
  toxicity: ['hate', 'harassment', 'violence', 'sexual', 'self_harm'],
};

interface ModelSettings {
  guardian_agent?: {
    enabled?: boolean;
    coding_helpers?: { enabled?: boolean };
    task_adherence?: { enabled?: boolean };
  };
  agent_purpose?: string;
  guardian_agent_prompt?: string;
  is_hallucination_check_enabled?: boolean;
  scan_images?: boolean;
  scan_encoded_images?: boolean;
}

/** Returns the active settings that this node cannot enforce, in the order of the configuration. */
export function findUnsupported(
  config: GovernedSettings,
  { hasGuardian, catalog }: NodeAbilities,
): UnsupportedSetting[] {
  const { detection = {}, smart_group_policies = [] } = config;
  const sections: [CategorySettings, string][] = [
    [detection, '/detection'],
    ...smart_group_policies
      .map((policy, i): [CategorySettings, string] => [policy, `/smart_group_policies/${i}`])
      .filter((_policy, i) => smart_group_policies[i]?.enabled !== false),
  ];
  const settings = [
    ...sections.flatMap(([section, path]) => [
      ...findCategories(section, path),
      ...findSensitivities(section, path),
    ]),
    ...findDefinitions(config, catalog),
    ...findModelSettings(detection as ModelSettings),
  ];
  return settings.filter(({ reason }) => !hasGuardian || reason !== 'needs_model');
}

/** Finds enabled categories with content that no detector recognizes. */
function findCategories({ enabled_categories = {} }: CategorySettings, path: string) {
  return Object.entries(enabled_categories)
    .filter(([selector, isEnabled]) => isEnabled && needsModel(selector, enabled_categories))
    .map(([selector]) =>
      unsupported(`${path}/enabled_categories/${escapeName(selector)}`, 'needs_model'),
    );
}

function needsModel(selector: string, enabled: Readonly<Record<string, boolean>>): boolean {
  const ofModel = MODEL_SUBCATEGORIES[selector];
  if (ofModel !== undefined) return ofModel.some((subcategory) => enabled[subcategory] !== false);
  if (Object.values(MODEL_SUBCATEGORIES).some((names) => names.includes(selector))) return true;
  return !DETECTORS.some(
    ({ category, subcategory }) => category === selector || subcategory === selector,
  );
}

const LEVELS = ['low', 'medium', 'high'];

function findSensitivities(
  { category_sensitivities = {}, sub_category_sensitivities = {} }: CategorySettings,
  path: string,
): UnsupportedSetting[] {
  const isUnknown = (level: string) => !LEVELS.includes(level.toLowerCase());
  const categories = Object.entries(category_sensitivities)
    .filter(([, levels]) => levels.some(isUnknown))
    .map(([category]) => `category_sensitivities/${escapeName(category)}`);
  const subcategories = Object.entries(sub_category_sensitivities).flatMap(([category, levels]) =>
    Object.entries(levels)
      .filter(([, level]) => isUnknown(level))
      .map(([name]) => `sub_category_sensitivities/${escapeName(category)}/${escapeName(name)}`),
  );
  return [...categories, ...subcategories].map((field) =>
    unsupported(`${path}/${field}`, 'not_available'),
  );
}

/** Finds selected definitions without a pattern or value that a node can evaluate. */
function findDefinitions(
  { detection = {} }: GovernedSettings,
  { definitions }: DetectionCatalog,
): UnsupportedSetting[] {
  const isEmpty = (id: string) => (definitions.get(id)?.detectors.length ?? 0) === 0;
  const selections = (detection.custom_definitions ?? []).flatMap(
    ({ definition_id, enabled }, i) =>
      enabled !== false && isEmpty(definition_id)
        ? [unsupported(`/detection/custom_definitions/${i}`, 'needs_data')]
        : [],
  );
  const names = new Set([...definitions].flatMap(([id, { name }]) => [id, name]));
  const patterns = Object.keys(detection.edm_pattern_sensitivities ?? {})
    .filter((name) => !names.has(name))
    .map((name) =>
      unsupported(`/detection/edm_pattern_sensitivities/${escapeName(name)}`, 'needs_data'),
    );
  return [...selections, ...patterns];
}

function findModelSettings(detection: ModelSettings): UnsupportedSetting[] {
  const { enabled, coding_helpers, task_adherence } = detection.guardian_agent ?? {};
  const hasHelpers = coding_helpers?.enabled === true;
  const isGuarded = enabled ?? (hasHelpers || task_adherence?.enabled === true);
  const active: readonly [string, boolean, UnsupportedSetting['reason']][] = [
    ['guardian_agent', isGuarded, 'needs_model'],
    // These helpers compare dependencies with registries, which a node never contacts.
    ['guardian_agent/coding_helpers', isGuarded && hasHelpers, 'not_available'],
    ['agent_purpose', (detection.agent_purpose ?? '') !== '', 'needs_model'],
    ['guardian_agent_prompt', (detection.guardian_agent_prompt ?? '') !== '', 'needs_model'],
    [
      'is_hallucination_check_enabled',
      detection.is_hallucination_check_enabled === true,
      'needs_model',
    ],
    ['scan_images', detection.scan_images === true, 'needs_model'],
    ['scan_encoded_images', detection.scan_encoded_images === true, 'needs_model'],
  ];
  return active
    .filter(([, isActive]) => isActive)
    .map(([name, , reason]) => unsupported(`/detection/${name}`, reason));
}

const unsupported = (path: string, reason: UnsupportedSetting['reason']): UnsupportedSetting => ({
  path,
  reason,
});

/** Escapes a name for a JSON pointer (RFC 6901 §3). */
const escapeName = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
