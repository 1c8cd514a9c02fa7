// Lifecycle: retiring, restoring and erasing devices, and the settings of a device.
// Main types: none of its own; it changes rows of enrollment and inventory.
// Invariants: erasing leaves no row that names the user; a retired device syncs nothing. See ADR 0034.
// Depends on every room that stores rows of a device.
// Start reading at routes.ts and store.ts.
export { registerDeviceLifecycle, registerRetirement } from './routes.ts';
export { selectOwnedSince } from './store.ts';
export { auditViews } from './views.ts';
