// Alerts: what server.ts may use.
export { registerAlertPages, registerAlertSync } from './routes.ts';
export { countOpenAlerts, eraseAlerts, type SentAlert, selectSentAlerts } from './store.ts';
