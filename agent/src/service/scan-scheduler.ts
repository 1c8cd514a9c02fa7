// The two loops that look at the machine: the whole of it now and then, and what changed in between within a minute.
import { isDeepStrictEqual } from 'node:util';
import type { AgentConfig } from '../config/agent-config.ts';
import { currentPlatform } from '../config/device-identity.ts';
import type { LiveHomes } from '../discovery/homes/live-homes.ts';
import { type ChangedPlace, watchChanges } from '../discovery/scan/change-watcher.ts';
import { discoverySettings } from '../discovery/scan/discovery-settings.ts';
import type { ScanResult } from '../discovery/scan/entity-assembler.ts';
import { replacePart } from '../discovery/scan/partial-result.ts';
import { type MachineResult, scanMachine } from '../discovery/scan/scan-planner.ts';
import { createLeftBehind } from '../discovery/scan/worker/abandoned-workers.ts';
import type { Report } from '../discovery/source-contract.ts';
import type { Log } from '../runtime/log.ts';
import { collectGarbage } from '../runtime/process-relauncher.ts';
import { jitter, type Loop, startLoop } from '../runtime/task-loop.ts';
import type { Backend } from '../sync/backend.ts';

export interface Scanning {
  /** Everything anew. */
  wake(): void;
  stop(): Promise<void>;
}

/** Starts both loops; `learn` hears each result, and whether all of it is new, before it is planned for the hub. */
export function startScanning(options: {
  config: AgentConfig;
  dataDir: string;
  env: NodeJS.ProcessEnv;
  backend: Backend;
  homes: LiveHomes;
  learn: (result: ScanResult, whole: boolean) => void;
  planned: () => void;
  stumbled: (error: unknown, message: string) => void;
  log: Log;
}): Scanning {
  const { config, dataDir, env, backend, homes, log } = options;
  const ends = new AbortController();
  const leftBehind = createLeftBehind();
  const changes = watchChanges(currentPlatform());
  let latest: ScanResult | null = null;
  let kept: Report[] = [];
  /** The last result, while it is that of a whole scan. */
  let whole: MachineResult | null = null;
  let working: Promise<unknown> = Promise.resolve();
  /** Never two at once: the loops take turns. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = working.then(work);
    working = turn.catch(() => undefined);
    return turn;
  };

  /** Null where it came to nothing, or was made under settings that are not in force any more. */
  const read = async (again?: readonly ChangedPlace[]): Promise<MachineResult | null> => {
    const settings = discoverySettings(backend.state);
    const { signal } = ends;
    await homes.renew();
    const result = await scanMachine({
      homes: [...homes.list],
      leftBehind,
      sources: config.sources,
      env,
      settings,
      dataDir,
      signal,
      // What the hub is to be told in full is read in full, and so is the first scan.
      byStamps: !backend.pusher.isFullDue(),
      ...(again === undefined ? { before: whole } : { again: { places: again, kept } }),
    });
    const isObsolete = !isDeepStrictEqual(settings, discoverySettings(backend.state));
    // A change of the settings has woken the whole scan again.
    return signal.aborted || isObsolete ? null : result;
  };

  const tell = (result: ScanResult, isWhole: boolean) => {
    latest = result;
    options.learn(result, isWhole);
    backend.pusher.plan(result);
    options.planned();
  };

  const scanAll = async () => {
    const result = await read();
    if (result === null) return;
    kept = result.kept;
    whole = result;
    const { entities, problems, durationMs, startedAt, coverage } = result;
    tell({ entities, problems, durationMs, startedAt, coverage }, true);
    // Of what was only compared next to nothing is left behind.
    if (!result.isSame) collectGarbage();
    log.info(
      { entities: entities.length, problems: problems.length, duration_ms: durationMs },
      'scanned',
    );
    await changes.learn(result.watched);
  };

  const readAgain = async (places: readonly ChangedPlace[]) => {
    if (latest === null) return;
    // What is to be told in full is to be looked at in full.
    if (backend.pusher.isFullDue()) return scanLoop.wake();
    const part = await read(places);
    if (part === null) return;
    const sources = new Set(places.map((place) => place.source));
    whole = null;
    kept = [...kept.filter((report) => !sources.has(report.source)), ...part.kept];
    tell(replacePart(latest, part, sources), false);
    collectGarbage();
    log.info({ sources: [...sources], duration_ms: part.durationMs }, 'read again what changed');
    await changes.learn({ ...part.watched, reports: kept });
  };

  const scanLoop: Loop = startLoop(() => inTurn(scanAll), {
    firstMs: 0,
    nextMs: () => jitter(config.discoveryIntervalMs),
    failed: (error) => options.stumbled(error, 'scanning failed'),
  });
  const changeLoop = startLoop(
    async () => {
      const places = await changes.look();
      if (places.length > 0) await inTurn(() => readAgain(places));
    },
    {
      firstMs: config.changeIntervalMs,
      nextMs: () => config.changeIntervalMs,
      failed: (error) => options.stumbled(error, 'reading what changed failed'),
    },
  );

  return {
    wake: scanLoop.wake,
    async stop() {
      ends.abort();
      await Promise.all([scanLoop.stop(), changeLoop.stop()]);
    },
  };
}
