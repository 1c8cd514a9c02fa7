// Log ingest: what the composition may use.
export { type LogIngestDeps, type Named, type Naming, registerLogIngest } from './routes.ts';
