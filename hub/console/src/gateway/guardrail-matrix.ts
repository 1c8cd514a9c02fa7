// The guardrail matrix of an app: a row per category with action, sensitivity and scope, and presets that fill it. Pure.
import type { GuardrailCategory } from '@gatewarden/shared/wire/console/guardrail-tests.ts';
import type { Action, DetectionScope } from '@gatewarden/shared/wire/management/app-config.ts';

export const SENSITIVITIES = ['low', 'medium', 'high'] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];

/** The settings of a category; `off` does not look for its content. */
export interface GuardrailRow {
  action: Action | 'off';
  sensitivity: Sensitivity;
  scope: DetectionScope;
}

/** Rows by the id of the category. */
export type GuardrailMatrix = Readonly<Record<string, GuardrailRow>>;

/** The section `detection` of an app, as far as the matrix reads and writes it. */
interface Detection {
  enabled_categories?: Record<string, boolean>;
  category_actions?: Record<string, Action>;
  category_sensitivities?: Record<string, string[]>;
  category_scopes?: Record<string, DetectionScope>;
  data_risk_action?: Action;
}

/** Categories of data, for which `data_risk_action` is the default action. */
const DATA = ['pii', 'phi', 'pci', 'pfi', 'secrets'];

/** Returns the matrix of stored settings, with the gateway's defaults for what is not set. */
export function readMatrix(
  categories: readonly GuardrailCategory[],
  stored: unknown,
): GuardrailMatrix {
  const detection = (stored ?? {}) as Detection;
  return Object.fromEntries(
    categories.map(({ id }) => [
      id,
      {
        action: detection.enabled_categories?.[id] === true ? readAction(id, detection) : 'off',
        sensitivity: readSensitivity(detection.category_sensitivities?.[id]),
        scope: detection.category_scopes?.[id] ?? 'both',
      } satisfies GuardrailRow,
    ]),
  );
}

function readAction(id: string, detection: Detection): Action {
  const fallback = DATA.includes(id) ? detection.data_risk_action : undefined;
  return detection.category_actions?.[id] ?? fallback ?? 'monitor';
}

/** Returns the highest of the levels, which the gateway applies as well. */
function readSensitivity(levels: readonly string[] | undefined): Sensitivity {
  const known = SENSITIVITIES.filter((level) => levels?.includes(level) === true);
  return known.at(-1) ?? 'medium';
}

/** Returns the number and the settings of the rows that differ from the stored matrix; undefined if none does. */
export function diffDetection(
  before: GuardrailMatrix,
  after: GuardrailMatrix,
): { count: number; settings: object } | undefined {
  const changed = Object.entries(after).filter(([id, row]) => !isEqualRow(row, before[id]));
  if (changed.length === 0) return undefined;
  return { count: changed.length, settings: detectionSettings(changed) };
}

/** Returns the section `detection` of all rows, over the stored section, for a trial of unsaved settings. */
export function mergeMatrix(stored: unknown, matrix: GuardrailMatrix): Record<string, unknown> {
  const base = (stored ?? {}) as Record<string, unknown>;
  const merged: Record<string, unknown> = { ...base };
  for (const [name, values] of Object.entries(detectionSettings(Object.entries(matrix)))) {
    merged[name] = { ...(base[name] as object | undefined), ...values };
  }
  return merged;
}

function detectionSettings(rows: readonly [string, GuardrailRow][]) {
  const active = rows.filter(([, { action }]) => action !== 'off');
  const byId = <Value>(select: (row: GuardrailRow) => Value, from = active) =>
    Object.fromEntries(from.map(([id, row]) => [id, select(row)]));
  return {
    enabled_categories: byId(({ action }) => action !== 'off', [...rows]),
    category_actions: byId(({ action }) => action),
    category_sensitivities: byId(({ sensitivity }) => [sensitivity]),
    category_scopes: byId(({ scope }) => scope),
  };
}

const isEqualRow = (a: GuardrailRow, b: GuardrailRow | undefined) =>
  a.action === b?.action && a.sensitivity === b.sensitivity && a.scope === b.scope;

export const PRESETS = ['monitor', 'balanced', 'strict'] as const;
export type Preset = (typeof PRESETS)[number];

type PresetRow = readonly [Action, Sensitivity];

const OFF: GuardrailRow = { action: 'off', sensitivity: 'medium', scope: 'both' };

/** Categories without an entry are only logged. */
const PRESET_ROWS: Readonly<Record<Preset, Readonly<Record<string, PresetRow>>>> = {
  monitor: {},
  balanced: {
    secrets: ['redact', 'medium'],
    pci: ['redact', 'medium'],
    phi: ['redact', 'medium'],
    pfi: ['partial-redact', 'medium'],
    pii: ['partial-redact', 'medium'],
    prompt_injection: ['block', 'low'],
  },
  strict: {
    secrets: ['block', 'high'],
    pci: ['block', 'high'],
    phi: ['redact', 'high'],
    pfi: ['redact', 'high'],
    pii: ['redact', 'high'],
    prompt_injection: ['block', 'high'],
    jailbreak: ['block', 'high'],
    security_exploit: ['block', 'high'],
  },
};

/**
 * Returns the matrix of a preset. An action that a category does not offer becomes `monitor`. Content that no detector
 * recognizes stays off, so that a preset promises nothing.
 */
export function presetMatrix(
  categories: readonly GuardrailCategory[],
  preset: Preset,
): GuardrailMatrix {
  return Object.fromEntries(
    categories.map(({ id, actions, has_detector: hasDetector }) => {
      if (!hasDetector) return [id, OFF];
      const [action, sensitivity] = PRESET_ROWS[preset][id] ?? ['monitor', 'medium'];
      const isOffered = actions.includes(action);
      return [id, { action: isOffered ? action : 'monitor', sensitivity, scope: 'both' }];
    }),
  );
}

/** Returns the preset that equals the matrix; null for custom settings. */
export function findPreset(
  categories: readonly GuardrailCategory[],
  matrix: GuardrailMatrix,
): Preset | null {
  const isEqual = (preset: Preset) => {
    const rows = presetMatrix(categories, preset);
    return categories.every(
      ({ id }) => matrix[id] !== undefined && isEqualRow(matrix[id], rows[id]),
    );
  };
  return PRESETS.find(isEqual) ?? null;
}
