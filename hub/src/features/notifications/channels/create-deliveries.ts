// Creates the deliveries of new alerts: separate messages, or parts of a digest above the channel's limit per minute.
import { randomUUID } from 'node:crypto';
import type { Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { ChannelFilter } from './channel-store.ts';
import { insertDeliveries, type NewDelivery } from './delivery-store.ts';
import {
  addToDigests,
  insertDigests,
  lockMeters,
  lockOpenDigests,
  type NewDigest,
  writeMeters,
} from './digest-store.ts';
import { assignToDigests, type DigestPlan } from './digests.ts';

/** A channel with the alerts that match it. */
export interface ChannelAlerts {
  channel: ChannelFilter;
  alerts: readonly { alert_id: string; severity: Severity }[];
}

/** A message to send: at once, or at `due_at`. */
export interface QueuedDelivery {
  channel_id: string;
  delivery_id: string;
  due_at?: Date;
}

/** Stores deliveries in the caller's transaction. Returns the messages to send: separate alerts and new digests. */
export async function createDeliveries(
  tx: Tx,
  key: { tenantId: string; deviceId: string },
  matches: readonly ChannelAlerts[],
): Promise<QueuedDelivery[]> {
  const plans = await planDigests(tx, key.tenantId, matches);
  const deliveries: NewDelivery[] = [];
  const newDigests: NewDigest[] = [];
  const additions: { delivery_id: string; alerts: number }[] = [];
  for (const { channel, alerts } of matches) {
    const { channel_id } = channel;
    const plan = plans.get(channel_id);
    const rest = [...alerts];
    const assign = (count: number, digest_id: string | null) => {
      for (const { alert_id, severity } of rest.splice(0, count)) {
        const delivery_id = randomUUID();
        deliveries.push({ delivery_id, channel_id, alert_id, severity, digest_id });
      }
    };
    assign(plan?.separate ?? rest.length, null);
    for (const { id, isNew, alerts: count } of plan?.digests ?? []) {
      assign(count, id);
      const digest = { delivery_id: id, alerts: count };
      if (!isNew || plan === undefined) additions.push(digest);
      else newDigests.push({ ...digest, channel_id, due_at: plan.dueAt });
    }
  }
  await insertDigests(tx, key.tenantId, newDigests);
  await addToDigests(tx, key.tenantId, additions);
  const inserted = await insertDeliveries(tx, { ...key, isTest: false }, deliveries);
  return [...inserted.filter((delivery) => delivery.digest_id === null), ...newDigests];
}

/** Returns the plans of channels with digests, under the lock of their meters. */
async function planDigests(
  tx: Tx,
  tenantId: string,
  matches: readonly ChannelAlerts[],
): Promise<Map<string, DigestPlan>> {
  const batching = matches.flatMap(({ channel, alerts }) =>
    channel.digest_after === null
      ? []
      : { id: channel.channel_id, kind: channel.kind, after: channel.digest_after, alerts },
  );
  if (batching.length === 0) return new Map();
  const meters = await lockMeters(
    tx,
    tenantId,
    batching.map(({ id }) => id),
  );
  const ids = [...meters.values()].flatMap(({ meter }) => meter.digestId ?? []);
  const open = await lockOpenDigests(tx, tenantId, ids);
  const plans = new Map<string, DigestPlan>();
  for (const { id, kind, after, alerts } of batching) {
    const locked = meters.get(id);
    if (locked === undefined) continue;
    const { meter, now } = locked;
    const at = { now, open: open.get(meter.digestId ?? '') ?? null, newId: randomUUID };
    plans.set(id, assignToDigests(meter, alerts.length, { kind, digestAfter: after }, at));
  }
  await writeMeters(
    tx,
    tenantId,
    [...plans].map(([channelId, { meter }]) => ({ channelId, meter })),
  );
  return plans;
}
