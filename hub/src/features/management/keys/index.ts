// Management keys: what the gate asks, the administrators' routes, and the operator's way to make one.
export { ISSUED_MANAGEMENT_KEYS } from './issued.ts';
export { createManagementKey, managementKeyRoutes } from './routes.ts';
export { selectKeyStates } from './store.ts';
export { createKeyUses, type KeyUses } from './uses.ts';
