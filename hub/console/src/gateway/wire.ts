// Responses of the gateway's routes.
import type { AppMode } from '@gatewarden/shared/wire/management/app-config.ts';
import type { AppWire } from '@gatewarden/shared/wire/management/apps.ts';
import type { ActorWire } from '@gatewarden/shared/wire/management/common.ts';

export interface GatewayApp extends AppWire {
  mode: AppMode;
  enabled: boolean;
  provider_labels: string[];
  tags: string[];
  policy_authority: { enabled: boolean };
  inline_providers?: { provider_name: string }[];
  created_at: number;
  updated_at: number;
}

export interface AppWritten {
  app: GatewayApp;
  inactive_under_gwql?: { fields: string[] };
  warnings?: { code: string; message: string }[];
}

export interface VersionFacts {
  version_id: string;
  created_at: number;
  actor: ActorWire;
  operation: string;
  changed: string[];
}

export interface VersionRecord extends VersionFacts {
  previous_config: Record<string, unknown>;
  new_config: Record<string, unknown>;
}

export interface AuditEvent {
  event_id: string;
  actor: ActorWire;
  operation: string;
  resource: { kind: string; id: string };
  request_id: string | null;
  result: string;
  created_at: number;
  changes: Record<string, unknown>;
}

export interface SmartGroup {
  group_name: string;
  description: string | null;
  members: string[];
}

export interface CustomDefinition {
  edm_id: string;
  name: string;
  description: string | null;
  patterns?: { pattern: string }[];
  /** Number of exact values, which are never shown. */
  values_count?: number;
}
