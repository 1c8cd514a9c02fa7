// Alerts: what server.ts may use.
export { registerAlertPages, registerAlertSync } from './routes.ts';
export { selectSentAlert } from './store.ts';
