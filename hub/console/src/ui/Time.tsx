// A moment: relative text that stays true while the page is open, the viewer's time and exact UTC on hover.
import { useSyncExternalStore } from 'react';
import { texts } from '../texts.ts';
import { isDue, timeText } from './time-text.ts';

const TICK_MS = 15_000;
const listeners = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;
let nowMs = Date.now();

/** One timer for all times of the page, running only while there are some. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  nowMs = Date.now();
  ticking ??= setInterval(() => {
    nowMs = Date.now();
    for (const tell of listeners) tell();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

/** Returns true once the moment has passed, also while the page stays open. */
export function useHasPassed(at: string): boolean {
  return useSyncExternalStore(subscribe, () => Date.parse(at) <= nowMs);
}

interface TimeProps {
  at: string | null;
  /** Also shows the viewer's time beside the relative one. */
  full?: boolean;
  /** For a future moment: the text after the moment has passed. */
  due?: string;
}

export function Time({ at, full = false, due }: TimeProps) {
  const now = useSyncExternalStore(subscribe, () => nowMs);
  if (at === null) return <span className="gw-dimmed">{texts.ui.never}</span>;
  // A row that arrived after the last tick is not in the future.
  const text = timeText(at, Math.max(now, Date.parse(at) <= Date.now() ? Date.now() : now));
  if (text === null) return <bdi>{at}</bdi>;
  const relative = due !== undefined && isDue(at, now) ? due : text.relative;
  return (
    <time dateTime={text.utc} title={`${text.local} · ${text.utc}`} className="gw-time">
      {full ? `${text.local} (${relative})` : relative}
    </time>
  );
}
