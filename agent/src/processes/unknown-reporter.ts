// Reports unknown processes to the hub once, and again when its process map has changed or a day later.
import { processId } from '@gatewarden/shared/identity.ts';
import { BATCH_LIMIT } from '@gatewarden/shared/wire/sync/limits.ts';
import type { UnknownProcess } from '@gatewarden/shared/wire/sync/unknown-processes.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { type Home, shortenHome } from '../discovery/homes/home-list.ts';
import type { Db } from '../store/store-database.ts';
import type { SyncClient } from '../sync/hub-client.ts';
import type { ReadExecutable } from './executable-facts.ts';
import type { CorrelatedProcess } from './process-correlator.ts';

const REMEMBERED_MS = 86_400_000;

export interface UnknownReporter {
  /**
   * Sends the unknown processes that were not reported. Throws the errors of the hub's client; the next call sends
   * again.
   */
  report(processes: readonly CorrelatedProcess[], mapVersion: number): Promise<number>;
}

/** Reports are remembered over restarts. */
export function createUnknownReporter(options: {
  db: Db;
  client: SyncClient;
  platform: Platform;
  homes: readonly Home[];
  readPublisher: ReadExecutable;
  makeId: () => string;
  now: () => number;
}): UnknownReporter {
  const { db, client, now } = options;
  const lastReported = db.prepare<
    [string],
    { first_seen_at: string; reported_at: number; map_version: number }
  >('SELECT first_seen_at, reported_at, map_version FROM reported_processes WHERE process_id = ?');
  const remember = db.prepare(
    'INSERT OR REPLACE INTO reported_processes (process_id, first_seen_at, reported_at, map_version) VALUES (?, ?, ?, ?)',
  );
  return {
    async report(processes, mapVersion) {
      const seenAt = new Date(now()).toISOString();
      const unknown = collectUnknown(processes, options.platform, options.homes, seenAt);
      const news = unknown.flatMap((process) => {
        const before = lastReported.get(process.process_id);
        const fresh =
          before !== undefined &&
          before.map_version === mapVersion &&
          now() - before.reported_at < REMEMBERED_MS;
        return fresh
          ? []
          : [{ ...process, first_seen_at: before?.first_seen_at ?? process.first_seen_at }];
      });
      for (let from = 0; from < news.length; from += BATCH_LIMIT) {
        const batch: UnknownProcess[] = [];
        for (const { path, ...process } of news.slice(from, from + BATCH_LIMIT)) {
          batch.push({ ...process, publisher: await options.readPublisher(path) });
        }
        await client.post('unknownProcesses', {
          batch_id: options.makeId(),
          device: client.device,
          processes: batch,
        });
        db.transaction(() => {
          for (const p of batch) remember.run(p.process_id, p.first_seen_at, now(), mapVersion);
        })();
      }
      db.prepare('DELETE FROM reported_processes WHERE reported_at < ?').run(
        now() - 30 * REMEMBERED_MS,
      );
      return news.length;
    },
  };
}

/** An unknown process with the path of its executable on this machine. */
export type UnknownProgram = UnknownProcess & { path: string };

/** Returns a row for each executable that neither an entity nor a mapping explains; its publisher is not read. */
export function collectUnknown(
  processes: readonly CorrelatedProcess[],
  platform: Platform,
  homes: readonly Home[],
  seenAt: string,
): UnknownProgram[] {
  const rows = new Map<string, UnknownProgram>();
  for (const { process, entities, mapping } of processes) {
    const path = process.executablePath;
    if (process.kernelThread || path === null) continue;
    if (entities.length > 0 || mapping !== null) continue;
    const shown = shortenHome(path, homes).toWellFormed().replaceAll('\0', '\ufffd').slice(0, 4096);
    const name = process.name.toWellFormed().slice(0, 512);
    const id = processId(platform, name, shown);
    const row = rows.get(id);
    if (row !== undefined) row.count += 1;
    else {
      rows.set(id, {
        path,
        process_id: id,
        name,
        executable_path: shown,
        publisher: null,
        sha256: null,
        first_seen_at: seenAt,
        count: 1,
      });
    }
  }
  return [...rows.values()].sort((a, b) => (a.process_id < b.process_id ? -1 : 1));
}
