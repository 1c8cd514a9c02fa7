// Digests limit the messages of a channel: it sends the first `digestAfter` alerts of a minute separately, and the rest in
// a digest at the end of the minute. After a minute over the limit, the next minute sends digests from its start. Pure.
import type { ChannelKind } from '@gatewarden/shared/wire/console/notification-channels.ts';

export const DIGEST_WINDOW_MS = 60_000;
/** The default of channels for people. Channels for programs send each alert separately. */
export const DEFAULT_DIGEST_AFTER = 20;

/** The most alerts of a digest to a program, which needs every alert. */
const WEBHOOK_MAX = 500;
const SHOWN: Record<ChannelKind, number> = { webhook: WEBHOOK_MAX, email: 50, chat: 10 };

/** Returns how many alerts a digest names. */
export const maxAlertsShown = (kind: ChannelKind): number => SHOWN[kind];

/** The alerts of a channel in its current minute. */
export interface Meter {
  windowStartedAt: Date;
  /** All alerts of the window, sent separately or in a digest. */
  alerts: number;
  /** Whether the window sends digests from its start. */
  isBatching: boolean;
  /** The newest digest of the window. */
  digestId: string | null;
}

/** A digest with the number of alerts that are added to it. */
export interface DigestBatch {
  id: string;
  isNew: boolean;
  alerts: number;
}

export interface DigestPlan {
  meter: Meter;
  /** The number of alerts that are sent separately. */
  separate: number;
  digests: DigestBatch[];
  /** The end of the window, when its digests are sent. */
  dueAt: Date;
}

/** Distributes `count` new alerts of a channel. `open`: the meter's digest, unless it was sent. */
export function assignToDigests(
  before: Meter,
  count: number,
  channel: { kind: ChannelKind; digestAfter: number },
  at: { now: Date; open: { alerts: number } | null; newId(): string },
): DigestPlan {
  const meter = currentWindow(before, channel.digestAfter, at.now);
  const isSame = meter.windowStartedAt === before.windowStartedAt;
  const remaining = Math.max(0, channel.digestAfter - meter.alerts);
  const separate = meter.isBatching ? 0 : Math.min(count, remaining);
  const digests: DigestBatch[] = [];
  const max = channel.kind === 'webhook' ? WEBHOOK_MAX : Number.POSITIVE_INFINITY;
  let { digestId } = meter;
  let room = isSame && digestId !== null && at.open !== null ? max - at.open.alerts : 0;
  for (let left = count - separate; left > 0; ) {
    const isNew = digestId === null || room <= 0;
    if (isNew) room = max;
    const id: string = isNew || digestId === null ? at.newId() : digestId;
    const alerts = Math.min(left, room);
    digests.push({ id, isNew, alerts });
    digestId = id;
    room -= alerts;
    left -= alerts;
  }
  return {
    meter: { ...meter, alerts: meter.alerts + count, digestId },
    separate,
    digests,
    dueAt: new Date(meter.windowStartedAt.getTime() + DIGEST_WINDOW_MS),
  };
}

function currentWindow(before: Meter, digestAfter: number, now: Date): Meter {
  const age = now.getTime() - before.windowStartedAt.getTime();
  // A clock that was set back begins a new window, too.
  if (age >= 0 && age < DIGEST_WINDOW_MS) return before;
  const isNext = age >= 0 && age < 2 * DIGEST_WINDOW_MS;
  return {
    windowStartedAt: now,
    alerts: 0,
    isBatching: isNext && before.alerts > digestAfter,
    digestId: null,
  };
}
