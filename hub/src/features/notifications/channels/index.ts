// Notifications: the channels of a tenant, and the deliveries of events to channels and to targets of gateway apps.
// Main types: `NotificationService` (notifies of events), `Claim` (a delivery under way), `MessageFormats` (of a message).
// Invariants: a delivery is stored with its event and survives a restart; a dead target delays no other target; secrets are
// sealed at rest. Depends on the delivery and job queues of the platform only: events are read by functions passed in.
// Start reading at notification-service.ts, then deliver.ts; targets are in send-message.ts, formats in messages.ts.

export { registerChannels } from './channel-routes.ts';
export { createChannelSecrets, SEALED_CHANNELS } from './channel-secrets.ts';
export { selectChannelNamesOfGroup } from './channel-store.ts';
export { type AppTarget, countDeliveries } from './delivery-store.ts';
export type { MessageFormats } from './messages.ts';
export {
  type NotificationDeps,
  type NotificationService,
  startNotificationService,
} from './notification-service.ts';
export { type ChannelTestResult, testChannels } from './test-channels.ts';
