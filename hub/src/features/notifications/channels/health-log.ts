// Log lines of channels: their changes of health, not each attempt. A target that is unreachable for a night would fill the
// log, and the channel's page lists every attempt.
import type { Logger } from 'pino';
import type { Outcome } from '../../../platform/delivery/attempt.ts';
import type { ChannelTarget } from './delivery-store.ts';
import type { DeliveryResult } from './record-outcome.ts';

/** The time between two lines of a channel: a target that fails every second attempt changes all the time. */
const QUIET_MS = 10 * 60_000;
/** An evicted channel can be logged again earlier than necessary. */
const CACHED_MAX = 10_000;

export type LogHealthChange = (
  claim: Pick<ChannelTarget, 'channel_id' | 'kind'> & { tenant_id: string },
  outcome: Outcome,
  result: DeliveryResult,
) => void;

const RETRIES = 'a notification channel began to fail; waiting deliveries are retried; logged once';
const ABANDONED =
  'a notification channel dropped an alert after the last attempt; further ones are not logged until it recovers';
const RECOVERED = 'a notification channel recovered';

/**
 * Returns a logger with a line when a channel begins to fail, drops its first delivery, and recovers. The previous state
 * comes from the channel's row, so the lines are unique over all hub processes. A second change within ten minutes is
 * postponed: the next attempt after them logs it, if the channel still fails. Other failures are logged at `debug`.
 */
export function createHealthLog(
  log: Logger,
  nowMs: () => number = () => performance.now(),
): LogHealthChange {
  const lines = createLineLimiter(nowMs);
  const logRecovery = (channel: string, line: object): void => {
    lines.cancel(abandonedKey(channel));
    if (lines.cancel(channel)) log.debug(line, RECOVERED);
    else log.info(line, RECOVERED);
  };
  return ({ tenant_id: tenant, channel_id: id, kind }, outcome, { is, before }) => {
    const subject = { tenant, channel: id, kind };
    if (outcome.is === 'delivered') {
      if (!before?.failing_since) return;
      const failing_since = before.failing_since.toISOString();
      logRecovery(id, { event: 'notification_channel_recovered', ...subject, failing_since });
      return;
    }
    const facts = { ...subject, reason: outcome.error };
    // A delivery that was not sent proves nothing about the channel.
    const isBeginning = before !== null && lines.admit(id, before.failing_since === null);
    const isAbandoned =
      before !== null &&
      is === 'failed' &&
      lines.admit(abandonedKey(id), before.gave_up_at === null);
    if (isAbandoned) {
      const event = 'notification_channel_abandoned';
      log.warn({ event, ...facts, is_gone: outcome.gone }, ABANDONED);
    } else if (isBeginning) {
      log.warn({ event: 'notification_channel_failing', ...facts }, RETRIES);
    } else {
      log.debug({ event: 'notification_not_delivered', ...facts }, 'could not deliver an alert');
    }
  };
}

const abandonedKey = (channel: string): string => `${channel} abandoned`;

/** Admits a line of a key every ten minutes. A change in between is postponed. */
function createLineLimiter(nowMs: () => number) {
  const lines = new Map<string, { at: number; isPostponed: boolean }>();
  return {
    /** Returns whether to log a change, or a postponed change, now. */
    admit(key: string, isChange: boolean): boolean {
      const last = lines.get(key);
      if (!isChange && !last?.isPostponed) return false;
      if (last !== undefined && nowMs() - last.at < QUIET_MS) {
        last.isPostponed = true;
        return false;
      }
      lines.delete(key);
      lines.set(key, { at: nowMs(), isPostponed: false });
      const [oldest] = lines.keys();
      if (lines.size > CACHED_MAX && oldest !== undefined) lines.delete(oldest);
      return true;
    },
    /** Cancels a postponed line. Returns whether there was one. */
    cancel(key: string): boolean {
      const last = lines.get(key);
      if (!last?.isPostponed) return false;
      last.isPostponed = false;
      return true;
    },
  };
}
