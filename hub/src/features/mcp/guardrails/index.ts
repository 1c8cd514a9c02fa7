// Guardrails: rules of a tenant for the content of calls and responses, and for the arguments of tools.
// Main types: `GuardrailSet`, `Guardrail`, `GuardrailFindings`, `Verdict`.
// Invariant: a scan takes linear time and has a time budget; content beyond the limits is blocked, never passed unread.
// Depends on backends and protocol.
// Start reading at guardrail-sets.ts (which guardrails apply) and apply.ts (what they do to a message).
export {
  checkArgumentSchemas,
  type GuardrailFindings,
  guardAnswers,
  guardMessage,
  noFindings,
  rejectBlocked,
  scanSide,
  selectGuardrails,
} from './apply.ts';
export {
  type ApprovalRequirement,
  createGuardrails,
  type GuardrailSet,
  type Guardrails,
} from './guardrail-sets.ts';
export { registerGuardrails } from './routes.ts';
export { scanContent } from './scan.ts';
export { selectAllRules as allCallRules } from './store.ts';
export { toVerdict, type Verdict } from './verdicts.ts';
