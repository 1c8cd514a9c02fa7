// Schedules discovery: a complete scan at an interval, and rescans of changed places within a minute.
import { isDeepStrictEqual } from 'node:util';
import type { AgentConfig } from '../config/agent-config.ts';
import { currentPlatform } from '../config/device-identity.ts';
import type { LiveHomes } from '../discovery/homes/live-homes.ts';
import { type ChangedPlace, watchChanges } from '../discovery/scan/change-watcher.ts';
import { discoverySettings } from '../discovery/scan/discovery-settings.ts';
import type { ScanResult } from '../discovery/scan/entity-assembler.ts';
import {
  type MachineResult,
  type MachineScan,
  scanMachine,
} from '../discovery/scan/machine-scan.ts';
import { replacePart } from '../discovery/scan/partial-result.ts';
import type { Report } from '../discovery/source-contract.ts';
import { createAbandonedWorkers } from '../runtime/killable-worker.ts';
import type { Log } from '../runtime/log.ts';
import { jitter, type Loop, startLoop } from '../runtime/task-loop.ts';
import type { Backend } from '../sync/backend.ts';

export interface ScanScheduler {
  /** Starts a complete scan as soon as no other scan runs. */
  wake(): void;
  stop(): Promise<void>;
}

interface SchedulerOptions {
  config: AgentConfig;
  dataDir: string;
  env: NodeJS.ProcessEnv;
  backend: Backend;
  homes: LiveHomes;
  /** Receives each result, and whether it is complete, before it is planned for the hub. */
  applyScan: (result: ScanResult, isComplete: boolean) => void;
  /** Called once the result is planned for the hub. */
  planned: () => void;
  reportError: (error: unknown, message: string) => void;
  log: Log;
}

/** Starts both loops: complete scans at an interval, and rescans of changed places in between. */
export function startScanScheduler(options: SchedulerOptions): ScanScheduler {
  const { config, backend, log } = options;
  const abort = new AbortController();
  const changes = watchChanges(currentPlatform());
  const scanOnce = createScanner(options, abort.signal);
  const inTurn = createTurns();
  let latest: ScanResult | null = null;
  /** Reports of watched sources, which a rescan of changed places need not read again. */
  let kept: Report[] = [];
  /** The last result, while it is that of a complete scan. */
  let complete: MachineResult | null = null;

  const publish = (result: ScanResult, isComplete: boolean) => {
    latest = result;
    options.applyScan(result, isComplete);
    backend.pusher.plan(result);
    options.planned();
  };

  const scanAll = async () => {
    const result = await scanOnce({ before: complete });
    if (result === null) return;
    kept = result.kept;
    complete = result;
    const { entities, problems, durationMs, startedAt, coverage } = result;
    publish({ entities, problems, durationMs, startedAt, coverage }, true);
    // A comparison of digests leaves next to no garbage.
    if (!result.isSame) collectGarbage();
    log.info(
      { entities: entities.length, problems: problems.length, duration_ms: durationMs },
      'scanned',
    );
    await changes.learn(result.watched);
  };

  const rescan = async (places: readonly ChangedPlace[]) => {
    if (latest === null) return;
    // A complete report to the hub needs a complete scan.
    if (backend.pusher.isFullDue()) return scanLoop.wake();
    const part = await scanOnce({ again: { places, kept } });
    if (part === null) return;
    const sources = new Set(places.map((place) => place.source));
    complete = null;
    kept = [...kept.filter((report) => !sources.has(report.source)), ...part.kept];
    publish(replacePart(latest, part, sources), false);
    collectGarbage();
    log.info({ sources: [...sources], duration_ms: part.durationMs }, 'read again what changed');
    await changes.learn({ ...part.watched, reports: kept });
  };

  const scanLoop: Loop = startLoop(() => inTurn(scanAll), {
    firstMs: 0,
    nextMs: () => jitter(config.discoveryIntervalMs),
    failed: (error) => options.reportError(error, 'scanning failed'),
  });
  const changeLoop = startLoop(
    async () => {
      const places = await changes.findChanges();
      if (places.length > 0) await inTurn(() => rescan(places));
    },
    {
      firstMs: config.changeIntervalMs,
      nextMs: () => config.changeIntervalMs,
      failed: (error) => options.reportError(error, 'reading what changed failed'),
    },
  );
  return {
    wake: scanLoop.wake,
    async stop() {
      abort.abort();
      await Promise.all([scanLoop.stop(), changeLoop.stop()]);
    },
  };
}

/** Runs work in turn: a rescan never overlaps a complete scan. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** Returns a function that scans once; null where the scan was stopped or its settings changed meanwhile. */
function createScanner(
  { config, dataDir, env, backend, homes }: SchedulerOptions,
  signal: AbortSignal,
): (scope: Pick<MachineScan, 'before' | 'again'>) => Promise<MachineResult | null> {
  const abandoned = createAbandonedWorkers();
  return async (scope) => {
    const settings = discoverySettings(backend.state);
    await homes.renew();
    const result = await scanMachine({
      homes: [...homes.list],
      ...{ abandoned, env, settings, dataDir, signal },
      sources: config.sources,
      // A complete report to the hub is read in full.
      isFullRead: backend.pusher.isFullDue(),
      ...scope,
    });
    // A change of the settings has already woken the next complete scan.
    const isObsolete = !isDeepStrictEqual(settings, discoverySettings(backend.state));
    return signal.aborted || isObsolete ? null : result;
  };
}

/** Returns the memory that a scan needed; without effect where Node was started without `--expose-gc`. */
function collectGarbage(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync' });
}
