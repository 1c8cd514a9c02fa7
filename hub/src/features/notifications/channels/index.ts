// Notification channels: where alerts, access requests and digests are delivered (webhook, chat, mail).
// A channel is named alert channel on the wire and in its table.
// Main types: `NotificationService` (dispatches deliveries), `ChannelTestResult` (a test delivery).
// Invariants: a delivery survives a restart; a dead endpoint delays no other channel; secrets are sealed at rest.
// Depends on groups and on the delivery and job queues of the platform.
// Start reading at dispatch.ts; channel types are in send-message.ts, message formats in messages.ts.

export { registerChannels } from './channel-routes.ts';
export { createChannelSecrets, SEALED_CHANNELS } from './channel-secrets.ts';
export { selectChannelNamesOfGroup } from './channel-store.ts';
export { countDeliveries } from './delivery-store.ts';
export { type NotificationService, startNotificationService } from './dispatch.ts';
export { type ChannelTestResult, testChannels } from './test-channels.ts';
