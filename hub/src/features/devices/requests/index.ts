// Access requests: what other features and server.ts may use.
export { type Ask, askForAccess, type TellReviewers } from './ask.ts';
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
