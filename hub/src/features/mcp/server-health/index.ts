// Health of MCP servers: the outcome of the last contact, and tests of a connection before and after a server is saved.
// Main types: `HealthRecorder`, `HealthRow`.
// Invariants: a contact of the gateway writes at most once a minute while the state stays the same; a test of unsaved
// settings stores nothing.
// Depends on upstream, backends and catalog.
// Start reading at `createHealthRecorder` in recorder.ts and `testConnection` in test-connection.ts.
export { createHealthRecorder, type HealthRecorder } from './recorder.ts';
export { registerConnectionTests } from './routes.ts';
export { deleteHealthOf, type HealthRow, selectHealth } from './store.ts';
