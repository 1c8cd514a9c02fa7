// Notification channels: where alerts, access requests and digests are delivered (webhook, chat, mail).
// A channel is named alert route on the wire and in its table.
// Main types: `AlertRouting` (dispatches deliveries), `RouteTrial` (a test delivery).
// Invariants: a delivery survives a restart; a dead endpoint delays no other channel; secrets are sealed at rest.
// Depends on groups and on the delivery and job queues of the platform.
// Start reading at dispatch.ts; channel types are in send-message.ts, message formats in messages.ts.

export { createRouteSecrets, SEALED_ROUTES } from './channel-secrets.ts';
export { type RouteTrial, tryRoutes } from './channel-test.ts';
export { countDeliveries } from './delivery-store.ts';
export { type AlertRouting, startAlertRouting } from './dispatch.ts';
export { registerAlertRoutes } from './routes.ts';
export { routesForGroup } from './store.ts';
