// The last empty response of each device. The fast path repeats it while none of its inputs has changed.
import type { PolledDevice } from '../enrollment/index.ts';
import type { Snapshot } from './snapshot.ts';

/** The inputs of an empty response. Snapshot and device are compared by identity, because a change creates new objects. */
interface ResponseInputs {
  /** The URL with its query: cursor, applied and inventory. */
  url: string;
  device: PolledDevice | 'unknown';
  subscriberId: string;
  pollAfter: number;
}

export interface UnchangedResponse extends ResponseInputs {
  snapshot: Snapshot;
  /** The governance state that the poll reported. */
  state: string;
  etag: string;
  /** The response as JSON, without `server_time`. */
  text: string;
  /** Milliseconds since the epoch; from then on the poll is evaluated again even if it is the same. */
  until: number;
}

export interface UnchangedResponseCache {
  find(
    device: string,
    inputs: ResponseInputs,
    snapshot: Snapshot,
    now: number,
  ): UnchangedResponse | undefined;
  store(device: string, response: UnchangedResponse): void;
}

/** URLs of agents have a third of this length. A longer URL is answered without the cache, which it would fill. */
const URL_MAX = 2_048;

/** Creates a cache of `max` responses that evicts the least recently polled device. */
export function createUnchangedResponseCache(max: number): UnchangedResponseCache {
  const responses = new Map<string, UnchangedResponse>();
  return {
    find(device, inputs, snapshot, now) {
      const cached = responses.get(device);
      const isSame =
        cached?.url === inputs.url &&
        cached.snapshot === snapshot &&
        cached.device === inputs.device &&
        cached.subscriberId === inputs.subscriberId &&
        cached.pollAfter === inputs.pollAfter &&
        cached.until > now;
      if (!isSame || cached === undefined) return undefined;
      // The order of use matters only near the limit.
      if (responses.size > max / 2) {
        responses.delete(device);
        responses.set(device, cached);
      }
      return cached;
    },
    store(device, response) {
      responses.delete(device);
      if (response.url.length > URL_MAX) return;
      responses.set(device, response);
      for (const oldest of responses.keys()) {
        if (responses.size <= max) break;
        responses.delete(oldest);
      }
    },
  };
}
