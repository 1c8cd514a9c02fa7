// Alerts: what server.ts may use.
export { selectDevicesWithCode } from './devices-with-code.ts';
export { registerAlertPages, registerAlertSync } from './routes.ts';
export {
  countOpenAlerts,
  countOpenAlertsOf,
  eraseAlerts,
  type SentAlert,
  selectAlertsWithCode,
  selectSentAlerts,
} from './store.ts';
