// Device lifecycle: what server.ts and routes.ts may use.
export { recordView, registerDeviceLifecycle } from './routes.ts';
