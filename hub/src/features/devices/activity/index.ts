// Activity: what other features and server.ts may use.
export { registerActivityPages, registerActivitySync } from './routes.ts';
export {
  countBlocks,
  eraseActivity,
  type RecentProcess,
  selectRecentProcesses,
} from './store.ts';
