// Management keys: authentication, the administrators' routes, and creation by the operator.
// Start reading at routes.ts.
export { ISSUED_MANAGEMENT_KEYS } from './issued.ts';
export { createManagementKey, managementKeyRoutes } from './routes.ts';
export { selectKeyStates } from './store.ts';
export { createKeyUses, type KeyUses } from './uses.ts';
