// Placement of each table on Citus (docs/how-to/scale-with-citus.md). `migrate` applies this list, `doctor` checks it, and a
// test fails for a table without an entry. A plain PostgreSQL is unaffected.

/**
 * `tenant`: distributed over the workers by tenant_id. All rows of a tenant are on the same worker, where they are joined,
 * written and committed. `everywhere`: a copy on each node. `coordinator`: a local table beside those of pg-boss.
 */
export type Placement = 'tenant' | 'everywhere' | 'coordinator';

const TENANT_TABLES = [
  // The first table is the anchor: the other tables are colocated with it.
  'feeds',
  'feed_marks',
  'collection_versions',
  'configuration_items',
  'audit_checkpoints',
  'audit_events',
  'idempotency_keys',
  'operations',
  'search_grams',
  // People.
  'people_group_members',
  'people_groups',
  'saved_views',
  // Devices.
  'access_requests',
  'activity',
  'activity_ids',
  'agent_release_groups',
  'alert_ids',
  'alerts',
  'application_versions',
  'batches',
  'coverage',
  'daily_counts',
  'default_policies',
  'device_group_departures',
  'device_group_members',
  'device_groups',
  'device_tenures',
  'devices',
  'entities',
  'inventory_products',
  'override_departures',
  'override_rollouts',
  'overrides',
  'process_mappings',
  'product_decisions',
  'product_drifts',
  'product_policies',
  'product_versions',
  'products',
  'running_processes',
  'running_reports',
  'scans',
  'launch_baselines',
  'unknown_process_sightings',
  'unknown_processes',
  // Notifications.
  'channel_meters',
  'notification_channels',
  'notification_deliveries',
  // Management.
  'app_keys',
  'app_versions',
  'apps',
  'custom_definitions',
  'detection_categories',
  'policy_authority',
  'prompts',
  'provider_tests',
  'providers',
  'smart_groups',
  'key_notices',
  // Logs.
  'app_alert_states',
  'llm_budget_notices',
  'llm_budgets',
  'llm_prices',
  'llm_request_ids',
  'llm_requests',
  'llm_spend',
  'log_settings',
  'mcp_tool_call_ids',
  'mcp_tool_calls',
  // The MCP gateway.
  'mcp_approvals',
  'mcp_backends',
  'mcp_call_rules',
  'mcp_connections',
  'mcp_grants',
  'mcp_mail',
  'mcp_rules',
  'mcp_server_health',
  'mcp_settings',
  'mcp_tool_pins',
  'mcp_upstream_clients',
] as const;

/** Tables that are not distributed by tenant, with the reason. */
const UNDISTRIBUTED: Record<string, { placement: Exclude<Placement, 'tenant'>; reason: string }> = {
  tenants: {
    placement: 'everywhere',
    reason: 'joined with tables of the tenant and with local tables; small and rarely written',
  },
  ...onCoordinator('belongs to the installation, not to a tenant', [
    'configuration_feed',
    'hub_processes',
    'installation',
    'installation_secrets',
    'agent_releases',
    'agent_release_pieces',
  ]),
  ...onCoordinator('used before the tenant of a user is known', [
    'accounts',
    'oidc_payloads',
    'sessions',
  ]),
  ...onCoordinator('queried by e-mail address over all tenants with each request of a user', [
    'members',
    'session_tenants',
  ]),
  ...onCoordinator('queried by the hash of a secret, which determines the tenant', [
    'agent_tokens',
    'log_export_keys',
    'management_keys',
    'mcp_api_tokens',
    'mcp_authorizations',
    'mcp_codes',
    'mcp_grant_starts',
    'mcp_sessions',
    'mcp_stream_events',
    'mcp_streams',
    'mcp_subscriptions',
    'mcp_tokens',
    'mcp_upstream_sessions',
    'node_tokens',
    'scim_tokens',
    'user_invitations',
  ]),
  ...onCoordinator('joined with management_keys with each management request', [
    'management_settings',
  ]),
  ...onCoordinator('belongs to gateway nodes, which may serve all tenants', [
    'node_deliveries',
    'node_instances',
  ]),
  ...onCoordinator('belongs to an MCP URL, which may have no tenant', ['mcp_redirect_uris']),
};

function onCoordinator(reason: string, tables: readonly string[]) {
  return Object.fromEntries(
    tables.map((table) => [table, { placement: 'coordinator' as const, reason }]),
  );
}

/** The table with which all tables of a tenant are colocated. */
export const ANCHOR = TENANT_TABLES[0];

/** Placements of all tables except partitions, which follow their table, and tables of libraries. */
export const PLACEMENTS: ReadonlyMap<string, Placement> = new Map<string, Placement>([
  ...TENANT_TABLES.map((table): [string, Placement] => [table, 'tenant']),
  ...Object.entries(UNDISTRIBUTED).map(([table, { placement }]): [string, Placement] => [
    table,
    placement,
  ]),
]);
