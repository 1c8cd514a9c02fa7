// The loop: page after page while there is more, then a look now and then; what fails is tried again, what is refused ends it.
import { PageFailed, pause, readPage, type Source, waitSeconds } from './page.ts';
import type { Sink } from './sinks.ts';

export interface CollectOptions {
  /** Where to begin without a cursor; the hub's default is the last 24 hours. */
  startTime: string | null;
  /** Between two looks once everything is read; null: end then. */
  pollSeconds: number | null;
  stopped: AbortSignal;
  notify(message: string): void;
  random(): number;
}

/** Ends when it is stopped, or with `pollSeconds` null when everything is read. Throws Refused. */
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
      const from = placeOf(sink, options.startTime);
      const {
        next_cursor: cursor,
        rows: told,
        has_more: hasMore,
      } = await readPage(source, from, (line) => sink.write(line), stopped);
      await sink.commit(cursor);
      rows += told;
      failures = 0;
      if (hasMore) continue;
      if (options.pollSeconds === null) break;
      await pause(options.pollSeconds, stopped);
    } catch (error) {
      await sink.rollback();
      if (stopped.aborted) break;
      if (!(error instanceof PageFailed)) throw error;
      failures++;
      const seconds = waitSeconds(failures, error.retryAfterSeconds, options.random());
      options.notify(`${error.message}; again in ${seconds.toFixed(1)} s`);
      await pause(seconds, stopped);
    }
  }
  return { rows };
}

function placeOf(sink: Sink, startTime: string | null) {
  if (sink.cursor !== null) return { cursor: sink.cursor };
  return startTime === null ? null : { startTime };
}
