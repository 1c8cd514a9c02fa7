// Which channels fail, for whoever gives the turns: asked of the database, so that a hub that starts knows it, and all hubs
// beside each other do; what this process sees itself counts at once.
import type { Db } from '../../../platform/db/database.ts';
import { selectFailingChannels } from './channel-store.ts';
import type { DeliveryResult } from './record-outcome.ts';

/** What another process saw may be that old: until then a dead channel gets a few attempts more. */
export const FRESH_MS = 1_000;

export interface FailingChannels {
  groups(): Promise<ReadonlySet<string>>;
  /** How an attempt ended for its channel. */
  note(channelId: string, ending: DeliveryResult): void;
}

/** Knows nothing yet; asks the database when it is first asked. */
export function createFailingChannels(
  db: Db,
  nowMs: () => number = () => performance.now(),
): FailingChannels {
  let result = new Set<string>();
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    async groups() {
      if (nowMs() - askedAt >= FRESH_MS) {
        const began = nowMs();
        result = new Set(await selectFailingChannels(db));
        askedAt = began;
      }
      return result;
    },
    note(channelId, { is, before }) {
      if (before === null) return;
      if (is === 'delivered') result.delete(channelId);
      else result.add(channelId);
    },
  };
}
