// Streams on which servers say that their lists changed: one for everybody who would get the same, open while somebody asks
// for the list, and as long as the server stands as it did.
import { keepFollowing } from './feeds.ts';
import { changedList, type ListKind } from './server-messages.ts';
import type { Owner, Target } from './targets.ts';
import type { Upstreams } from './upstreams.ts';

const WATCHES_MAX = 500;
const EVERYTHING = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
} as const;

interface Watch {
  abort: AbortController;
  isLive: boolean;
  used: number;
}

export interface ListWatches {
  /** Whether the server is heard, by whom it knows as `owner`; begins to listen where nobody does. */
  isLive(target: Target, owner: Owner, changed: (kind: ListKind) => void): boolean;
  /** What it says is still wanted. */
  used(target: Target, owner: Owner): void;
  /** Nobody listens to these servers any more. */
  end(backendIds: ReadonlySet<string>): void;
  /** Nor to those that nobody asked for a list in a long time. */
  sweep(): void;
  stop(): void;
}

/** Listens to nobody yet. */
export function createListWatches(deps: {
  upstreams: Upstreams;
  nowMs: () => number;
  unusedMs: number;
}): ListWatches {
  const { upstreams, nowMs, unusedMs } = deps;
  const watches = new Map<string, Watch>();
  const endWhere = (isMeant: (key: string, one: Watch) => boolean) => {
    for (const [key, one] of watches) {
      if (!isMeant(key, one)) continue;
      watches.delete(key);
      one.abort.abort();
    }
  };
  function begun(target: Target, owner: Owner, changed: (kind: ListKind) => void): Watch {
    const made: Watch = { abort: new AbortController(), isLive: false, used: nowMs() };
    if (watches.size >= WATCHES_MAX) return made;
    watches.set(keyOf(target, owner), made);
    void keepFollowing(
      upstreams,
      { target, owner, filter: EVERYTHING },
      {
        message(message) {
          const kind = changedList(message);
          if (kind !== null) changed(kind);
        },
        live(isLive) {
          made.isLive = isLive;
        },
      },
      made.abort.signal,
    );
    return made;
  }
  const used = (target: Target, owner: Owner) => {
    const known = watches.get(keyOf(target, owner));
    if (known !== undefined) known.used = nowMs();
    return known;
  };
  return {
    isLive: (target, owner, changed) =>
      (used(target, owner) ?? begun(target, owner, changed)).isLive,
    used: (target, owner) => void used(target, owner),
    end: (backendIds) => endWhere((key) => backendIds.has(key.split('/')[0] ?? '')),
    sweep: () => endWhere((_, one) => one.used <= nowMs() - unusedMs),
    stop: () => endWhere(() => true),
  };
}

const keyOf = (target: Target, owner: Owner) =>
  `${target.backendId}/${target.version}/${owner.hash.toString('hex')}`;
