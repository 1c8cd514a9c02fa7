// Detects crash loops: enforcement may end the agent itself, so after repeated unexpected ends the next run only
// monitors.
import type { State } from '../store/state-store.ts';

export interface CrashLoop {
  /** True for a run that began after too many unexpected ends, until it has lasted. */
  isLooping(): boolean;
  /** This run ends in order. */
  end(): void;
}

/** So long counts an unexpected end, and so long must a run last to be trusted again. */
export const CRASH_WINDOW_MS = 10 * 60_000;

/** Notes that a run begins. `limit` 0: never. `loops` is called once for a loop, however often it starts the agent. */
export function detectCrashLoop(options: {
  state: State;
  limit: number;
  now: () => number;
  monotonicMs: () => number;
  loops: (message: string) => void;
}): CrashLoop {
  const { state, limit, now, monotonicMs, loops } = options;
  const startedAt = now();
  const startedMs = monotonicMs();
  // A start in the future was recorded before the clock was set back.
  const recent = (state.get('unended_starts') ?? []).filter(
    (at) => at <= startedAt && startedAt - at < CRASH_WINDOW_MS,
  );
  state.set('unended_starts', [...recent, startedAt]);
  let looping = limit > 0 && recent.length >= limit;
  if (!looping) {
    state.set('crash_loop_reported', null);
  } else if (state.get('crash_loop_reported') !== true) {
    loops(
      'The agent ended unexpectedly again and again: it only monitors until a run has lasted ten minutes',
    );
    state.set('crash_loop_reported', true);
  }
  return {
    isLooping() {
      if (looping && monotonicMs() - startedMs >= CRASH_WINDOW_MS) {
        looping = false;
        state.set('unended_starts', [startedAt]);
        state.set('crash_loop_reported', null);
      }
      return looping;
    },
    end() {
      // The others stay: stopping in order once does not undo them.
      state.set('unended_starts', recent);
    },
  };
}
