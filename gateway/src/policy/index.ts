// Policy of the LLM gateway: pure steps that decide whether and where a request goes.
// Main types: `LlmCall`, `Verdict`, `CallerIdentity` (types.ts), `GovernedSettings` (settings.ts), `LimitCounters`.
// Invariants: no I/O; a step never changes its input and returns a verdict; the only state is `LimitCounters`, whose
// clock the caller supplies.
// Order of a request: `applyPolicyAuthority`, `checkSourceAddress`, `identifyCaller`, `checkCaller`,
// `checkConversationId`, `checkBudget`, `admitRequest`, `routeRequest`, `admitModelRequest`, `resolveSystemPrompt`, `saveTokens`, the
// request guardrails; after the response `countTokens`. Start reading at types.ts.

export { indexMembers } from '@gatewarden/shared/guardrails/smart-groups.ts';
export {
  checkCaller,
  checkConversationId,
  checkSourceAddress,
  readConversationId,
} from './access.ts';
export { applyPolicyAuthority, type EffectiveApp } from './authority.ts';
export { checkBudget } from './budget.ts';
export { identifyCaller } from './identity.ts';
export {
  admitModelRequest,
  admitRequest,
  countTokens,
  DURATION_MS,
  LimitCounters,
  type LimitSubject,
  readTimeoutMs,
} from './limits.ts';
export { PROMPT_ID_HEADER, resolveSystemPrompt } from './prompt-store.ts';
export { listModels, routeRequest } from './routing.ts';
export type { GroupKind, LimitSettings, TokenSavingSettings } from './settings.ts';
export { saveTokens } from './token-saving.ts';
export type * from './types.ts';
