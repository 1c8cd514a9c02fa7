// Configuration history: versions of apps, and the audit events of the management API.
// Start reading at store.ts.
export { historyRoutes, versionOf } from './routes.ts';
export { configurationAt, insertVersion } from './store.ts';
