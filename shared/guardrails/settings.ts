// The sections `detection` and `smart_group_policies` of an app's configuration as TypeScript types. The schemas in
// wire/management/app-config.ts validate them at the hub; a missing field means that the setting is off.
import type { Action, DetectionScope } from '../wire/management/app-config.ts';

export type Sensitivity = 'low' | 'medium' | 'high';

/** Settings of categories, common to an app and to the policy of a smart group. */
export interface CategorySettings {
  /** A key is a category or a subcategory; the value of a subcategory takes precedence. */
  enabled_categories?: Readonly<Record<string, boolean>>;
  category_actions?: Readonly<Record<string, Action>>;
  category_scopes?: Readonly<Record<string, DetectionScope>>;
  category_sensitivities?: Readonly<Record<string, readonly string[]>>;
  sub_category_actions?: Readonly<Record<string, Readonly<Record<string, Action>>>>;
  sub_category_sensitivities?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface DefinitionSelection {
  definition_id: string;
  enabled?: boolean;
  action?: Action;
  scope?: DetectionScope;
  sensitivity?: Sensitivity;
}

export interface DetectionSettings extends CategorySettings {
  custom_definitions?: readonly DefinitionSelection[];
  data_risk_action?: Action;
  edm_pattern_sensitivities?: Readonly<Record<string, Sensitivity>>;
}

export interface SmartGroupPolicy extends CategorySettings {
  group_name: string;
  enabled?: boolean;
  actions?: { data_risk_action?: Action; hallucination_check_action?: 'block' | 'monitor' };
}

/** The sections of a configuration that guardrails evaluate. */
export interface GuardrailSettings {
  detection?: DetectionSettings;
  smart_group_policies?: readonly SmartGroupPolicy[];
}
