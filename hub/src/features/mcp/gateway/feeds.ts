// What a server says of its own accord, followed until somebody stops it: taken up again where it broke off, less and
// less eagerly where it always breaks off.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Rpc } from './messages.ts';
import { type Filter, unstamped } from './server-messages.ts';
import type { Place } from './sse.ts';
import type { Owner, Target } from './targets.ts';
import type { Upstreams } from './upstreams.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
/** A stream that held so long was no failure. */
const HELD_MS = 30_000;

/** A stream that the gateway ended by itself: that its server broke it off is nothing to be learned from it. */
export class NotByTheServer extends Error {}

/** `live` is told whether the stream is open. Ends when the signal aborts, or the server offers no such stream. */
export async function keepFollowing(
  upstreams: Upstreams,
  { target, owner, filter }: { target: Target; owner: Owner; filter: Filter },
  on: { message(message: Rpc): void | Promise<void>; live?(isLive: boolean): void },
  signal: AbortSignal,
): Promise<void> {
  const place: Place = { lastId: null, retryMs: null };
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const begun = performance.now();
    let isFailure = true;
    try {
      const stream = await upstreams.follow(target, owner, { filter, place }, signal);
      if (stream === false) return;
      on.live?.(true);
      for await (const message of stream) {
        // Its own acknowledgement, and the answer that ends it.
        const isOurs =
          message.method === undefined ||
          message.method === 'notifications/subscriptions/acknowledged';
        if (!isOurs) await on.message(unstamped(message));
      }
    } catch (error) {
      // It broke off, or the server is away: it is tried again.
      isFailure = !(error instanceof NotByTheServer);
    }
    on.live?.(false);
    if (signal.aborted) return;
    const isNew = !isFailure || performance.now() - begun > HELD_MS;
    pause = isNew ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
    const wait = place.retryMs ?? pause;
    await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
