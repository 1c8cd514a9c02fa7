// Log events: LLM requests and MCP tool calls as they are stored, redacted and indexed.
// Main types: `LlmRow`, `ToolCallRow`, `Micros` (microseconds since 1970), `LogSettings`.
// Invariants: an event is stored once per tenant and id; it is redacted before it is stored; its stored time never
// changes.
// Depends on shared/redaction and the partitions of platform/db.
// Start reading at llm.ts and mcp.ts, then store.ts.
export { currentEvent, currentFields } from './current.ts';
export { FINDINGS } from './findings.ts';
export {
  costOf,
  foldEmail,
  type KnownApp,
  keyText,
  type LlmRow,
  llmRow,
  type ModelCost,
} from './llm.ts';
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
  requestIdHash,
  selectLogSettings,
  selectShortRetentions,
  storeLogSettings,
} from './store.ts';
export { MICROS, type Micros, microsText, millisText, nowMicros, parseMicros } from './times.ts';
