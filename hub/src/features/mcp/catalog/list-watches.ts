// Watches for list changes: an open stream per server and user, while the list is requested and the backend is unchanged.
import { changedListKind, type ListKind } from '../protocol/index.ts';
import {
  followWithRetry,
  type SessionOwner,
  type Upstreams,
  type UpstreamTarget,
} from '../upstream/index.ts';

const WATCHES_MAX = 500;
const ALL_LISTS = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
} as const;

interface Watch {
  abort: AbortController;
  isLive: boolean;
  usedMs: number;
}

export interface ListWatches {
  /** Returns whether a watch of this server is open. Starts a watch if there is none. */
  isLive(target: UpstreamTarget, owner: SessionOwner, onChange: (kind: ListKind) => void): boolean;
  /** Marks the watch as used, so that the sweep keeps it. */
  touch(target: UpstreamTarget, owner: SessionOwner): void;
  /** Ends the watches of these backends. */
  end(backendIds: ReadonlySet<string>): void;
  /** Ends watches that were not used for `unusedMs`. */
  sweep(): void;
  stop(): void;
}

/** Returns the watches of this process, without an open watch. */
export function createListWatches(deps: {
  upstreams: Upstreams;
  nowMs: () => number;
  unusedMs: number;
}): ListWatches {
  const { upstreams, nowMs, unusedMs } = deps;
  const watches = new Map<string, Watch>();
  const endWhere = (matches: (key: string, watch: Watch) => boolean) => {
    for (const [key, watch] of watches) {
      if (!matches(key, watch)) continue;
      watches.delete(key);
      watch.abort.abort();
    }
  };
  function start(
    target: UpstreamTarget,
    owner: SessionOwner,
    onChange: (kind: ListKind) => void,
  ): Watch {
    const watch: Watch = { abort: new AbortController(), isLive: false, usedMs: nowMs() };
    if (watches.size >= WATCHES_MAX) return watch;
    watches.set(keyOf(target, owner), watch);
    void followWithRetry(
      upstreams,
      { target, owner, filter: ALL_LISTS },
      {
        message(message) {
          const kind = changedListKind(message);
          if (kind !== null) onChange(kind);
        },
        live(isLive) {
          watch.isLive = isLive;
        },
      },
      watch.abort.signal,
    );
    return watch;
  }
  const touch = (target: UpstreamTarget, owner: SessionOwner) => {
    const watch = watches.get(keyOf(target, owner));
    if (watch !== undefined) watch.usedMs = nowMs();
    return watch;
  };
  return {
    isLive: (target, owner, onChange) =>
      (touch(target, owner) ?? start(target, owner, onChange)).isLive,
    touch: (target, owner) => void touch(target, owner),
    end: (backendIds) => endWhere((key) => backendIds.has(key.split('/')[0] ?? '')),
    sweep: () => endWhere((_, watch) => watch.usedMs <= nowMs() - unusedMs),
    stop: () => endWhere(() => true),
  };
}

const keyOf = (target: UpstreamTarget, owner: SessionOwner) =>
  `${target.backendId}/${target.version}/${owner.hash.toString('hex')}`;
