// What the log says of routes: their turns, and not each attempt. A target that is away for a night would fill it with
// a line for each alert and try; the route's own page has all of them.
import type { Logger } from 'pino';
import type { Outcome } from '../../../platform/delivery/attempt.ts';
import type { Ending } from './delivery-outcome.ts';
import type { Claim } from './delivery-store.ts';

/** A target that fails every other time turns all the time. */
const QUIET_MS = 10 * 60_000;
/** Forgetting one only means that it may be told again before its time. */
const REMEMBERED_MAX = 10_000;

export type NotifyNextTurn = (
  claim: Pick<Claim, 'tenant_id' | 'route_id' | 'kind'>,
  outcome: Outcome,
  ending: Ending,
) => void;

/**
 * One line where the route begins to fail, one where it first gives something up, one where it answers again: over all
 * hub processes, for the route's row says how it stood before. Where it turned within the last ten minutes already, the
 * lines wait: what then still fails is told by the next attempt after them. All else is for who looks closely (`debug`).
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
  return (claim, outcome, ending) => {
    const { before } = ending;
    const { tenant_id: tenant, route_id: route, kind } = claim;
    const about = { tenant, route, kind };
    const givingUp = `${route} gives up`;
    if (outcome.is === 'delivered') {
      if (!before?.failing_since) return;
      const gaveUp = notified.get(givingUp);
      if (gaveUp !== undefined) gaveUp.isOwed = false;
      const line = {
        ...{ event: 'alert_route_recovered', ...about },
        failing_since: before.failing_since.toISOString(),
      };
      const last = notified.get(route);
      if (!last?.isOwed) return log.info(line, RECOVERED);
      last.isOwed = false;
      return log.debug(line, RECOVERED);
    }
    const reported = { ...about, reason: outcome.error };
    // What was not even sent says nothing of the route.
    const isBeginning = before !== null && begins(route, before.failing_since === null);
    if (before !== null && ending.is === 'failed' && begins(givingUp, before.gave_up_at === null)) {
      log.warn({ event: 'alert_route_gave_up', ...reported, is_gone: outcome.gone }, GAVE_UP);
    } else if (isBeginning) {
      log.warn({ event: 'alert_route_failing', ...reported }, FAILING);
    } else {
      log.debug({ event: 'alert_not_delivered', ...reported }, 'an alert was not delivered');
    }
  };
}

const FAILING = 'an alert route began to fail; what waits is tried again, and this is said once';
const GAVE_UP = 'an alert route gave an alert up; more of them are not said until it answers again';
const RECOVERED = 'an alert route answers again';
