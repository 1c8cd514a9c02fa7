// A person's own devices: what server.ts may use.
export { registerOwnDevices } from './routes.ts';
