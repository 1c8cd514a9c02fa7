// Which routes fail, for whoever gives the turns: asked of the database, so that a hub that starts knows it, and all hubs
// beside each other do; what this process sees itself counts at once.
import type { Db } from '../../../platform/db/database.ts';
import type { Ending } from './delivery-outcome.ts';
import { selectFailing } from './store.ts';

/** What another process saw may be that old: until then a dead route gets a few attempts more. */
export const FRESH_MS = 1_000;

export interface FailingRoutes {
  groups(): Promise<ReadonlySet<string>>;
  /** How an attempt ended for its route. */
  note(routeId: string, ending: Ending): void;
}

/** Knows nothing yet; asks the database when it is first asked. */
export function createFailing(
  db: Db,
  nowMs: () => number = () => performance.now(),
): FailingRoutes {
  let result = new Set<string>();
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    async groups() {
      if (nowMs() - askedAt >= FRESH_MS) {
        const began = nowMs();
        result = new Set(await selectFailing(db));
        askedAt = began;
      }
      return result;
    },
    note(routeId, { is, before }) {
      if (before === null) return;
      if (is === 'delivered') result.delete(routeId);
      else result.add(routeId);
    },
  };
}
