// Log ingest: what the composition may use.
export { type LogIngestDeps, type Naming, registerLogIngest } from './routes.ts';
