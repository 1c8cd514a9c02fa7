// The closed value lists of the wire. Schemas, SQL checks and pages import these lists.
export const PLATFORMS = ['linux', 'darwin', 'win32'] as const;
export type Platform = (typeof PLATFORMS)[number];

export const ENTITY_KINDS = [
  'application',
  'package',
  'browser_extension',
  'ide_extension',
  'mcp_server',
  'ai_tool',
] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

/** Transports between a client and an MCP server; clients use several names for each. */
export const MCP_TRANSPORTS = ['stdio', 'http', 'sse', 'ws'] as const;
export type McpTransport = (typeof MCP_TRANSPORTS)[number];

export const SCAN_KINDS = ['full', 'delta'] as const;

/** The result of a review. The approval status informs people and enforces nothing. */
export const APPROVAL_STATUSES = ['pending', 'approved', 'restricted', 'blocked'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** The agent's enforcement, from mildest to strictest. */
export const EXECUTION_POLICIES = ['allow', 'monitor', 'warn', 'block', 'quarantine'] as const;
export type ExecutionPolicy = (typeof EXECUTION_POLICIES)[number];

export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const ALERT_ACTIONS = ['block', 'quarantine', 'agent'] as const;
export const SCOPE_KINDS = ['tenant', 'group', 'subscriber', 'device'] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** The tenant's emergency stop: no agent enforces above this ceiling. */
export const ENFORCEMENT_CEILINGS = ['enforce', 'monitor', 'off'] as const;
export type EnforcementCeiling = (typeof ENFORCEMENT_CEILINGS)[number];

/** Reasons that keep an agent from enforcing, in the words of its own status report. */
export const ENFORCEMENT_LIMITS = [
  'configuration',
  'hub',
  'kill_switch',
  'breaker',
  'crash_loop',
  'pause',
  'untested_platform',
] as const;
export type EnforcementLimit = (typeof ENFORCEMENT_LIMITS)[number];

export const MAPPING_MATCHES = ['exact', 'glob'] as const;
/** Console roles, weakest first. A Member uses the MCP gateway and sees only their own data in the console. */
export const ROLES = ['Member', 'Viewer', 'Reviewer', 'Admin'] as const;
export type Role = (typeof ROLES)[number];
/** Roles that a user group can grant to its members. */
export const GROUP_ROLES = ['Viewer', 'Reviewer', 'Admin'] as const satisfies readonly Role[];
export type GroupRole = (typeof GROUP_ROLES)[number];
