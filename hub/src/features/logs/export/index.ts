// Log export: NDJSON streams and the metrics view for collectors.
// Main types: `ExportDeps`, `ScopedResource` (an app or a backend), `ExportStream`, `Window`.
// Invariants: rows come in the order of time and id; a cursor resumes exactly after its row; rows younger than the lag
// are never exported.
// Depends on events, export-keys and metrics.
// Start reading at routes.ts, then window.ts and stream.ts. The columns of a line are in events/llm.ts (`llmEvent`) and
// events/mcp.ts (`toolCallEvent`), their input in shared/wire/nodes/logs.ts.
export {
  type ExportDeps,
  registerLogExport,
  registerMetricsPage,
  type ScopedResource,
} from './routes.ts';
