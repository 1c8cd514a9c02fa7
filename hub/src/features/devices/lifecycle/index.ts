// Device lifecycle: what server.ts and routes.ts may use.
export { registerDeviceLifecycle, registerRetirement } from './routes.ts';
export { selectOwnedSince } from './store.ts';
export { auditViews } from './views.ts';
