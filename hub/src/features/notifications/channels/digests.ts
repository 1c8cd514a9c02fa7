// When alerts of a channel are gathered into a digest. A channel counts its alerts by the minute: the first so many go out
// each by itself, the rest of the minute in one digest at its end. While minutes stay that full, the next ones send
// nothing but digests. Pure.
import type { ChannelKind } from '@gatewarden/shared/wire/console/notification-channels.ts';

export const DIGEST_WINDOW_MS = 60_000;
/** The default of channels for people; channels for programs send each alert by itself by default. */
export const DEFAULT_DIGEST_AFTER = 20;

/** A program must get every alert whole: so many fit into one message. People are shown the worst, and the count. */
const WHOLE_IN_ONE = 500;
const SHOWN: Record<ChannelKind, number> = { webhook: WHOLE_IN_ONE, email: 50, chat: 10 };

/** How many alerts a digest names. */
export const maxAlertsShown = (kind: ChannelKind): number => SHOWN[kind];

export interface Meter {
  windowStartedAt: Date;
  /** In this window, however they went. */
  alerts: number;
  is_batching: boolean;
  /** The digest of this window that was begun last. */
  digestId: string | null;
}

/** A digest with the number of alerts that come into it now. */
export interface DigestBatch {
  id: string;
  isNew: boolean;
  alerts: number;
}

export interface DigestPlan {
  meter: Meter;
  /** So many of the alerts go out by themselves. */
  alone: number;
  digests: DigestBatch[];
  /** When the window ends, and its digests go out. */
  dueAt: Date;
}

/** DigestPlan `count` new alerts of a channel out. `open`: the meter's digest, where it was not sent yet. */
export function assignToDigests(
  before: Meter,
  count: number,
  channel: { kind: ChannelKind; digestAfter: number },
  at: { now: Date; open: { alerts: number } | null; newId(): string },
): DigestPlan {
  const meter = windowAt(before, channel.digestAfter, at.now);
  const isSame = meter.windowStartedAt === before.windowStartedAt;
  const alone = meter.is_batching
    ? 0
    : Math.min(count, Math.max(0, channel.digestAfter - meter.alerts));
  const digests: DigestBatch[] = [];
  const most = channel.kind === 'webhook' ? WHOLE_IN_ONE : Number.POSITIVE_INFINITY;
  let { digestId } = meter;
  let room = isSame && digestId !== null && at.open !== null ? most - at.open.alerts : 0;
  for (let left = count - alone; left > 0; ) {
    const isNew = digestId === null || room <= 0;
    if (isNew) room = most;
    const id: string = isNew || digestId === null ? at.newId() : digestId;
    const alerts = Math.min(left, room);
    digests.push({ id, isNew, alerts });
    digestId = id;
    room -= alerts;
    left -= alerts;
  }
  return {
    meter: { ...meter, alerts: meter.alerts + count, digestId },
    alone,
    digests,
    dueAt: new Date(meter.windowStartedAt.getTime() + DIGEST_WINDOW_MS),
  };
}

function windowAt(before: Meter, digestAfter: number, now: Date): Meter {
  const age = now.getTime() - before.windowStartedAt.getTime();
  // A clock that was set back begins a new window, too.
  if (age >= 0 && age < DIGEST_WINDOW_MS) return before;
  const isNext = age >= 0 && age < 2 * DIGEST_WINDOW_MS;
  return {
    windowStartedAt: now,
    alerts: 0,
    is_batching: isNext && before.alerts > digestAfter,
    digestId: null,
  };
}
