// A run of the agent: its own store, client, loops and enforcement, from start to crash. Only the machine is simulated.
import type { TokenPlace } from '@gatewarden/agent/src/config/token-store.ts';
import type { ScanResult } from '@gatewarden/agent/src/discovery/scan/entity-assembler.ts';
import { createBlastRadiusGuard } from '@gatewarden/agent/src/enforcement/blast-radius-guard.ts';
import { effectiveMode } from '@gatewarden/agent/src/enforcement/enforcement-mode.ts';
import {
  createEnforcer,
  type Enforcer,
} from '@gatewarden/agent/src/enforcement/enforcement-pipeline.ts';
import { createKillBreaker } from '@gatewarden/agent/src/enforcement/kill-breaker.ts';
import type { SystemContext } from '@gatewarden/agent/src/enforcement/protection-rules.ts';
import type { RunningProcess } from '@gatewarden/agent/src/processes/running-process.ts';
import type { Log } from '@gatewarden/agent/src/runtime/log.ts';
import type { Timing } from '@gatewarden/agent/src/runtime/timing.ts';
import { createUuid7 } from '@gatewarden/agent/src/runtime/uuid7.ts';
import type { NewAlert } from '@gatewarden/agent/src/store/alert-store.ts';
import { openHubClock } from '@gatewarden/agent/src/store/hub-clock.ts';
import { isDiskFull } from '@gatewarden/agent/src/store/store-database.ts';
import { type Backend, joinBackend } from '@gatewarden/agent/src/sync/backend.ts';
import type { Exchange } from '@gatewarden/agent/src/sync/http-exchange.ts';
import { startSyncLoops } from '@gatewarden/agent/src/sync/sync-loops.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { type EnforcementCeiling, EXECUTION_POLICIES } from '@gatewarden/shared/wire/vocabulary.ts';
import { Crashed, Disk, type DiskPlants, query } from './disk.ts';
import { correlated } from './programs.ts';
import { DEVICE_ID, TENANT_ID } from './records.ts';
import type { SeededRandom, SimulatedEnvironment } from './simulated-environment.ts';

/** Faults that a test plants in the agent. */
export interface AgentPlants extends DiskPlants {
  /** Enforces in spite of the emergency stop. */
  ignoresCeiling?: boolean;
  /** Decides by the wall clock. */
  trustsWallClock?: boolean;
  /** Takes a policy that it does not know for the strictest. */
  guessesPolicy?: boolean;
  /** Decides by what is stored, and not by what a full disk did not take. */
  trustsDiskAlone?: boolean;
  /** Ignores change notices of its overrides. */
  isDeaf?: boolean;
  /** So many more alerts than allowed may wait. */
  moreAlerts?: number;
}

/** The machine: it lives on when the agent ends. */
export interface Machine {
  /** How far the wall clock is off. */
  wallOffMs: number;
  bootedAt: number;
  boots: number;
  subscriberId: string;
  pollEveryMs: number;
  tokens: Map<string, string>;
  scan(): ScanResult;
}

export const ALERT_LIMIT = 6;
export const POLL_EVERY_MS = 5 * 60_000;
const SCAN_SOON_MS = 2_000;

export interface AgentRun {
  readonly backend: Backend;
  readonly disk: Disk;
  readonly enforcer: Enforcer;
  /** The enforcement that is allowed now. */
  mode(): EnforcementCeiling;
  makeId(): string;
  /** The wall clock. */
  now(): number;
  raise(alert: NewAlert): void;
  /** A scan of the whole machine. */
  scan(): void;
  /** Ends the process at once, without cleanup. */
  end(): void;
}

/** Starts the agent on the machine. Throws what the start stumbled over, which may be its end. */
export async function startAgent(parts: {
  world: SimulatedEnvironment;
  dice: SeededRandom;
  machine: Machine;
  plants: AgentPlants;
  /** How its requests reach a hub, while it lives. */
  exchange: (isAlive: () => boolean) => Exchange;
  /** The run has begun: from here on it may end at any statement. */
  begun: (disk: Disk) => void;
  crashed: () => void;
  raising: (alert: NewAlert, raise: () => void) => void;
  ended: (process: RunningProcess) => void;
  note: (text: () => string) => void;
}): Promise<AgentRun> {
  const { world, dice, machine, plants } = parts;
  const startedAt = world.now;
  const disk = new Disk(() => {
    disk.isGone = true;
    parts.crashed();
  }, plants);
  parts.begun(disk);
  const isAlive = () => !disk.isGone;
  const timing: Timing = {
    now: () => world.now + machine.wallOffMs,
    monotonicMs: () => world.now - startedAt,
    random: dice.next,
    after: (ms, work) =>
      world.after(ms, () => {
        if (isAlive()) work();
      }),
  };
  const makeId = createUuid7(timing.now, (count) => dice.bytes(count));
  const backend = await joinBackend({
    db: disk.db,
    device: {
      device_id: DEVICE_ID,
      hostname: 'laptop',
      platform: 'linux',
      os_version: '13',
      arch: 'x64',
      agent_version: '0.1.0',
    },
    backend: {
      baseUrl: 'http://hub.invalid',
      tenantId: TENANT_ID,
      subscriberId: machine.subscriberId,
      authToken: null,
      caFile: null,
      pin: null,
      proxy: null,
      owner: null,
    },
    tokens: placeOf(machine.tokens),
    env: {},
    log: SILENT,
    storeFailed: (error) => parts.note(() => `  the store: ${error}`),
    surface: {
      timing,
      makeId,
      exchange: parts.exchange(isAlive),
      alertLimit: ALERT_LIMIT + (plants.moreAlerts ?? 0),
      openClock: (state) =>
        openHubClock(state, {
          wallMs: timing.now,
          uptimeS: () =>
            (world.now - machine.bootedAt + (plants.trustsWallClock ? machine.wallOffMs : 0)) /
            1000,
          bootId: `boot-${machine.boots}`,
        }),
    },
  });

  const load = () => {
    if (plants.guessesPolicy) return guessed();
    return plants.trustsDiskAlone ? stored().filter(isKnown) : backend.overrides.load();
  };
  // The agent's core caches the overrides in the same way: it reads them again after a change notice.
  let overrides = load();
  backend.onGovernanceChanged(() => {
    if (plants.isDeaf !== true) overrides = load();
    parts.note(() => `  governance changed: ${overrides.length} overrides`);
  });
  const { state } = backend;
  const breaker = createKillBreaker({
    ...{ limit: 1000, state, now: timing.now, monotonicMs: timing.monotonicMs },
    opened: () => undefined,
  });
  const mode = () =>
    effectiveMode({
      configured: 'enforce',
      ceiling: plants.ignoresCeiling ? 'enforce' : (state.get('enforcement_ceiling') ?? 'enforce'),
      killSwitch: false,
      breaker: breaker.state(),
      crashLoop: false,
      paused: false,
      untested: false,
    });
  const raise = (alert: NewAlert) => parts.raising(alert, () => backend.alerts.raise(alert));
  const enforcer = createEnforcer({
    platform: 'linux',
    homes: [],
    overrides: () => overrides,
    hubNow: backend.clock.now,
    ...{ now: timing.now, makeId, mode, breaker },
    blastRadius: createBlastRadiusGuard(() => undefined),
    systemContext: async () => SYSTEM_CONTEXT,
    correlate: (processes) => processes.map(correlated),
    hashFile: async () => null,
    readPublisher: async () => null,
    mountProbe: { isOwn: () => false, answers: async () => false, realPath: async () => null },
    journal: backend.journal,
    async terminate(process) {
      parts.ended(process);
      return 'terminated';
    },
    quarantine: { plan: async () => null, take: async () => false },
    notifyUser: () => undefined,
    raiseAlert: raise,
    sendActivity: () => undefined,
    log: () => undefined,
  });

  const loops = startSyncLoops({
    backend,
    hub: { baseUrl: 'http://hub.invalid', subscriberId: machine.subscriberId },
    pollIntervalMs: machine.pollEveryMs,
    polled: async () => undefined,
    reportError: (error, message) => parts.note(() => `  ${message}: ${error}`),
    doubt: (error) => parts.note(() => `  ${error}`),
    log: SILENT,
    timing,
  });
  const scan = () => {
    backend.pusher.plan(machine.scan());
    loops.planned();
  };
  const scanSoon = () => {
    timing.after(SCAN_SOON_MS, () => guarded(scan));
  };
  backend.onFullScanWanted(scanSoon);
  scanSoon();
  return {
    backend,
    disk,
    enforcer,
    mode,
    makeId,
    now: timing.now,
    raise,
    scan: () => guarded(scan),
    end() {
      disk.isGone = true;
    },
  };
}

/** Runs work of a loop; a simulated crash or a full disk ends it without an error. */
function guarded(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof Crashed || isDiskFull(error)) return;
    throw error;
  }
}

const SILENT = Object.fromEntries(
  ['error', 'warn', 'info', 'debug'].map((level) => [level, () => undefined]),
) as unknown as Log;

const SYSTEM_CONTEXT: SystemContext = {
  agentPid: 1000,
  ancestors: new Set(),
  ownExecutables: new Set(),
  ownFolders: [],
  loginShells: new Set(),
};

function placeOf(kept: Map<string, string>): TokenPlace {
  return {
    where: 'file',
    read: async (name) => kept.get(name) ?? null,
    async write(name, secret) {
      if (secret === null) kept.delete(name);
      else kept.set(name, secret);
    },
  };
}

const isKnown = ({ execution_policy }: WireOverride) =>
  EXECUTION_POLICIES.includes(execution_policy);

const stored = (): WireOverride[] =>
  query<{ body: string }>('SELECT body FROM overrides ORDER BY override_id')
    .all()
    .map(({ body }) => JSON.parse(body) as WireOverride);

/** Overrides as a fault makes them: an execution policy that only a newer agent knows is taken for `block`. */
const guessed = (): WireOverride[] =>
  stored().map((item) => (isKnown(item) ? item : { ...item, execution_policy: 'block' }));
