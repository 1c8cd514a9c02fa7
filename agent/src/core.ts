// The agent's middle: watches processes, correlates, enforces, and tells what it sees. No loops, no network of its own.

import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import { currentPlatform } from './config/identity.ts';
import type { AgentConfig } from './config/toml.ts';
import type { ScanResult } from './discovery/assemble.ts';
import { listHomes } from './discovery/homes.ts';
import { endProcess } from './enforcement/actions/linux.ts';
import { createBreadthGuard } from './enforcement/breadth.ts';
import { createBreaker } from './enforcement/breaker.ts';
import { createEnforcer } from './enforcement/enforce.ts';
import { createFileHasher } from './enforcement/file-hash.ts';
import type { Surroundings } from './enforcement/guard-rails.ts';
import { effectiveMode, openKillSwitch } from './enforcement/mode.ts';
import { describeProcesses, type ListedProcess } from './enforcement/process-list.ts';
import { readSurroundings } from './enforcement/surroundings.ts';
import type { Log } from './log.ts';
import { createCorrelator } from './processes/correlator.ts';
import { openPackageOwners } from './processes/package-owners.ts';
import { createRunningReporter } from './processes/running.ts';
import { createUnknownReporter } from './processes/unknown.ts';
import { watchProcesses } from './processes/watch.ts';
import type { AgentStatus } from './status.ts';
import type { WaitingAlert } from './store/alerts.ts';
import type { Backend } from './sync/backend.ts';
import { uuid7 } from './uuid7.ts';
import { AGENT_VERSION } from './version.ts';

export interface AgentCore {
  /** One look at the processes; acts on what is new, or on all when the rules changed. */
  watch(): Promise<void>;
  learnScan(result: ScanResult): void;
  /** Tells the hub what is unknown, and what runs. */
  reportProcesses(): Promise<void>;
  status(): AgentStatus;
  listProcesses(): Promise<ListedProcess[]>;
  listAlerts(): { alerts: WaitingAlert[] };
  turnOff(): void;
  turnOn(): void;
  /** Resolves when no action is under way. */
  settle(): Promise<void>;
}

/** Composes the core over an open backend. */
export function createAgentCore(options: {
  config: AgentConfig & { backend: { baseUrl: string } };
  dataDir: string;
  backend: Backend;
  log: Log;
}): AgentCore {
  const { config, backend, log } = options;
  const { state } = backend;
  const platform = currentPlatform();
  const homes = listHomes();
  const watch = watchProcesses();
  const correlator = createCorrelator(platform, openPackageOwners());
  correlator.learnProcessMap((state.get('process_map')?.mappings ?? []) as ProcessMapping[]);
  const killSwitch = openKillSwitch(options.dataDir);
  const breaker = createBreaker({
    limit: config.killsPerMinute,
    state,
    now: Date.now,
    opened: (message) => {
      log.error('the breaker is open');
      backend.alertAboutAgent('breaker_open', 'critical', message);
    },
  });
  const mode = () =>
    effectiveMode({
      configured: config.enforcement,
      ceiling: state.get('enforcement_ceiling') ?? 'enforce',
      killSwitch: killSwitch.isOff(),
      breaker: breaker.state(),
    });
  let overrides = backend.overrides.load();
  let surroundings: Promise<Surroundings> | null = null;
  const enforcer = createEnforcer({
    platform,
    homes,
    overrides: () => overrides,
    hubNow: backend.clock.now,
    now: Date.now,
    makeId: uuid7,
    mode,
    breaker,
    breadth: createBreadthGuard((override) => {
      log.error({ override_id: override.override_id }, 'an override is too broad');
      backend.alertAboutAgent(
        'override_too_broad',
        'high',
        `Override ${override.override_id} names no program and would end too many: the agent ends nothing by it`,
      );
    }),
    surroundings: () => {
      surroundings ??= readSurroundings();
      return surroundings;
    },
    correlate: correlator.correlate,
    hashFile: createFileHasher(),
    end: endProcess,
    alert: backend.alerts.raise,
    activity: backend.activity.send,
    log: (fields, message) => log.info(fields, message),
  });

  const unknown = createUnknownReporter({
    db: backend.db,
    client: backend.client,
    platform,
    homes,
    makeId: uuid7,
    now: Date.now,
  });

  const running = createRunningReporter({
    client: backend.client,
    platform,
    homes,
    surroundings: readSurroundings,
    pollIntervalMs: config.deltaIntervalMs,
    monotonicMs: () => performance.now(),
  });

  let reconsider = true;
  let scanned = false;
  let lastMode = mode();
  let nextTurn = Infinity;
  const actions = new Set<Promise<void>>();
  backend.onGovernanceChanged(() => {
    overrides = backend.overrides.load();
    reconsider = true;
    log.info({ overrides: overrides.length }, 'governance changed');
  });
  backend.onProcessMapChanged((mappings) => {
    correlator.learnProcessMap(mappings);
    reconsider = true;
  });

  const noticeMode = () => {
    const now = mode();
    if (now !== lastMode) {
      log.warn({ from: lastMode, to: now }, 'enforcement changed');
      lastMode = now;
      reconsider = true;
    }
    const off = killSwitch.isOff();
    if (off === (state.get('kill_switch_told') ?? false)) return;
    state.set('kill_switch_told', off);
    const message = off
      ? 'Enforcement was turned off on the device by its kill switch'
      : 'Enforcement was turned on again on the device';
    backend.alertAboutAgent('kill_switch', off ? 'high' : 'medium', message);
  };

  /** The next moment at which an override begins or ends, by the hub's time. */
  const nextTurnOf = () => {
    const now = backend.clock.now();
    const turns = overrides.flatMap((o) => [o.effective_at, o.expires_at]);
    const times = turns.flatMap((t) => (t === null ? [] : Date.parse(t)));
    return Math.min(Infinity, ...times.filter((t) => t > now));
  };

  return {
    async watch() {
      const fresh = await watch.tick();
      noticeMode();
      if (backend.clock.now() >= nextTurn) reconsider = true;
      const processes = reconsider ? watch.current() : fresh;
      if (reconsider) {
        reconsider = false;
        surroundings = null;
        nextTurn = nextTurnOf();
        enforcer.forgetAllBut(processes);
      }
      if (processes.length === 0 || overrides.length === 0 || lastMode === 'off') return;
      // Not waited for: a grace of two seconds for one process must not hide the next one.
      const action: Promise<void> = enforcer
        .consider(correlator.correlate(processes))
        .catch((error: unknown) => log.error({ err: error }, 'enforcing failed'))
        .finally(() => actions.delete(action));
      actions.add(action);
    },
    learnScan(result) {
      correlator.learnScan(result.entities);
      scanned = true;
      reconsider = true;
      state.set('last_scan', {
        at: result.startedAt.toISOString(),
        entities: result.entities.length,
        duration_ms: result.durationMs,
      });
    },
    async reportProcesses() {
      // Before the first scan everything is unknown.
      if (!scanned) return;
      const map = state.get('process_map');
      const processes = correlator.correlate(watch.current());
      const told = await unknown.report(processes, map?.version ?? 0);
      if (told > 0) log.info({ processes: told }, 'told the hub about unknown processes');
      await running.report(processes);
    },
    status: () => ({
      device_id: backend.client.device.device_id,
      agent_version: AGENT_VERSION,
      enforcement: mode(),
      hub: {
        url: config.backend.baseUrl,
        reachable: backend.client.contact.reachable ?? false,
        last_contact_at: backend.client.contact.lastContactAt?.toISOString() ?? null,
        last_error: backend.client.contact.lastError,
      },
      cursor: state.get('cursor'),
      overrides: backend.overrides.count(),
      alerts_queued: backend.alertStore.count(),
      alerts_dropped: state.get('alerts_dropped') ?? 0,
      last_scan: state.get('last_scan'),
      breaker: breaker.state(),
    }),
    async listProcesses() {
      return describeProcesses(
        correlator.correlate(watch.current()),
        enforcer,
        await readSurroundings(),
      );
    },
    listAlerts: () => ({ alerts: backend.alertStore.list(1000) }),
    turnOff() {
      killSwitch.turnOff();
      noticeMode();
    },
    turnOn() {
      killSwitch.turnOn();
      breaker.close();
      noticeMode();
    },
    async settle() {
      await Promise.all(actions);
      await backend.activity.settle();
    },
  };
}
