// Processes: what other features and server.ts may use.
export { createProcessMaps } from './map.ts';
export { registerProcessPages, registerProcessSync } from './routes.ts';
export { registerDeviceProcesses, registerRunningSync } from './running-routes.ts';
export {
  countUnhashed,
  forgetProcesses,
  lockUnknownOf,
  type MeantProcesses,
  type RunningRecord,
  selectRunning,
  selectRunningReports,
} from './running-store.ts';
export {
  countUnknown,
  SEARCHED_PROCESSES,
  type SightedProcess,
  selectHashes,
  selectRecentSightings,
} from './store.ts';
