// Access requests: a user asks for a blocked app, a reviewer grants or denies it.
// Main types: `Ask` (a new request), `NotifyReviewers` (notifies the reviewers).
// Invariants: a user has at most one open request for an app; a granted request becomes one override.
// Depends on enrollment, inventory, overrides and notifications.
// Start reading at create-request.ts, then grant-request.ts.
export { type Ask, askForAccess, type NotifyReviewers } from './create-request.ts';
export { registerRequestPages } from './routes.ts';
export { ownRequestRow } from './rows.ts';
export {
  countOpenRequests,
  countPersonsRequests,
  eraseRequests,
  selectRequest,
  selectRequestOf,
  selectRequests,
  withdrawRequests,
} from './store.ts';
export { registerAccessSync } from './sync-routes.ts';
