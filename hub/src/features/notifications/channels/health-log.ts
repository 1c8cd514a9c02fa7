// Log lines of channels: their state changes, not each attempt. A target that is unreachable for a night would fill the log with
// a line for each alert and try; the channel's own page has all of them.
import type { Logger } from 'pino';
import type { Outcome } from '../../../platform/delivery/attempt.ts';
import type { Claim } from './delivery-store.ts';
import type { DeliveryResult } from './record-outcome.ts';

/** A target that fails every other time turns all the time. */
const QUIET_MS = 10 * 60_000;
/** An evicted channel can be logged again earlier than necessary. */
const REMEMBERED_MAX = 10_000;

export type LogHealthChange = (
  claim: Pick<Claim, 'tenant_id' | 'channel_id' | 'kind'>,
  outcome: Outcome,
  ending: DeliveryResult,
) => void;

/**
 * One line where the channel begins to fail, one where it first gives something up, one where it answers again: over all
 * hub processes, because the channel's row stores its previous state. If it changed within the last ten minutes, the
 * line waits: a channel that then still fails is logged by its next attempt. Everything else is logged at `debug`.
 */
export function createHealthLog(
  log: Logger,
  nowMs: () => number = () => performance.now(),
): LogHealthChange {
  const notified = new Map<string, { at: number; isOwed: boolean }>();
  const begins = (key: string, isTurn: boolean): boolean => {
    const last = notified.get(key);
    if (!isTurn && !last?.isOwed) return false;
    if (last !== undefined && nowMs() - last.at < QUIET_MS) {
      last.isOwed = true;
      return false;
    }
    notified.delete(key);
    notified.set(key, { at: nowMs(), isOwed: false });
    const [oldest] = notified.keys();
    if (notified.size > REMEMBERED_MAX && oldest !== undefined) notified.delete(oldest);
    return true;
  };
  const logRecovery = (channel: string, line: object): void => {
    const gaveUp = notified.get(givingUp(channel));
    if (gaveUp !== undefined) gaveUp.isOwed = false;
    const last = notified.get(channel);
    if (last?.isOwed) {
      last.isOwed = false;
      log.debug(line, RECOVERED);
    } else {
      log.info(line, RECOVERED);
    }
  };
  return (claim, outcome, { is, before }) => {
    const { tenant_id: tenant, channel_id: channel, kind } = claim;
    const subject = { tenant, channel, kind };
    if (outcome.is === 'delivered') {
      if (!before?.failing_since) return;
      const failing_since = before.failing_since.toISOString();
      logRecovery(channel, { event: 'notification_channel_recovered', ...subject, failing_since });
      return;
    }
    const reported = { ...subject, reason: outcome.error };
    // A delivery that was not sent proves nothing about the channel.
    const isBeginning = before !== null && begins(channel, before.failing_since === null);
    const isGivingUp =
      before !== null && is === 'failed' && begins(givingUp(channel), before.gave_up_at === null);
    if (isGivingUp) {
      log.warn(
        { event: 'notification_channel_abandoned', ...reported, is_gone: outcome.gone },
        GAVE_UP,
      );
    } else if (isBeginning) {
      log.warn({ event: 'notification_channel_failing', ...reported }, FAILING);
    } else {
      log.debug({ event: 'alert_not_delivered', ...reported }, 'an alert was not delivered');
    }
  };
}

const givingUp = (channel: string): string => `${channel} gives up`;

const FAILING = 'an alert channel began to fail; waiting deliveries are retried; logged once';
const GAVE_UP =
  'an alert channel gave up an alert; further ones are not logged until it answers again';
const RECOVERED = 'an alert channel answers again';
