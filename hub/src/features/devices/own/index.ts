// A person's own devices: what server.ts may use.
export { registerOwnRequests } from './request-routes.ts';
export { registerOwnDevices } from './routes.ts';
