// Alerts: events of devices that need attention, with assignment and acknowledgement.
// Main types: `SentAlert` (as a device sent it).
// Invariants: an alert is stored once per device and alert id; acknowledging a cluster acknowledges each of its alerts.
// Depends on enrollment and notifications.
// Start reading at routes.ts and store.ts.
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
