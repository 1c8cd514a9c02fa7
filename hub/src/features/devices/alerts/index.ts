// Alerts: what server.ts may use.
export { registerAlertPages, registerAlertSync } from './routes.ts';
export { countOpenAlerts, eraseAlerts, selectSentAlerts } from './store.ts';
