// Default policies: the verdict for a kind of entity that no override names.
// Main type: the wire type of shared/wire/console/default-policies.ts.
// Invariants: each kind has at most one default; a default is an override with a deterministic id, so devices need no other rule.
// Depends on overrides, sync and preview.
// Start reading at defaults.ts.
export { registerDefaultPolicies } from './routes.ts';
