// Configuration history: what other features may use.
export { historyRoutes, versionOf } from './routes.ts';
export { insertVersion } from './store.ts';
