// Guardrails of the LLM gateway: find content in requests and responses, and monitor, redact or block it.
// Main types: `CompiledGuardrails`, `Detector`, `Span` (types.ts), `AppGuardrails` (compile.ts), `StreamWindow`.
// Invariants: no I/O; linear on hostile text; rows and predictions never contain the content itself; a setting without a
// detector needs a model (model-checks.ts) or is listed by shared/unsupported-settings.ts. Compile once for a snapshot: `compileCatalog` for a tenant, `AppGuardrails`
// for an app. Start reading at detect.ts.
export {
  AppGuardrails,
  type CategoryDocument,
  compileCatalog,
  type DetectionCatalog,
} from '@gatewarden/shared/guardrails/compile.ts';
export {
  buildGuardrailRow,
  decide,
  inspectTexts,
  type Outcome,
  type PartSpan,
} from '@gatewarden/shared/guardrails/detect.ts';
export type { CustomDefinition } from '@gatewarden/shared/guardrails/detectors/index.ts';
export type {
  CheckList,
  CompiledGuardrails,
  Direction,
} from '@gatewarden/shared/guardrails/types.ts';
export {
  AppModelChecks,
  buildModelMessages,
  covers,
  describeFindings,
  type ModelCheck,
  type ModelPlan,
  type ModelQuestion,
  type ReviewedContent,
  readModelFindings,
  TASK_ADHERENCE,
} from './model-checks.ts';
export { StreamWindow } from './stream-window.ts';
