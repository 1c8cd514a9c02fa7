// Sends activity at once and forgets it: what happens in the same moment goes together, what fails is lost and counted.
import type { ActivityEvent } from '@gatewarden/shared/wire/sync/activity.ts';
import { BATCH_LIMIT } from '@gatewarden/shared/wire/sync/limits.ts';
import type { SyncClient } from './hub-client.ts';

/** Bound of events from the same moment (a new override, many processes) that wait for the request under way. */
const MOMENT_LIMIT = 1000;

export interface ActivitySender {
  send(event: ActivityEvent): void;
  /** Resolves when what is under way has ended. */
  settle(): Promise<void>;
  lost(): number;
}

/** Never stored, never retried. */
export function createActivitySender(
  client: SyncClient,
  failed: (error: unknown) => void,
): ActivitySender {
  let moment: ActivityEvent[] = [];
  let sending: Promise<void> | null = null;
  let lost = 0;
  const sendAll = async () => {
    // The delay is a single turn of the event loop: decisions made together are sent together.
    await new Promise((resolve) => setImmediate(resolve));
    while (moment.length > 0) {
      const events = moment.splice(0, BATCH_LIMIT);
      try {
        await client.post('activity', { device: client.device, events });
      } catch (error) {
        lost += events.length + moment.length;
        moment = [];
        failed(error);
      }
    }
  };
  return {
    send(event) {
      if (moment.length >= MOMENT_LIMIT) lost += 1;
      else moment.push(event);
      sending ??= sendAll().finally(() => {
        sending = null;
      });
    },
    async settle() {
      await sending;
    },
    lost: () => lost,
  };
}
