// Processes: running programs that devices report, and the mappings that name the unknown ones.
// Main types: `RunningRecord` (a process of a device), `SightedProcess`.
// Invariants: a mapping names a process for all devices of its tenant; an unknown process is listed once per hash or path.
// Depends on enrollment and inventory.
// Start reading at routes.ts and store.ts.
export { createProcessMaps } from './mapping-cache.ts';
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
