// Processes: what other features and server.ts may use.
export { createProcessMaps } from './map.ts';
export { registerProcessPages, registerProcessSync } from './routes.ts';
export { type SightedProcess, selectRecentSightings } from './store.ts';
