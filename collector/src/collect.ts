// The collector loop: reads pages while more exist, then polls; retries failed pages, and ends when the hub refuses.
import {
  CertificateRejected,
  PageFailed,
  pause,
  readPage,
  type Source,
  waitSeconds,
} from './page.ts';
import type { Sink } from './sinks.ts';

export interface CollectOptions {
  /** The start of the export without a cursor, in RFC 3339; the hub's default is the last 24 hours. */
  startTime: string | null;
  /** The poll interval in seconds after everything is read; null: end then. */
  pollSeconds: number | null;
  stopped: AbortSignal;
  notify(message: string): void;
  random(): number;
}

/**
 * Copies the export into the sink until `stopped`, or with `pollSeconds` null until everything is read. Returns the
 * number of rows. Throws Refused, and with `pollSeconds` null CertificateRejected.
 */
export async function collect(
  source: Source,
  sink: Sink,
  options: CollectOptions,
): Promise<{ rows: number }> {
  const { stopped } = options;
  let rows = 0;
  let failures = 0;
  while (!stopped.aborted) {
    try {
      const from = resumePoint(sink, options.startTime);
      const {
        next_cursor: cursor,
        rows: pageRows,
        has_more: hasMore,
      } = await readPage(source, from, (line) => sink.write(line), stopped);
      await sink.commit(cursor);
      rows += pageRows;
      failures = 0;
      if (hasMore) continue;
      if (options.pollSeconds === null) break;
      await pause(options.pollSeconds, stopped);
    } catch (error) {
      await sink.rollback();
      if (stopped.aborted) break;
      if (!mayRetry(error, options)) throw error;
      failures++;
      const seconds = waitSeconds(failures, error.retryAfterSeconds, options.random());
      options.notify(`${error.message}; again in ${seconds.toFixed(1)} s`);
      await pause(seconds, stopped);
    }
  }
  return { rows };
}

/** Returns whether the page can be requested again; with --once a rejected certificate ends the collector. */
function mayRetry(error: unknown, { pollSeconds }: CollectOptions): error is PageFailed {
  if (error instanceof CertificateRejected) return pollSeconds !== null;
  return error instanceof PageFailed;
}

function resumePoint(sink: Sink, startTime: string | null) {
  if (sink.cursor !== null) return { cursor: sink.cursor };
  return startTime === null ? null : { startTime };
}
