// Log rows: what the other features of the wing use.
export { currentEvent, currentFields } from './current.ts';
export { FINDINGS } from './findings.ts';
export { foldEmail, type KnownApp, keyText, type LlmRow, llmRow, type ModelCost } from './llm.ts';
export {
  type Decided,
  type KnownBackend,
  type LoggedFor,
  type ToolCallRow,
  toolCallRow,
} from './mcp.ts';
export {
  countRecentLogs,
  deleteBefore,
  deletePersonsRows,
  insertLlmRows,
  insertToolCalls,
  LOG_DEFAULTS,
  type LogSettings,
  RETENTION_DAYS,
  requestIdHash,
  selectLogSettings,
  selectShortened,
  storeLogSettings,
} from './store.ts';
export { MICROS, type Micros, microsText, millisText, nowMicros, parseMicros } from './times.ts';
