// The two timeouts of a call. Its idle timeout starts anew with every byte from the server, a comment included; its total
// timeout ends it in any case.
import { CallTimedOut, type Target } from './targets.ts';

export interface CallClock {
  /** Aborted with the caller's reason, or with CallTimedOut. */
  signal: AbortSignal;
  /** Notes that something arrived from the server. */
  came(): void;
  /** Extends the idle timeout: the server waits for the client's answer, and a person takes longer than a server. */
  awaitClient(): void;
  /** Null while neither timeout has passed. */
  expired(): CallTimedOut | null;
  stop(): void;
}

/** Starts both timeouts of `target`. The caller stops the clock when the call ends. */
export function startCallClock(
  target: Pick<Target, 'name' | 'timeouts'>,
  signal: AbortSignal,
  askedMs: number,
): CallClock {
  const { idleMs, totalMs } = target.timeouts;
  const own = new AbortController();
  let timedOut: CallTimedOut | null = null;
  const expire = (limit: 'idle' | 'total', limitMs: number) => () => {
    const timeouts = { ...target.timeouts, [`${limit}Ms`]: limitMs };
    timedOut = new CallTimedOut({ name: target.name, timeouts }, limit);
    own.abort(timedOut);
  };
  const giveUp = () => own.abort(signal.reason);
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  const total = setTimeout(expire('total', totalMs), totalMs).unref();
  let idle = setTimeout(expire('idle', idleMs), idleMs).unref();
  return {
    signal: own.signal,
    came: () => void idle.refresh(),
    awaitClient() {
      clearTimeout(idle);
      const longest = Math.max(idleMs, askedMs);
      idle = setTimeout(expire('idle', longest), longest).unref();
    },
    expired: () => timedOut,
    stop() {
      clearTimeout(idle);
      clearTimeout(total);
      signal.removeEventListener('abort', giveUp);
    },
  };
}
