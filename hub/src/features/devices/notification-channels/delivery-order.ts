// Log lines of channels: their state changes, not each attempt. A target that is unreachable for a night would fill the log with
// a line for each alert and try; the route's own page has all of them.
import type { Logger } from 'pino';
import type { Outcome } from '../../../platform/delivery/attempt.ts';
import type { Ending } from './delivery-outcome.ts';
import type { Claim } from './delivery-store.ts';

/** A target that fails every other time turns all the time. */
const QUIET_MS = 10 * 60_000;
/** An evicted channel can be logged again earlier than necessary. */
const REMEMBERED_MAX = 10_000;

export type NotifyNextTurn = (
  claim: Pick<Claim, 'tenant_id' | 'route_id' | 'kind'>,
  outcome: Outcome,
  ending: Ending,
) => void;

/**
 * One line where the route begins to fail, one where it first gives something up, one where it answers again: over all
 * hub processes, because the channel's row stores its previous state. If it changed within the last ten minutes, the
 * line waits: a channel that then still fails is logged by its next attempt. Everything else is logged at `debug`.
 */
export function createTurns(
  log: Logger,
  nowMs: () => number = () => performance.now(),
): NotifyNextTurn {
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
  const logRecovery = (route: string, line: object): void => {
    const gaveUp = notified.get(givingUp(route));
    if (gaveUp !== undefined) gaveUp.isOwed = false;
    const last = notified.get(route);
    if (last?.isOwed) {
      last.isOwed = false;
      log.debug(line, RECOVERED);
    } else {
      log.info(line, RECOVERED);
    }
  };
  return (claim, outcome, { is, before }) => {
    const { tenant_id: tenant, route_id: route, kind } = claim;
    const subject = { tenant, route, kind };
    if (outcome.is === 'delivered') {
      if (!before?.failing_since) return;
      const failing_since = before.failing_since.toISOString();
      logRecovery(route, { event: 'alert_route_recovered', ...subject, failing_since });
      return;
    }
    const reported = { ...subject, reason: outcome.error };
    // A delivery that was not sent proves nothing about the channel.
    const isBeginning = before !== null && begins(route, before.failing_since === null);
    const isGivingUp =
      before !== null && is === 'failed' && begins(givingUp(route), before.gave_up_at === null);
    if (isGivingUp) {
      log.warn({ event: 'alert_route_gave_up', ...reported, is_gone: outcome.gone }, GAVE_UP);
    } else if (isBeginning) {
      log.warn({ event: 'alert_route_failing', ...reported }, FAILING);
    } else {
      log.debug({ event: 'alert_not_delivered', ...reported }, 'an alert was not delivered');
    }
  };
}

const givingUp = (route: string): string => `${route} gives up`;

const FAILING = 'an alert route began to fail; waiting deliveries are retried; logged once';
const GAVE_UP =
  'an alert route gave up an alert; further ones are not logged until it answers again';
const RECOVERED = 'an alert route answers again';
