// The governed sections of an app's configuration as TypeScript types. The schemas in shared/wire/management/app-config.ts
// validate the sections at the hub; a missing field means that the setting is off.
import type { GuardrailSettings } from '@gatewarden/shared/guardrails/settings.ts';

export interface AccessSettings {
  /** A list, or an object that can be switched off. Items are addresses or networks such as 10.0.0.0/8. */
  allowed_source_ips?: readonly string[] | { enabled?: boolean; ips?: readonly string[] } | null;
  allowed_user_domains?: readonly string[];
  allowed_user_emails?: readonly string[];
  identity_token_headers?: readonly string[];
  enforce_conversation_id?: boolean;
  enforce_identity?: boolean;
  /** True: the identity headers contain an e-mail address. Otherwise they contain a token. */
  identity_header_mode?: boolean;
  identity_token_oid_fallback?: boolean;
  jwt_auth?: JwtSettings | null;
}

export interface JwtSettings {
  enabled?: boolean;
  allowed_issuers?: readonly string[];
  allowed_client_ids?: readonly string[];
  public_key_pem?: string;
  kid?: string;
}

/** At most `value` events in a sliding window of `duration`; 0 is no limit. */
export interface RateLimit {
  value: number;
  duration: 'minute' | 'hour' | 'day';
}

export interface TokenLimits {
  max_per_request?: number | null;
  input?: RateLimit | null;
  output?: RateLimit | null;
}

/** The limits that an app and a model of a provider have in common. */
export interface SharedLimits {
  concurrency_per_minute?: number | null;
  rate_limit?: RateLimit | null;
  token_limits?: TokenLimits;
  /** Seconds. */
  timeout?: number | null;
}

export interface ModelLimits extends SharedLimits {
  provider_label: string;
  model: string;
}

export interface LimitSettings extends SharedLimits {
  rate_limit_per_minute?: number;
  model_rate_limits?: readonly ModelLimits[];
}

export type GroupKind =
  | 'chat_completion'
  | 'vendorC_messages'
  | 'vendorE_ai'
  | 'responses'
  | 'realtime'
  | 'vendorG_runtime';

export interface RoutingGroup {
  group_name: string;
  group_kind?: GroupKind;
  models: readonly {
    provider_name: string;
    model_name: string;
    /** The label of an attached provider; without it, any attached provider of the type. */
    credential_source?: string;
    weight: number;
  }[];
}

export type ContextSize = 'Low_Context_Request' | 'Medium_Context_Request' | 'High_Context_Request';

export interface CustomRoute {
  group?: GroupKind;
  type: ContextSize;
  is_published: boolean;
  models: readonly {
    provider_name: string;
    model: string;
    label?: string;
    credential_source?: string;
  }[];
}

export interface RoutingSettings {
  routing_groups?: readonly RoutingGroup[];
  token_based_routing_groups?: readonly RoutingGroup[];
  custom_routing?: readonly CustomRoute[];
  routing_thresholds?: { low_max_words: number; medium_max_words: number };
}

export interface TokenSavingSettings {
  smart_json_compression?: boolean;
  html_to_text?: boolean;
  markdown_to_text?: boolean;
  text_compression?: boolean;
}

/** The sections of a configuration that this folder evaluates, and those of guardrails. */
export interface GovernedSettings extends GuardrailSettings {
  access?: AccessSettings;
  limits?: LimitSettings;
  routing?: RoutingSettings;
  transformations?: { token_saving?: TokenSavingSettings };
  prompts?: { require_system_from_store?: boolean };
}
