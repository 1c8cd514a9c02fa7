// Makes the deliveries of new alerts: each by itself, or into a digest where a channel has its fill.
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

/** A channel with the alerts that it takes. */
export interface ChannelAlerts {
  channel: ChannelFilter;
  alerts: readonly { alert_id: string; severity: Severity }[];
}

/** A message that is to be sent, now or when it is due. */
export interface QueuedDelivery {
  channel_id: string;
  delivery_id: string;
  due_at?: Date;
}

/** Everything in the caller's transaction. Gives what is to be sent: alerts by themselves, and digests that began. */
export async function createDeliveries(
  tx: Tx,
  key: { tenantId: string; deviceId: string },
  taking: readonly ChannelAlerts[],
): Promise<QueuedDelivery[]> {
  const shares = await shareAmong(tx, key.tenantId, taking);
  const deliveries: NewDelivery[] = [];
  const begun: NewDigest[] = [];
  const grown: { delivery_id: string; alerts: number }[] = [];
  for (const { channel, alerts } of taking) {
    const shared = shares.get(channel.channel_id);
    const rest = [...alerts];
    const take = (count: number, digestId: string | null) => {
      for (const { alert_id, severity } of rest.splice(0, count)) {
        const delivery_id = randomUUID();
        const { channel_id } = channel;
        deliveries.push({ delivery_id, channel_id, alert_id, severity, digest_id: digestId });
      }
    };
    take(shared?.alone ?? rest.length, null);
    for (const { id, isNew, alerts: count } of shared?.digests ?? []) {
      take(count, id);
      const digest = { delivery_id: id, alerts: count };
      if (!isNew || shared === undefined) grown.push(digest);
      else begun.push({ ...digest, channel_id: channel.channel_id, due_at: shared.dueAt });
    }
  }
  await insertDigests(tx, key.tenantId, begun);
  await addToDigests(tx, key.tenantId, grown);
  const made = await insertDeliveries(tx, { ...key, isTest: false }, deliveries);
  return [...made.filter((delivery) => delivery.digest_id === null), ...begun];
}

/** Of the channels that gather, behind the lock of their meters. */
async function shareAmong(
  tx: Tx,
  tenantId: string,
  taking: readonly ChannelAlerts[],
): Promise<Map<string, DigestPlan>> {
  const gathering = taking.flatMap(({ channel, alerts }) =>
    channel.digest_after === null
      ? []
      : {
          channelId: channel.channel_id,
          kind: channel.kind,
          after: channel.digest_after,
          n: alerts.length,
        },
  );
  if (gathering.length === 0) return new Map();
  const meters = await lockMeters(
    tx,
    tenantId,
    gathering.map((item) => item.channelId),
  );
  const ids = [...meters.values()].flatMap(({ meter }) => meter.digestId ?? []);
  const open = await lockOpenDigests(tx, tenantId, ids);
  const shares = new Map(
    gathering.flatMap(({ channelId, kind, after, n }) => {
      const found = meters.get(channelId);
      if (found === undefined) return [];
      const { meter, now } = found;
      const shared = assignToDigests(
        meter,
        n,
        { kind, digestAfter: after },
        {
          now,
          open: open.get(meter.digestId ?? '') ?? null,
          newId: randomUUID,
        },
      );
      return [[channelId, shared] as const];
    }),
  );
  await writeMeters(
    tx,
    tenantId,
    [...shares].map(([channelId, { meter }]) => ({ channelId, meter })),
  );
  return shares;
}
