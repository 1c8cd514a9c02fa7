// Settings of an app that gateway nodes cannot enforce: the single list of nodes, hub and console. A setting either needs a
// model, which the operator of a node names by GATEWAY_GUARDIAN_URL, or needs data that was not imported, or is beyond
// every node. The row of a request, the capabilities and the app's page report the same settings.
import { BUILT_IN_CATEGORIES } from './detection-categories.ts';

export const UNSUPPORTED_REASONS = ['needs_model', 'needs_data', 'not_available'] as const;
export type UnsupportedReason = (typeof UNSUPPORTED_REASONS)[number];

export interface UnsupportedSetting {
  /** A JSON pointer (RFC 6901) into the configuration of an app. */
  path: string;
  reason: UnsupportedReason;
}

/** A category with the subcategories that a tenant's catalog gives it. */
export interface CatalogCategory {
  id: string;
  subcategories: readonly string[];
}

/** A custom definition; empty without a pattern or value that a node can evaluate. */
export interface CatalogDefinition {
  id: string;
  name: string;
  isEmpty: boolean;
}

export interface Enforcement {
  /** A model checks content: every node has GATEWAY_GUARDIAN_URL. */
  hasModel: boolean;
  /** All categories of the tenant, built-in and imported. */
  categories: readonly CatalogCategory[];
  definitions: readonly CatalogDefinition[];
}

interface CategorySettings {
  enabled_categories?: Readonly<Record<string, boolean>>;
  category_sensitivities?: Readonly<Record<string, readonly string[]>>;
  sub_category_sensitivities?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface DetectionSettings extends CategorySettings {
  custom_definitions?: readonly { definition_id: string; enabled?: boolean }[];
  edm_pattern_sensitivities?: Readonly<Record<string, string>>;
}

/** Settings of the section `detection` that a model evaluates. */
export interface ModelSettings {
  guardian_agent?: {
    enabled?: boolean;
    coding_helpers?: { enabled?: boolean };
    task_adherence?: {
      enabled?: boolean;
      action?: 'nudge' | 'block';
      sensitivity?: 'low' | 'medium' | 'high';
    };
  };
  agent_purpose?: string;
  guardian_agent_prompt?: string;
  is_hallucination_check_enabled?: boolean;
  hallucination_check_action?: 'block' | 'monitor';
  hallucination_check_risk_level?: string;
  hallucination_check_score_threshold?: number;
  scan_images?: boolean;
  scan_images_scope?: 'request' | 'response' | 'both';
  scan_encoded_images?: boolean;
  scan_encoded_images_scope?: 'request' | 'response' | 'both';
}

interface GuardedConfig {
  detection?: DetectionSettings;
  smart_group_policies?: readonly (CategorySettings & { enabled?: boolean })[];
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

/** Returns whether detectors of a node recognize a subcategory completely. */
export function isDetected(category: string, subcategory: string): boolean {
  const builtIn = BUILT_IN_CATEGORIES.find(({ id }) => id === category);
  if (builtIn?.subcategories.includes(subcategory) !== true) return false;
  return MODEL_SUBCATEGORIES[category]?.includes(subcategory) !== true;
}

/** Returns whether the guardian agent reviews requests and answers. */
export function isGuardianActive({ guardian_agent = {} }: ModelSettings): boolean {
  const { enabled, coding_helpers, task_adherence } = guardian_agent;
  return enabled ?? (coding_helpers?.enabled === true || task_adherence?.enabled === true);
}

interface DetectionRule {
  field: string;
  reason: UnsupportedReason;
  isActive: (detection: ModelSettings) => boolean;
}

const DETECTION_RULES: readonly DetectionRule[] = [
  { field: 'guardian_agent', reason: 'needs_model', isActive: isGuardianActive },
  {
    // These helpers compare dependencies with registries, which a node never contacts.
    field: 'guardian_agent/coding_helpers',
    reason: 'not_available',
    isActive: (detection) =>
      isGuardianActive(detection) && detection.guardian_agent?.coding_helpers?.enabled === true,
  },
  ...(['agent_purpose', 'guardian_agent_prompt'] as const).map(
    (field): DetectionRule => ({
      field,
      reason: 'needs_model',
      isActive: (detection) => (detection[field] ?? '') !== '',
    }),
  ),
  ...(['is_hallucination_check_enabled', 'scan_images', 'scan_encoded_images'] as const).map(
    (field): DetectionRule => ({
      field,
      reason: 'needs_model',
      isActive: (detection) => detection[field] === true,
    }),
  ),
];

/** Returns the settings that nodes cannot enforce, whatever an app contains, in the order of the configuration. */
export function listUnsupported({
  hasModel,
  categories,
}: Pick<Enforcement, 'hasModel' | 'categories'>): UnsupportedSetting[] {
  const selectors = categories.flatMap(({ id, subcategories }) => {
    const undetected = subcategories.filter((subcategory) => !isDetected(id, subcategory));
    return undetected.length === subcategories.length ? [id, ...undetected] : undetected;
  });
  const settings = [
    ...selectors.map((selector) => describeSelector('/detection', selector)),
    ...DETECTION_RULES.map(({ field, reason }) => ({ path: `/detection/${field}`, reason })),
  ];
  return settings.filter(({ reason }) => !hasModel || reason !== 'needs_model');
}

/** Returns the active settings of an app that nodes cannot enforce, in the order of the configuration. */
export function findUnsupported(
  { detection = {}, smart_group_policies = [] }: GuardedConfig,
  { hasModel, categories, definitions }: Enforcement,
): UnsupportedSetting[] {
  const sections: [CategorySettings, string][] = [
    [detection, '/detection'],
    ...smart_group_policies
      .map((policy, i): [CategorySettings, string] => [policy, `/smart_group_policies/${i}`])
      .filter((_policy, i) => smart_group_policies[i]?.enabled !== false),
  ];
  const settings = [
    ...sections.flatMap(([section, path]) => [
      ...findSelectors(section, path, categories),
      ...findSensitivities(section, path),
    ]),
    ...findDefinitions(detection, definitions),
    ...DETECTION_RULES.filter(({ isActive }) => isActive(detection as ModelSettings)).map(
      ({ field, reason }) => ({ path: `/detection/${field}`, reason }),
    ),
  ];
  return settings.filter(({ reason }) => !hasModel || reason !== 'needs_model');
}

/** Finds enabled categories with content that no detector recognizes. */
function findSelectors(
  { enabled_categories = {} }: CategorySettings,
  path: string,
  categories: readonly CatalogCategory[],
): UnsupportedSetting[] {
  return Object.entries(enabled_categories)
    .filter(
      ([selector, isEnabled]) => isEnabled && needsModel(selector, enabled_categories, categories),
    )
    .map(([selector]) => describeSelector(path, selector));
}

function needsModel(
  selector: string,
  enabled: Readonly<Record<string, boolean>>,
  categories: readonly CatalogCategory[],
): boolean {
  const category = categories.find(({ id }) => id === selector);
  if (category !== undefined) {
    const { subcategories } = category;
    const active = subcategories.filter((subcategory) => enabled[subcategory] !== false);
    return (
      subcategories.length === 0 || active.some((subcategory) => !isDetected(selector, subcategory))
    );
  }
  return !categories.some(
    ({ id, subcategories }) => subcategories.includes(selector) && isDetected(id, selector),
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
  return [...categories, ...subcategories].map((field) => ({
    path: `${path}/${field}`,
    reason: 'not_available',
  }));
}

/** Finds selected definitions without a pattern or value that a node can evaluate. */
function findDefinitions(
  { custom_definitions = [], edm_pattern_sensitivities = {} }: DetectionSettings,
  definitions: readonly CatalogDefinition[],
): UnsupportedSetting[] {
  const usable = new Set(definitions.filter(({ isEmpty }) => !isEmpty).map(({ id }) => id));
  const names = new Set(definitions.flatMap(({ id, name }) => [id, name]));
  const selections = custom_definitions.flatMap(({ definition_id, enabled }, i) =>
    enabled !== false && !usable.has(definition_id) ? [`custom_definitions/${i}`] : [],
  );
  const patterns = Object.keys(edm_pattern_sensitivities)
    .filter((name) => !names.has(name))
    .map((name) => `edm_pattern_sensitivities/${escapeName(name)}`);
  return [...selections, ...patterns].map((field) => ({
    path: `/detection/${field}`,
    reason: 'needs_data',
  }));
}

const describeSelector = (path: string, selector: string): UnsupportedSetting => ({
  path: `${path}/enabled_categories/${escapeName(selector)}`,
  reason: 'needs_model',
});

/** Escapes a name for a JSON pointer (RFC 6901 §3). */
const escapeName = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
