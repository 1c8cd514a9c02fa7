// C/mcp/server-status, C/mcp/connection-test and C/mcp/backends/{id}/test: whether MCP servers respond, and who uses them.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Uuid } from '../common.ts';
import { BackendInput } from './mcp-backends.ts';

/**
 * `unknown`: the gateway never contacted the server. `sign_in_required`: the server responded and requires a user's own
 * credential.
 */
export const SERVER_HEALTH_STATES = [
  'unknown',
  'reachable',
  'sign_in_required',
  'unreachable',
] as const;
export type ServerHealthState = (typeof SERVER_HEALTH_STATES)[number];

export const ServerHealth = Type.Object(
  {
    state: OneOf(SERVER_HEALTH_STATES),
    /** The last contact: a call, a list or a test. Up to a minute late while the state stays the same. */
    checked_at: Nullable(Type.String()),
    /** The error of the last contact that failed; it stays after the server responds again. */
    last_error: Nullable(Type.String()),
    last_error_at: Nullable(Type.String()),
  },
  { title: 'McpServerHealth' },
);
export type ServerHealth = Static<typeof ServerHealth>;

/**
 * Users of a server, each counted once. `direct`: a device of the user runs or reaches the server without the gateway.
 * `gateway`: the user called a tool through the gateway in the last 30 days and has no direct use.
 */
export const Adoption = Type.Object(
  { gateway: Type.Integer(), direct: Type.Integer() },
  { title: 'McpAdoption' },
);
export type Adoption = Static<typeof Adoption>;

export const ServerStatus = Type.Object(
  {
    backend_id: Uuid,
    health: ServerHealth,
    /** The number of tools in the last test or review; null before. */
    tool_count: Nullable(Type.Integer()),
    approved_tool_count: Type.Integer(),
    /** Tools that are new or changed since the approval. */
    drifted_tool_count: Type.Integer(),
    adoption: Adoption,
  },
  { title: 'McpServerStatus' },
);
export type ServerStatus = Static<typeof ServerStatus>;
export const ServerStatusAnswer = Type.Object({
  /** A row for each server of the tenant. */
  items: Type.Array(ServerStatus),
  request_id: Type.String(),
});
export type ServerStatusAnswer = Static<typeof ServerStatusAnswer>;

const { url, auth, headers } = BackendInput.properties;
/** The settings of a server that is not saved yet. */
export const ConnectionTestInput = Type.Object(
  { url, auth, headers },
  { additionalProperties: false, title: 'McpConnectionTestInput' },
);
export type ConnectionTestInput = Static<typeof ConnectionTestInput>;

export const ConnectionTest = Type.Object(
  {
    outcome: OneOf(['connected', 'sign_in_required', 'failed']),
    /** The reason of a failure; else null. */
    error: Nullable(Type.String()),
    latency_ms: Type.Integer(),
    /** The tools that the server lists; empty unless connected. */
    tools: Type.Array(Type.Object({ name: Type.String(), description: Nullable(Type.String()) })),
  },
  { title: 'McpConnectionTest' },
);
export type ConnectionTest = Static<typeof ConnectionTest>;
export const ConnectionTestAnswer = Type.Object({
  test: ConnectionTest,
  request_id: Type.String(),
});
export type ConnectionTestAnswer = Static<typeof ConnectionTestAnswer>;
