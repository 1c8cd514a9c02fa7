// Compiles the detection settings of an app into the checks of each direction.
import type { Action, DetectionScope } from '../wire/management/app-config.ts';
import { type CustomDefinition, compileDefinition, DETECTORS } from './detectors/index.ts';
import type {
  DefinitionSelection,
  DetectionSettings,
  GuardrailSettings,
  Sensitivity,
} from './settings.ts';
import { mergeGroupPolicies, selectGroupPolicies } from './smart-groups.ts';
import type {
  CheckList,
  CompiledGuardrails,
  Detector,
  Direction,
  GuardrailCheck,
} from './types.ts';

/** A document of the kind `category`, which replaces a built-in category with its id. */
export interface CategoryDocument {
  id: string;
  subcategories: readonly string[];
}

/** The definitions and categories of a tenant, compiled once for a snapshot. */
export interface DetectionCatalog {
  readonly definitions: ReadonlyMap<string, { name: string; detectors: readonly Detector[] }>;
  readonly detectors: readonly Detector[];
}

/** Categories of data; `data_risk_action` applies to them and to custom definitions. */
const DATA_CATEGORIES: readonly string[] = ['pii', 'phi', 'pci', 'pfi', 'secrets'];
const SENSITIVITIES: readonly string[] = ['low', 'medium', 'high'] satisfies Sensitivity[];
const DEFAULT_SENSITIVITY = 'medium';
const DEFAULT_ACTION = 'monitor';

/** Compiles the custom definitions of a tenant. An imported category restricts the built-in detectors of its id. */
export function compileCatalog(
  definitions: readonly CustomDefinition[],
  categories: readonly CategoryDocument[],
): DetectionCatalog {
  const imported = new Map(categories.map(({ id, subcategories }) => [id, subcategories]));
  return {
    definitions: new Map(
      definitions.map((definition) => [
        definition.edm_id,
        { name: definition.name, detectors: compileDefinition(definition) },
      ]),
    ),
    detectors: DETECTORS.filter(
      ({ category, subcategory }) => imported.get(category)?.includes(subcategory) ?? true,
    ),
  };
}

interface ScopedCheck extends GuardrailCheck {
  scope: DetectionScope;
}

/** Returns the checks of detection settings. */
export function compileGuardrails(
  detection: DetectionSettings,
  catalog: DetectionCatalog,
): CompiledGuardrails {
  const checks = [
    ...catalog.detectors.flatMap((detector) => compileDetector(detector, detection)),
    ...(detection.custom_definitions ?? []).flatMap((selection) =>
      compileSelection(selection, detection, catalog),
    ),
  ];
  return { request: listChecks(checks, 'request'), response: listChecks(checks, 'response') };
}

function listChecks(checks: readonly ScopedCheck[], direction: Direction): CheckList {
  const selected = checks.filter(({ scope }) => scope === 'both' || scope === direction);
  const words = new Set(selected.flatMap(({ detector }) => detector.requires?.words ?? []));
  return { checks: selected, words: words.size === 0 ? null : compileWords([...words]) };
}

/** Longer words are tried before their prefixes. */
function compileWords(words: readonly string[]): RegExp {
  const ordered = words.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return new RegExp(`(?<![a-z])(?:${ordered.join('|')})(?![a-z])`, 'g');
}

function compileDetector(detector: Detector, detection: DetectionSettings): ScopedCheck[] {
  const { category, subcategory } = detector;
  const enabled = detection.enabled_categories ?? {};
  if ((enabled[subcategory] ?? enabled[category]) !== true) return [];
  if (!runsAt(detector, readSensitivity(detection, category, subcategory))) return [];
  const action = readAction(detection, category, subcategory);
  return [{ detector, action, scope: detection.category_scopes?.[category] ?? 'both' }];
}

function compileSelection(
  selection: DefinitionSelection,
  detection: DetectionSettings,
  { definitions }: DetectionCatalog,
): ScopedCheck[] {
  const definition = definitions.get(selection.definition_id);
  if (definition === undefined || selection.enabled === false) return [];
  const byPattern = detection.edm_pattern_sensitivities ?? {};
  const sensitivity =
    selection.sensitivity ??
    byPattern[selection.definition_id] ??
    byPattern[definition.name] ??
    DEFAULT_SENSITIVITY;
  return definition.detectors
    .filter((detector) => runsAt(detector, sensitivity))
    .map((detector) => ({
      detector,
      action: selection.action ?? detection.data_risk_action ?? DEFAULT_ACTION,
      scope: selection.scope ?? 'both',
    }));
}

/** Returns the action of a subcategory: its own, else that of its category, else that of all data. */
export function readAction(
  detection: DetectionSettings,
  category: string,
  subcategory: string,
): Action {
  return (
    detection.sub_category_actions?.[category]?.[subcategory] ??
    detection.category_actions?.[category] ??
    (DATA_CATEGORIES.includes(category) ? detection.data_risk_action : undefined) ??
    DEFAULT_ACTION
  );
}

/** Returns the sensitivity of a subcategory, else the highest of its category. */
export function readSensitivity(
  { sub_category_sensitivities, category_sensitivities }: DetectionSettings,
  category: string,
  subcategory: string,
): string {
  const own = sub_category_sensitivities?.[category]?.[subcategory];
  const levels = (own === undefined ? (category_sensitivities?.[category] ?? []) : [own])
    .map((level) => level.toLowerCase())
    .filter((level) => SENSITIVITIES.includes(level));
  return SENSITIVITIES.findLast((level) => levels.includes(level)) ?? DEFAULT_SENSITIVITY;
}

const runsAt = (detector: Detector, sensitivity: string) =>
  SENSITIVITIES.indexOf(detector.level) <= SENSITIVITIES.indexOf(sensitivity);

/** The number of combinations of smart groups with cached guardrails, per app. */
const CACHED_MAX = 64;

/** The guardrails of an app in a snapshot, for callers of any smart groups. */
export class AppGuardrails {
  readonly #config: GuardrailSettings;
  readonly #catalog: DetectionCatalog;
  readonly #cached = new Map<string, CompiledGuardrails>();

  constructor(config: GuardrailSettings, catalog: DetectionCatalog) {
    this.#config = config;
    this.#catalog = catalog;
  }

  /** Returns the guardrails for a caller of these smart groups. */
  forGroups(smartGroups: readonly string[]): CompiledGuardrails {
    const { detection = {}, smart_group_policies = [] } = this.#config;
    const policies = selectGroupPolicies(smart_group_policies, smartGroups);
    const key = JSON.stringify(policies.map(({ group_name }) => group_name));
    let compiled = this.#cached.get(key);
    if (compiled === undefined) {
      compiled = compileGuardrails(mergeGroupPolicies(detection, policies), this.#catalog);
      if (this.#cached.size >= CACHED_MAX) this.#cached.clear();
      this.#cached.set(key, compiled);
    }
    return compiled;
  }
}
