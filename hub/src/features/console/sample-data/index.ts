// Sample data: fills an empty tenant through the public APIs, so that a person sees every page before the first device.
// Main types: `SampleTarget` (where to, with tokens), `SampleCounts`, `SampleFleet`. Invariants: the same seed and time give
// the same data; nothing but public APIs is used to load it. Depends on `shared` for loading, on the database for removing.
// Start reading at load.ts.
export { createHttpSender, type SampleTarget, type SampleTokens } from './api.ts';
export { loadSampleData, type SampleCounts } from './load.ts';
export { removeSampleData, SAMPLE_TOKEN_NAME } from './remove.ts';
export { registerSampleData, type SampleDataDeps } from './routes.ts';
export { isTenantEmpty } from './store.ts';
