// Alerts: what server.ts may use.
export { registerAlertPages, registerAlertSync } from './routes.ts';
export { eraseAlerts, selectSentAlerts } from './store.ts';
