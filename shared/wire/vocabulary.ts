// The closed value lists of the wire. One list each: schemas, SQL checks and pages all read these.
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

/** How a client talks to an MCP server, whatever it calls that. */
export const MCP_TRANSPORTS = ['stdio', 'http', 'sse', 'ws'] as const;
export type McpTransport = (typeof MCP_TRANSPORTS)[number];

export const SCAN_KINDS = ['full', 'delta'] as const;

/** What a reviewer says about a thing; it informs people. */
export const APPROVAL_STATUSES = ['pending', 'approved', 'restricted', 'blocked'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** What the agent does, from mildest to strictest. */
export const EXECUTION_POLICIES = ['allow', 'monitor', 'warn', 'block', 'quarantine'] as const;
export type ExecutionPolicy = (typeof EXECUTION_POLICIES)[number];

export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const ALERT_ACTIONS = ['block', 'quarantine', 'agent'] as const;
export const SCOPE_KINDS = ['tenant', 'group', 'subscriber', 'device'] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** The tenant's emergency stop: no agent enforces above it. */
export const ENFORCEMENT_CEILINGS = ['enforce', 'monitor', 'off'] as const;
export type EnforcementCeiling = (typeof ENFORCEMENT_CEILINGS)[number];

/** What holds an agent at less than enforcing, as it says on its device. */
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
/** People's roles, weakest first; a Member uses the MCP gateway, and of the console only what is their own. */
export const ROLES = ['Member', 'Viewer', 'Reviewer', 'Admin'] as const;
export type Role = (typeof ROLES)[number];
/** What a group can lift people to. */
export const GROUP_ROLES = ['Viewer', 'Reviewer', 'Admin'] as const satisfies readonly Role[];
export type GroupRole = (typeof GROUP_ROLES)[number];
