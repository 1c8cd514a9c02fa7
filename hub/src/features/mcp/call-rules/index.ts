// The rules that calls through the gateway must meet: what the gateway and the composition may use.
export { type TimeLeft, TooSlow, timeFor } from './brief.ts';
export { registerCallRules } from './routes.ts';
export { type Guardrail, type Prediction, type Scanned, scanned } from './scan.ts';
export { type CompiledSchema, failureOf } from './schemas.ts';
export { type ApprovalNeed, createCallRules, type RuleSet, type Rules } from './sets.ts';
export { selectAllRules as allCallRules } from './store.ts';
