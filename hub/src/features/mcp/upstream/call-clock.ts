// The two timeouts of a call. The idle timeout restarts with every byte of the server, also of a comment. The total timeout
// does not restart.
import { type UpstreamTarget, UpstreamTimeoutError } from './targets.ts';

export interface CallClock {
  /** Aborts with the caller's reason, or with UpstreamTimeoutError. */
  signal: AbortSignal;
  /** Restarts the idle timeout. */
  refresh(): void;
  /** Extends the idle timeout while the server waits for the client, because a user takes longer than a server. */
  awaitClient(): void;
  /** Returns the error of the timeout that expired, or null. */
  expired(): UpstreamTimeoutError | null;
  stop(): void;
}

/** Starts both timeouts of the target. The caller stops the clock at the end of the call. */
export function startCallClock(
  target: Pick<UpstreamTarget, 'name' | 'timeouts'>,
  signal: AbortSignal,
  clientInputMs: number,
): CallClock {
  const { idleMs, totalMs } = target.timeouts;
  const abort = new AbortController();
  let timeoutError: UpstreamTimeoutError | null = null;
  const expire = (limit: 'idle' | 'total', limitMs: number) => () => {
    const timeouts = { ...target.timeouts, [`${limit}Ms`]: limitMs };
    timeoutError = new UpstreamTimeoutError({ name: target.name, timeouts }, limit);
    abort.abort(timeoutError);
  };
  const onCallerAbort = () => abort.abort(signal.reason);
  if (signal.aborted) onCallerAbort();
  signal.addEventListener('abort', onCallerAbort, { once: true });
  const total = setTimeout(expire('total', totalMs), totalMs).unref();
  let idle = setTimeout(expire('idle', idleMs), idleMs).unref();
  return {
    signal: abort.signal,
    refresh: () => void idle.refresh(),
    awaitClient() {
      clearTimeout(idle);
      const longestMs = Math.max(idleMs, clientInputMs);
      idle = setTimeout(expire('idle', longestMs), longestMs).unref();
    },
    expired: () => timeoutError,
    stop() {
      clearTimeout(idle);
      clearTimeout(total);
      signal.removeEventListener('abort', onCallerAbort);
    },
  };
}
