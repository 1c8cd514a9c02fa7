// Activity: executions that devices allowed, warned about or blocked.
// Main types: `ActivityRecord`, `RecentProcess`.
// Invariants: a record is stored once per device and record id; old records go with their partition.
// Depends on enrollment.
// Start reading at routes.ts and store.ts.
export { activityRow, registerActivityPages, registerActivitySync } from './routes.ts';
export {
  type ActivityRecord,
  countBlocks,
  eraseActivity,
  type RecentProcess,
  selectActivity,
  selectOneActivity,
  selectRecentProcesses,
} from './store.ts';
