// Log ingest: gateway nodes send LLM requests and tool calls in batches of NDJSON.
// Main types: `LogIngestDeps`, `Naming` (how a line names an app or backend).
// Invariants: a batch is stored completely or not at all; 202 means committed; a repeated id is stored once.
// Depends on events.
// Start reading at routes.ts, then batch.ts and line.ts.
export { type LogIngestDeps, type Naming, registerLogIngest } from './routes.ts';
