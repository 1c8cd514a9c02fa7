// Policy authority: while a tenant's authority is enabled, the governed sections of an app have the values that the hub
// captured in the app's baseline. Changes that are saved later have no effect until the authority is disabled.

import { type Annotation, CONFIG_SECTIONS } from '@gatewarden/shared/wire/management/app-config.ts';
import type { PolicyAuthority } from '@gatewarden/shared/wire/management/apps.ts';
import type { GovernedSettings } from './settings.ts';
import type { AppDocument } from './types.ts';

/** Sections with the annotation `x-governed`. */
export const GOVERNED_SECTIONS = Object.entries(CONFIG_SECTIONS)
  .filter(([, schema]) => (schema as Annotation)['x-governed'] === true)
  .map(([name]) => name);

export interface EffectiveApp {
  config: GovernedSettings;
  /** Allowed models by provider label, from the baseline; a label without entry is unrestricted. */
  allowedModels: ReadonlyMap<string, ReadonlySet<string>>;
}

interface Baseline {
  config?: Record<string, unknown>;
  allowed_models?: readonly { provider_label?: string; models?: readonly string[] }[];
}

/**
 * Returns the configuration that applies to requests. An app without baseline, created before the authority was
 * enabled, keeps its stored sections: access rules and guardrails never disappear for lack of a baseline.
 */
export function applyPolicyAuthority(
  app: Pick<AppDocument, 'config' | 'policy_baseline'>,
  authority: Pick<PolicyAuthority, 'enabled'>,
): EffectiveApp {
  const stored = app.config as Record<string, unknown>;
  const baseline = app.policy_baseline as Baseline | null | undefined;
  if (!authority.enabled || !baseline?.config) {
    return { config: stored as GovernedSettings, allowedModels: new Map() };
  }
  const config = { ...stored };
  for (const name of GOVERNED_SECTIONS) {
    if (baseline.config[name] === undefined) delete config[name];
    else config[name] = baseline.config[name];
  }
  const allowed = (baseline.allowed_models ?? []).flatMap(({ provider_label, models }) =>
    provider_label === undefined || models === undefined
      ? []
      : [[provider_label, new Set(models)] as const],
  );
  return { config: config as GovernedSettings, allowedModels: new Map(allowed) };
}
