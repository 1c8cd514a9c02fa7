// The placement of each table on Citus (docs/how-to/scale-with-citus.md). `migrate` applies the list, `doctor` checks it, and a
// test fails for a table without a row. A plain PostgreSQL ignores it.

/**
 * `tenant`: spread over the workers by tenant_id, all of one tenant on one of them, so that what belongs together is
 * joined, written and committed there. `everywhere`: a copy on each node. `coordinator`: an ordinary table beside the
 * jobs of pg-boss, which are ordinary tables, too.
 */
export type Placement = 'tenant' | 'everywhere' | 'coordinator';

const OF_TENANT = [
  // First of all: the others stand where its rows stand.
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
  'alert_deliveries',
  'alert_ids',
  'alert_route_meters',
  'alert_routes',
  'alerts',
  'application_versions',
  'batches',
  'coverage',
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
  'seen_launches',
  'unknown_process_sightings',
  'unknown_processes',
  // Management.
  'app_keys',
  'app_versions',
  'apps',
  'custom_definitions',
  'detection_categories',
  'policy_authority',
  'prompts',
  'providers',
  'smart_groups',
  'key_notices',
  // Logs.
  'app_alert_deliveries',
  'app_alert_states',
  'llm_request_ids',
  'llm_requests',
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
  'mcp_settings',
  'mcp_tool_pins',
  'mcp_upstream_clients',
] as const;

/** Why a table does not stand with its tenant. */
const ELSEWHERE: Record<string, { placement: Exclude<Placement, 'tenant'>; why: string }> = {
  tenants: {
    placement: 'everywhere',
    why: 'joined with tables of the tenant and with those that are looked up from outside one; small, seldom written',
  },
  ...onCoordinator('of the installation, of no tenant', [
    'configuration_feed',
    'hub_processes',
    'installation',
    'installation_secrets',
    'agent_releases',
    'agent_release_pieces',
  ]),
  ...onCoordinator('of people before it is known which tenant they come to', [
    'accounts',
    'oidc_payloads',
    'sessions',
  ]),
  ...onCoordinator('asked by e-mail address, over all tenants, with each request of a person', [
    'members',
    'session_tenants',
  ]),
  ...onCoordinator('looked up by the hash of a secret, which says the tenant', [
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
  ]),
  ...onCoordinator('read in one statement with management_keys, with each request of a program', [
    'management_settings',
  ]),
  ...onCoordinator('of gateway nodes, some of which follow all tenants', ['node_deliveries']),
  ...onCoordinator('of an MCP URL, which may be of no tenant', ['mcp_redirect_uris']),
};

function onCoordinator(why: string, tables: readonly string[]) {
  return Object.fromEntries(
    tables.map((table) => [table, { placement: 'coordinator' as const, why }]),
  );
}

/** Stands first in its group: the tables of a tenant are put where this one's rows are. */
export const ANCHOR = OF_TENANT[0];

/** Every table of the schema but partitions, which follow theirs, and the bookkeeping of libraries. */
export const PLACEMENTS: ReadonlyMap<string, Placement> = new Map<string, Placement>([
  ...OF_TENANT.map((table): [string, Placement] => [table, 'tenant']),
  ...Object.entries(ELSEWHERE).map(([table, one]): [string, Placement] => [table, one.placement]),
]);
