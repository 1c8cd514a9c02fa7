// Self-service: the pages on which users see their own devices and ask for access.
// Main types: none of its own; rows come from inventory and access-requests.
// Invariants: a user reads only devices that are assigned to that user.
// Depends on inventory, overrides and access-requests.
// Start reading at routes.ts.
export { registerOwnRequests } from './request-routes.ts';
export { registerOwnDevices } from './routes.ts';
