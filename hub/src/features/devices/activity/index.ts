// Activity: what other features and server.ts may use.
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
