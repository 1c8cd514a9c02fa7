// Alerts: what server.ts may use.
export { registerAlertPages, registerAlertSync } from './routes.ts';
export {
  countOpenAlerts,
  eraseAlerts,
  type SentAlert,
  selectAlertsWithCode,
  selectSentAlerts,
} from './store.ts';
