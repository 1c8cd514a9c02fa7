// Feeds from servers to an open client stream: which servers a stream follows changes while it is open.
import type { RpcMessage } from '../protocol/index.ts';
import { toClientMessage } from '../protocol/index.ts';
import type { Backend, SessionOwner } from '../upstream/index.ts';
import { filterServerMessage } from './filter-server-message.ts';
import type { RequestContext, SessionDeps } from './request-context.ts';

/** The part of a client stream that its feeds use. */
export interface FeedTarget {
  write(message: RpcMessage): void;
  signal: AbortSignal;
}

/** The feeds of a stream. The key of a feed changes with the server and its followed resources. */
export class FeedSet<Feed> {
  readonly #aborts = new Map<string, AbortController>();
  readonly #target: Pick<FeedTarget, 'signal'>;
  readonly #start: (feed: Feed, signal: AbortSignal) => void;

  constructor(
    target: Pick<FeedTarget, 'signal'>,
    start: (feed: Feed, signal: AbortSignal) => void,
  ) {
    this.#target = target;
    this.#start = start;
  }

  /** Ends the feeds that are not requested any more, and starts the new ones. All feeds end with the stream. */
  replace(requested: ReadonlyMap<string, Feed>): void {
    for (const [key, abort] of this.#aborts) {
      if (requested.has(key)) continue;
      abort.abort();
      this.#aborts.delete(key);
    }
    for (const [key, feed] of requested) {
      if (this.#aborts.has(key) || this.#target.signal.aborted) continue;
      const abort = new AbortController();
      this.#aborts.set(key, abort);
      this.#start(feed, AbortSignal.any([abort.signal, this.#target.signal]));
    }
  }
}

/** Writes a message of a server to the stream if its client may receive it. */
export async function forwardToClient(
  deps: SessionDeps,
  context: RequestContext,
  sender: { backend: Backend; owner: SessionOwner },
  message: RpcMessage,
  target: Pick<FeedTarget, 'write'>,
): Promise<void> {
  const filtered = await filterServerMessage(deps, context, sender, message);
  if (filtered === null) return;
  const isAggregated = context.namespace.kind === 'aggregated';
  target.write(toClientMessage(filtered, sender.backend, isAggregated));
}

/** Runs refreshes in sequence. A failed refresh changes nothing. */
export class RefreshQueue {
  #last: Promise<void> = Promise.resolve();

  add(refresh: () => Promise<void>): void {
    this.#last = this.#last.then(refresh).catch(() => undefined);
  }
}
