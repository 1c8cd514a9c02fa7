// The documents that the hub delivers to a node, and the immutable snapshot that requests are decided with.
import type {
  ProviderSettings,
  ProviderType,
} from '@gatewarden/shared/wire/management/providers.ts';
import type { ConfigurationKind } from '@gatewarden/shared/wire/nodes/configuration.ts';
import type { AppDocument } from '../policy/index.ts';

/** An item of `GET /node/v1/config`. */
export interface ConfigItem {
  kind: ConfigurationKind;
  tenant_id: string;
  id: string;
  deleted: boolean;
  doc: object | null;
}

export interface ProviderDocument {
  label: string;
  provider_name: ProviderType;
  provider_settings: ProviderSettings;
  /** Empty if the provider is unrestricted. */
  selected_models: readonly string[];
  enabled: boolean;
}

export interface PolicyAuthority {
  enabled: boolean;
  active_revision: string | null;
}

/** A key by which an app is identified. Only the hash of its secret reaches a node. */
export interface AppKey {
  tenantId: string;
  keyId: string;
  appId: string;
  /** Milliseconds since 1970, or infinity. */
  expiresAt: number;
}

/** An app of a legacy tenant may have providers of its own besides the tenant's shared providers. */
export interface DeliveredApp extends AppDocument {
  inline_providers: readonly Pick<ProviderDocument, 'provider_name' | 'provider_settings'>[] | null;
}

/** Everything that a node knows about a tenant at a moment. Never changed: a change builds another snapshot. */
export interface TenantSnapshot {
  tenantId: string;
  policyAuthority: PolicyAuthority;
  /** Scopes of spent budgets that block: `organization`, and ids of apps. */
  budgetsExhausted: readonly string[];
  apps: ReadonlyMap<string, DeliveredApp>;
  providers: ReadonlyMap<string, ProviderDocument>;
  /** Contents of prompts by app id, then by prompt id. */
  prompts: ReadonlyMap<string, ReadonlyMap<string, string>>;
  smartGroups: ReadonlyMap<string, object>;
  customDefinitions: ReadonlyMap<string, object>;
  categories: ReadonlyMap<string, object>;
}

export interface ConfigSnapshot {
  tenants: ReadonlyMap<string, TenantSnapshot>;
  /** Keys by the hexadecimal SHA-256 of their secret. */
  keys: ReadonlyMap<string, AppKey>;
  /** Nodes that share the limits of a tenant, at least 1. */
  liveNodes: number;
}
