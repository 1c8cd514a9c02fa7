// Configuration history: what other features may use.
export { historyRoutes, versionOf } from './routes.ts';
export { configurationAt, insertVersion } from './store.ts';
