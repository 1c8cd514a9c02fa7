// The last answer to each device that had nothing new: said again as it was while nothing it depends on has changed.
import type { PolledDevice } from '../enrollment/index.ts';
import type { Snapshot } from './snapshot.ts';

/** All that an answer with nothing new depends on. Snapshot and device are compared as objects: a change makes new ones. */
interface ResponseInputs {
  /** With its query: cursor, applied and inventory. */
  url: string;
  device: PolledDevice | 'unknown';
  subscriberId: string;
  pollAfter: number;
}

export interface UnchangedResponse extends ResponseInputs {
  snapshot: Snapshot;
  /** What the device's poll says about it. */
  state: string;
  etag: string;
  /** The answer as JSON, without `server_time`. */
  text: string;
  /** From then on the poll has to be looked at again, although it says the same. */
  until: number;
}

export interface UnchangedResponseCache {
  find(
    device: string,
    asked: ResponseInputs,
    snapshot: Snapshot,
    now: number,
  ): UnchangedResponse | undefined;
  store(device: string, answer: UnchangedResponse): void;
}

/** An agent's own URL has a third of it; a longer one is answered as ever, and would only fill the memory. */
const URL_MAX = 2_048;

/** Bounded: the device that was not heard for longest is forgotten first, and its next answer made anew. */
export function createUnchangedResponseCache(max: number): UnchangedResponseCache {
  const answers = new Map<string, UnchangedResponse>();
  return {
    find(device, asked, snapshot, now) {
      const kept = answers.get(device);
      const isSame =
        kept?.url === asked.url &&
        kept.snapshot === snapshot &&
        kept.device === asked.device &&
        kept.subscriberId === asked.subscriberId &&
        kept.pollAfter === asked.pollAfter &&
        kept.until > now;
      if (!isSame || kept === undefined) return undefined;
      // Order only matters once something may have to go.
      if (answers.size > max / 2) {
        answers.delete(device);
        answers.set(device, kept);
      }
      return kept;
    },
    store(device, answer) {
      answers.delete(device);
      if (answer.url.length > URL_MAX) return;
      answers.set(device, answer);
      for (const oldest of answers.keys()) {
        if (answers.size <= max) break;
        answers.delete(oldest);
      }
    },
  };
}
