// Too many endings in a minute mean a bad override: the breaker opens, and the agent only watches until it closes.
import type { State } from '../store/state-store.ts';

export interface KillBreaker {
  /** `open` while the agent falls back to monitor. */
  state(): 'open' | 'closed';
  /** Counts an ending that is about to happen; false when it must not, because the breaker is (now) open. */
  admit(): boolean;
  /** Closes the breaker at an administrator's request. */
  close(): void;
}

const WINDOW_MS = 60_000;
/** So long it stays open by itself; over restarts, too. */
export const BREAKER_OPEN_MS = 10 * 60_000;

/**
 * `opened` is called once at each opening, with the message to report. `now` is the hub's time: a local clock that is
 * set must neither close the breaker nor reset the count of the last minute.
 */
export function createKillBreaker(options: {
  limit: number;
  state: State;
  now: () => number;
  monotonicMs: () => number;
  opened: (message: string) => void;
}): KillBreaker {
  const { limit, state, now, monotonicMs } = options;
  let endings: number[] = [];
  const isOpen = () => {
    const openedAt = state.get('breaker_opened_at');
    if (openedAt === null) return false;
    // The hub's time may begin a little earlier after a reboot; far in the future it must not keep it open for ever.
    if (Math.abs(now() - openedAt) < BREAKER_OPEN_MS) return true;
    state.set('breaker_opened_at', null);
    return false;
  };
  return {
    state: () => (isOpen() ? 'open' : 'closed'),
    admit() {
      if (isOpen()) return false;
      endings = endings.filter((at) => monotonicMs() - at < WINDOW_MS);
      if (endings.length < limit) {
        endings.push(monotonicMs());
        return true;
      }
      state.set('breaker_opened_at', now());
      endings = [];
      options.opened(
        `More than ${limit} processes were to be ended within a minute: the agent only monitors for the next ${BREAKER_OPEN_MS / 60_000} minutes`,
      );
      return false;
    },
    close() {
      endings = [];
      state.set('breaker_opened_at', null);
    },
  };
}
