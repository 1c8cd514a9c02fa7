// Purpose: composes the agent over an open backend, without loops, sockets or scans of its own.
// Main types: `AgentCore`; its parts are `ModeController`, `TickLoop` and `LocalQueries`.
// Invariants: a change of policies, mode, inventory or process map leads to a decision about all processes.
// Depends on: processes/ (what runs), enforcement/ (what is done about it), sync/backend.ts (hub and store).
// Start reading at `createAgentCore`.
import type { PauseState } from '@gatewarden/shared/wire/local/service.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { AgentConfig } from '../config/agent-config.ts';
import { currentPlatform } from '../config/device-identity.ts';
import type { LiveHomes } from '../discovery/homes/live-homes.ts';
import type { ScanResult } from '../discovery/scan/entity-assembler.ts';
import {
  type Exemption,
  type TerminationOutcome,
  terminateProcess,
} from '../enforcement/actions/linux-terminator.ts';
import { terminateListedProcess } from '../enforcement/actions/listed-terminator.ts';
import { terminateWindowsProcess } from '../enforcement/actions/windows-terminator.ts';
import { createBlastRadiusGuard } from '../enforcement/blast-radius-guard.ts';
import { notifyDesktop } from '../enforcement/desktop-notifier.ts';
import { createEnforcer, type Enforcer } from '../enforcement/enforcement-pipeline.ts';
import type { SystemContext } from '../enforcement/protection-rules.ts';
import { openQuarantine, type Quarantine } from '../enforcement/quarantine/index.ts';
import { readSystemContext } from '../enforcement/system-context.ts';
import { createUnsupportedOverrides } from '../enforcement/unsupported-overrides.ts';
import { createNotices, type Notices } from '../enforcement/user-notices.ts';
import type { UserKeys } from '../local-api/user-keys.ts';
import {
  createFileHasher,
  createPublisherReader,
  type ReadExecutable,
} from '../processes/executable-facts.ts';
import { openPackageOwners } from '../processes/package-owners.ts';
import { type Correlator, createCorrelator } from '../processes/process-correlator.ts';
import { watchProcesses } from '../processes/process-watcher.ts';
import type { RunningProcess } from '../processes/running-process.ts';
import { openScriptPaths } from '../processes/script-paths.ts';
import type { Log } from '../runtime/log.ts';
import { type MountProbe, openMountProbe } from '../runtime/mount-probe.ts';
import { uuid7 } from '../runtime/uuid7.ts';
import type { Backend } from '../sync/backend.ts';
import { createLocalQueries, type LocalQueries } from './local-query-service.ts';
import { createModeController, type ModeController } from './mode-controller.ts';
import { createProcessReporting } from './process-reporting.ts';
import { createTickLoop } from './tick-loop.ts';

export interface AgentCore {
  queries: LocalQueries;
  /** Reads the process list once, and enforces policies for new processes. */
  tick(): Promise<void>;
  /** Takes over the result of a scan. `isComplete`: everything was scanned, and not only what changed. */
  applyScan(result: ScanResult, isComplete: boolean): void;
  /** Reports unknown and running processes to the hub; does nothing before the first scan, when all are unknown. */
  reportProcesses(): Promise<void>;
  /** Pauses enforcement for a user, where the company allows it. Throws a `PlainError` where it does not. */
  pause(key: string | null, minutes: number): PauseState;
  resume(key: string | null): PauseState;
  turnOff(): void;
  turnOn(): void;
  /** Resolves when no action is under way. */
  drain(): Promise<void>;
  quarantine: Pick<Quarantine, 'close'>;
}

interface CoreOptions {
  config: AgentConfig & { backend: { baseUrl: string } };
  dataDir: string;
  backend: Backend;
  homes: LiveHomes;
  userKeys: UserKeys;
  log: Log;
}

const TERMINATORS: Record<
  Platform,
  (process: RunningProcess, exempt: Exemption) => Promise<TerminationOutcome>
> = {
  linux: terminateProcess,
  darwin: terminateListedProcess,
  win32: terminateWindowsProcess,
};

/** Composes the agent; it acts with the first `tick`. */
export function createAgentCore(options: CoreOptions): AgentCore {
  const { config, backend, userKeys, log } = options;
  const platform = currentPlatform();
  issueKeysToUsers(options);
  const homes = options.homes.list;
  const watch = watchProcesses();
  const mountProbe = openMountProbe();
  const readPublisher = createPublisherReader(platform, mountProbe);
  const scripts = openScriptPaths(mountProbe);
  const correlator = createCorrelator(platform, openPackageOwners(), homes, scripts);
  correlator.applyProcessMap(storedMappings(backend));
  const modes = createModeController({ ...options, platform });
  const policies = openPolicies(backend, log);
  const notices = createNotices({
    people: userKeys,
    makeId: uuid7,
    now: Date.now,
    notify: notifyDesktop(homes),
  });
  const systemContext = cacheSystemContext();
  const { quarantine, enforcer } = openEnforcement(options, {
    ...{ modes, mountProbe, correlator, notices, readPublisher },
    ...{ overrides: policies.current, systemContext: systemContext.read },
  });
  const report = createProcessReporting({
    ...{ platform, homes, backend, enforcer, readPublisher, log },
    pollIntervalMs: config.deltaIntervalMs,
  });
  const loop = createTickLoop({
    ...{ watch, homes: options.homes, modes, correlator, quarantine, enforcer, log },
    overrides: policies.current,
    hubNow: backend.clock.now,
    invalidateSystemContext: systemContext.invalidate,
  });
  policies.onChange(loop.reconsider);
  scripts.onLearned(loop.reconsider);
  backend.onProcessMapChanged((mappings) => {
    correlator.applyProcessMap(mappings);
    loop.reconsider();
  });
  /** The pusher keeps the same object: this reference costs no memory. */
  let latestScan: ScanResult | null = null;
  const observeMode = () => modes.observe() && loop.reconsider();
  return {
    queries: createLocalQueries({
      ...{ platform, backend, userKeys, modes, watch, correlator, enforcer, quarantine, notices },
      baseUrl: config.backend.baseUrl,
      unsupportedOverrides: policies.unsupported,
      overrides: policies.current,
      latestScan: () => latestScan,
    }),
    tick: loop.tick,
    applyScan(result, isComplete) {
      correlator.applyScan(result.entities, quarantine.quarantinedPrograms());
      quarantine.applyScan(result.entities);
      latestScan = result;
      loop.reconsider();
      if (isComplete) recordScan(backend, result);
    },
    async reportProcesses() {
      if (latestScan !== null) await report(correlator.correlate(watch.current()));
    },
    pause: modes.pauses.begin,
    resume: modes.pauses.end,
    turnOff() {
      modes.turnOff();
      observeMode();
    },
    turnOn() {
      modes.turnOn();
      observeMode();
    },
    async drain() {
      await loop.drain();
      await quarantine.drain();
      modes.end();
      await backend.activity.settle();
    },
    quarantine,
  };
}

function issueKeysToUsers({ homes, userKeys }: CoreOptions): void {
  homes.follow((all) => {
    for (const { uid } of all) if (uid !== null) userKeys.issueKey(uid);
  });
}

/** Returns the mappings of the last process map that the hub sent. */
function storedMappings({ state }: Backend): ProcessMapping[] {
  return (state.get('process_map')?.mappings ?? []) as ProcessMapping[];
}

function recordScan({ state }: Backend, result: ScanResult): void {
  state.set('last_scan', {
    at: result.startedAt.toISOString(),
    entities: result.entities.length,
    duration_ms: result.durationMs,
  });
}

/** Caches the policies in force, and reloads them when the hub changed them. */
function openPolicies(backend: Backend, log: Log) {
  let overrides: readonly WireOverride[] = backend.overrides.load();
  const unsupported = createUnsupportedOverrides(backend, log);
  return {
    current: () => overrides,
    unsupported,
    onChange(listener: () => void) {
      backend.onGovernanceChanged(() => {
        overrides = backend.overrides.load();
        unsupported.look();
        listener();
        log.info({ overrides: overrides.length }, 'governance changed');
      });
    },
  };
}

/** Reads the system context once per decision about all processes. */
function cacheSystemContext() {
  let cached: Promise<SystemContext> | null = null;
  return {
    read: () => {
      cached ??= readSystemContext();
      return cached;
    },
    invalidate() {
      cached = null;
    },
  };
}

/** Opens quarantine and enforcement, which share mode, breaker and blast radius. */
function openEnforcement(
  { dataDir, backend, homes, log }: CoreOptions,
  parts: {
    modes: ModeController;
    mountProbe: MountProbe;
    correlator: Correlator;
    notices: Notices;
    readPublisher: ReadExecutable;
    overrides: () => readonly WireOverride[];
    systemContext: () => Promise<SystemContext>;
  },
): { quarantine: Quarantine; enforcer: Enforcer } {
  const { modes, mountProbe, correlator, notices, readPublisher, overrides, systemContext } = parts;
  const platform = currentPlatform();
  const blastRadius = createBlastRadiusGuard((override) => {
    log.error({ override_id: override.override_id }, 'an override is too broad');
    backend.alertAboutAgent(
      'override_too_broad',
      'high',
      `Override ${override.override_id} names no program, or what a pattern of the process map calls so, and would end too many: the agent ends nothing by it`,
    );
  });
  const common = {
    ...{ platform, homes: homes.list, overrides, mountProbe, blastRadius },
    ...{ hubNow: backend.clock.now, now: Date.now, monotonicMs: () => performance.now() },
    ...{ makeId: uuid7, mode: modes.mode, breaker: modes.breaker, journal: backend.journal },
    sendActivity: backend.activity.send,
    raiseAlert: backend.alerts.raise,
    log: (fields: object, message: string) => log.info(fields, message),
  };
  const quarantine = openQuarantine({
    ...common,
    dataDir,
    lastingMode: modes.lastingMode,
    isGoverned: () => backend.state.get('cursor') !== null,
    reportRecordError: (message) => {
      log.error(message);
      backend.alertAboutAgent('store_reset', 'critical', message.slice(0, 4096));
    },
  });
  const enforcer = createEnforcer({
    ...common,
    quarantine,
    notifyUser: notices.notify,
    systemContext,
    correlate: correlator.correlate,
    hashFile: createFileHasher(mountProbe),
    readPublisher,
    terminate: TERMINATORS[platform],
  });
  return { quarantine, enforcer };
}
