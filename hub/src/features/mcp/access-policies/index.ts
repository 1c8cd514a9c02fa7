// Access policies: which users may use which tools of which MCP servers.
// Main types: `AccessPolicies`, `Policy`, `Decision`, `ToolRules`.
// Invariant: deny wins; the same function decides for lists, calls and streams.
// Depends on backends, tool-pinning and people.
// Start reading at `decide` in evaluate.ts; access.ts answers who may call a tool.
export { registerMcpAccess } from './access.ts';
export type { Decision } from './evaluate.ts';
export { registerAccessMatrix } from './matrix-routes.ts';
export { matchesToolRules, type ToolRules } from './patterns.ts';
export { type AccessPolicies, createAccessPolicies, type Policy } from './policies.ts';
export { registerAccessPolicies, ruleWith } from './routes.ts';
export { deleteRulesOf, eraseRulesFor, isGroupNamed } from './store.ts';
