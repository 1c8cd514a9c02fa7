// Who may use which tools: what the gateway and the composition may use.
export { registerMcpAccess } from './access.ts';
export type { Decision } from './decide.ts';
export { mayUse, type ToolRules } from './patterns.ts';
export { registerMcpRules, ruleWith } from './routes.ts';
export { createMcpRules, type McpRules, type Policy } from './rules.ts';
export { deleteRulesOf, eraseRulesFor, isGroupNamed } from './store.ts';
