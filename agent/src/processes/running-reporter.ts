// Reports running programs to the hub completely when they changed: a preview then shows whom a decision would
// affect.
import { createHash } from 'node:crypto';
import { processId } from '@gatewarden/shared/identity.ts';
import { RUNNING_LIMIT } from '@gatewarden/shared/wire/sync/limits.ts';
import type { RunningProcess } from '@gatewarden/shared/wire/sync/running-processes.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { type Home, shortenHome } from '../discovery/homes/home-list.ts';
import { findProtectionRule, type SystemContext } from '../enforcement/protection-rules.ts';
import { HubRefused } from '../sync/backoff.ts';
import type { SyncClient } from '../sync/hub-client.ts';
import { applicationName, type CorrelatedProcess } from './process-correlator.ts';

/**
 * Programs start and end all the time. A quiet machine reports a change with the next poll; a busy machine uses up
 * its saved reports and then reports with every tenth poll, within these bounds.
 */
const SAVED_MAX = 10;
const POLLS_BETWEEN = 10;
const LEAST_MS = 5_000;
const MOST_MS = 600_000;
const ENTITIES_MAX = 16;

export interface RunningReporter {
  /** Sends the picture where it changed and its time has come. Throws what the hub's absence throws. */
  report(processes: readonly CorrelatedProcess[]): Promise<void>;
}

export function createRunningReporter(options: {
  client: SyncClient;
  platform: Platform;
  homes: readonly Home[];
  systemContext: () => Promise<SystemContext>;
  pollIntervalMs: number;
  monotonicMs: () => number;
}): RunningReporter {
  const { client, monotonicMs } = options;
  const pauseMs = Math.min(MOST_MS, Math.max(LEAST_MS, POLLS_BETWEEN * options.pollIntervalMs));
  let lastReport = '';
  let saved = SAVED_MAX;
  let savedAt = monotonicMs();
  let isAsked = true;
  return {
    async report(processes) {
      const now = monotonicMs();
      saved = Math.min(SAVED_MAX, saved + (now - savedAt) / pauseMs);
      savedAt = now;
      if (!isAsked || saved < 1) return;
      const running = describeRunning(processes, {
        platform: options.platform,
        homes: options.homes,
        systemContext: await options.systemContext(),
      });
      const digest = createHash('sha256').update(JSON.stringify(running)).digest('base64');
      if (digest === lastReport) return;
      try {
        await client.post('runningProcesses', {
          device: client.device,
          processes: running,
        });
      } catch (error) {
        if (!(error instanceof HubRefused) || error.status !== 404) throw error;
        // An older hub does not support the report; a newer hub is noticed after the next start at the latest.
        isAsked = false;
        return;
      }
      lastReport = digest;
      saved -= 1;
    },
  };
}

/** Returns a row for each program, by id; kernel threads and unreadable processes are left out. */
export function describeRunning(
  processes: readonly CorrelatedProcess[],
  context: { platform: Platform; homes: readonly Home[]; systemContext: SystemContext },
): RunningProcess[] {
  const rows = new Map<string, RunningProcess>();
  for (const correlated of processes) {
    const { process, entities } = correlated;
    if (process.kernelThread || process.executablePath === null) continue;
    const path = clean(shortenHome(process.executablePath, context.homes)).slice(0, 4096);
    const name = clean(process.name).slice(0, 512);
    const id = processId(context.platform, name, path);
    const row = rows.get(id);
    const protectionRule = findProtectionRule(correlated, context.systemContext)?.name ?? null;
    if (row === undefined) {
      rows.set(id, {
        process_id: id,
        name,
        executable_path: path,
        application_name: applicationName(correlated)?.slice(0, 512) ?? null,
        entity_ids: entities.map((entity) => entity.entity_id).slice(0, ENTITIES_MAX),
        count: 1,
        guard_rail: protectionRule,
      });
    } else {
      row.count += 1;
      // A program counts as endable where at least a single process of it may be ended.
      row.guard_rail = protectionRule === null ? null : (row.guard_rail ?? null);
    }
  }
  return [...rows.values()]
    .sort((a, b) => (a.process_id < b.process_id ? -1 : 1))
    .slice(0, RUNNING_LIMIT);
}

const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');
