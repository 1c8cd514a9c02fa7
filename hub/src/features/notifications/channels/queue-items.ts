// Jobs of deliveries. The concurrency key of a job is the target of its delivery: targets do not delay each other.
import type { TargetColumns } from './delivery-store.ts';

/** Returns the key of a target: the id of a channel, or an app with an address or webhook. */
export const targetKey = (target: TargetColumns): string =>
  target.channel_id ?? `${target.app_id} ${target.app_target_kind} ${target.app_target}`;

/** Returns the job of a delivery to a target. */
export const toQueueItem = (tenantId: string, target: string, deliveryId: string) => ({
  data: { tenant_id: tenantId, delivery_id: deliveryId },
  concurrencyKey: target,
  deduplicationKey: deliveryId,
  owner: tenantId,
});

/** Returns a job that a user waits for: it runs at once, also while the target fails or other messages to it hang. */
export const toAwaitedItem = (tenantId: string, target: string, deliveryId: string) => ({
  ...toQueueItem(tenantId, target, deliveryId),
  concurrencyKey: `${target} now`,
  isAwaited: true,
});

/** Returns jobs that retry deliveries now. The job of the scheduled attempt may still be waiting, so the key differs. */
export function toRetryItems(tenantId: string, target: string, deliveryIds: readonly string[]) {
  const toItem = deliveryIds.length === 1 ? toAwaitedItem : toQueueItem;
  return deliveryIds.map((id) => ({
    ...toItem(tenantId, target, id),
    deduplicationKey: `${id} now`,
  }));
}
