// The failing channels, for the order of jobs. Read from the database, so that all hub processes know the same channels;
// results of this process count at once.
import type { Db } from '../../../platform/db/database.ts';
import { selectFailingChannels } from './channel-store.ts';
import type { DeliveryResult } from './record-outcome.ts';

/** Cache time. Until it is over, a channel that another process found failing gets a few more attempts. */
export const FRESH_MS = 1_000;

export interface FailingChannels {
  ids(): Promise<ReadonlySet<string>>;
  /** Records the result of an attempt. A result without a previous state of the channel is ignored. */
  note(channelId: string, result: DeliveryResult): void;
}

/** Returns an empty cache, which reads the database at its first use. */
export function createFailingChannels(
  db: Db,
  nowMs: () => number = () => performance.now(),
): FailingChannels {
  let ids = new Set<string>();
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    async ids() {
      if (nowMs() - readAt >= FRESH_MS) {
        const startedAt = nowMs();
        ids = new Set(await selectFailingChannels(db));
        readAt = startedAt;
      }
      return ids;
    },
    note(channelId, { is, before }) {
      if (before === null) return;
      if (is === 'delivered') ids.delete(channelId);
      else ids.add(channelId);
    },
  };
}
