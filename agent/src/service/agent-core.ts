// The agent's middle: watches processes, correlates, enforces, and tells what it sees. No loops, no network of its own.
import type {
  AgentStatus,
  HeldDecision,
  ListedProcess,
  Notice,
  OwnServer,
  PauseState,
  Seen,
  Why,
} from '@gatewarden/shared/wire/local/service.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import type { AgentConfig } from '../config/agent-config.ts';
import { currentPlatform } from '../config/device-identity.ts';
import type { LiveHomes } from '../discovery/homes/live-homes.ts';
import type { ScanResult } from '../discovery/scan/entity-assembler.ts';
import { endProcess } from '../enforcement/actions/linux-terminator.ts';
import { endListedProcess } from '../enforcement/actions/listed-terminator.ts';
import { createBreadthGuard } from '../enforcement/blast-radius-guard.ts';
import { noteStart } from '../enforcement/crash-loop-detector.ts';
import { notifyDesktop } from '../enforcement/desktop-notifier.ts';
import { effectiveMode, limitedBy, openKillSwitch } from '../enforcement/enforcement-mode.ts';
import { createEnforcer, describeProcess } from '../enforcement/enforcement-pipeline.ts';
import { createFileHasher } from '../enforcement/file-hasher.ts';
import { createBreaker } from '../enforcement/kill-breaker.ts';
import { createPausing } from '../enforcement/pause-controller.ts';
import { describeProcesses } from '../enforcement/process-view.ts';
import type { Surroundings } from '../enforcement/protection-rules.ts';
import {
  openQuarantine,
  type Quarantine,
  type QuarantinedThing,
} from '../enforcement/quarantine/index.ts';
import { readSurroundings } from '../enforcement/system-context.ts';
import { createNotUnderstood } from '../enforcement/unsupported-overrides.ts';
import { createNotices } from '../enforcement/user-notices.ts';
import { chainOf, isKnownHere } from '../local-api/decision-chain.ts';
import type { People } from '../local-api/user-keys.ts';
import { decisionsFor, seenBy, serversFor } from '../local-api/user-view.ts';
import { openPackageOwners } from '../processes/package-owners.ts';
import { createPostureReporter } from '../processes/posture-reporter.ts';
import {
  applicationName,
  type CorrelatedProcess,
  createCorrelator,
} from '../processes/process-correlator.ts';
import { watchProcesses } from '../processes/process-watcher.ts';
import type { RunningProcess } from '../processes/running-process.ts';
import { createRunningReporter } from '../processes/running-reporter.ts';
import { openScriptPaths } from '../processes/script-paths.ts';
import { createUnknownReporter } from '../processes/unknown-reporter.ts';
import type { Log } from '../runtime/log.ts';
import { openReach } from '../runtime/mount-probe.ts';
import { uuid7 } from '../runtime/uuid7.ts';
import type { WaitingAlert } from '../store/alert-store.ts';
import { nextTurnOf } from '../store/override-store.ts';
import type { Backend } from '../sync/backend.ts';
import { AGENT_VERSION } from '../version.ts';

/** Every so many looks at the processes the edited configurations are looked at, too: every five seconds. */
const LOOKS_PER_QUARANTINE_WATCH = 10;

export interface AgentCore {
  /** One look at the processes; acts on what is new, or on all when the rules changed. */
  watch(): Promise<void>;
  /** `whole`: all of it was looked at just now. */
  learnScan(result: ScanResult, whole: boolean): void;
  /** Reports unknown and running processes to the hub. */
  reportProcesses(): Promise<void>;
  status(): Omit<AgentStatus, 'update'>;
  listProcesses(): Promise<ListedProcess[]>;
  /** Those of the person whose key it is: nobody sees what others run. */
  listOwnProcesses(key: string | null): Promise<ListedProcess[]>;
  listAlerts(): { alerts: WaitingAlert[] };
  listQuarantine(): { quarantined: QuarantinedThing[] };
  /** Those of the person whose key it is; so are the next three. */
  listNotices(key: string | null): { notices: Notice[] };
  listDecisions(key: string | null): { decisions: HeldDecision[]; more: number };
  listServers(key: string | null): { servers: OwnServer[] };
  /** Whose key it is, as discovery calls whose home it is; null for nobody's. */
  ownerOf(key: string | null): string | null;
  /** What is sent of this device. */
  listSeen(key: string | null): Seen;
  /** The chain of a decision; `whose` says of which processes. */
  why(key: string | null, asked: string, whose: 'all' | 'own'): Promise<Why>;
  /** Returns whether something on this device is called so: a process, a stopped one, or something that was found. */
  isKnown(name: string): Promise<boolean>;
  /** A person's own wish, where the company allows it. Throws one clear line where not. */
  pause(key: string | null, minutes: number): PauseState;
  resume(key: string | null): PauseState;
  turnOff(): void;
  turnOn(): void;
  /** Resolves when no action is under way. */
  settle(): Promise<void>;
  quarantine: Pick<Quarantine, 'saveBeside' | 'close'>;
}

/** Composes the core over an open backend. */
export function createAgentCore(options: {
  config: AgentConfig & { backend: { baseUrl: string } };
  dataDir: string;
  backend: Backend;
  homes: LiveHomes;
  people: People;
  log: Log;
}): AgentCore {
  const { config, backend, people, log } = options;
  const { state } = backend;
  const platform = currentPlatform();
  options.homes.follow((all) => {
    for (const { uid } of all) if (uid !== null) people.know(uid);
  });
  const homes = options.homes.list;
  const watch = watchProcesses();
  const reach = openReach();
  const scripts = openScriptPaths(reach);
  const correlator = createCorrelator(platform, openPackageOwners(), homes, scripts);
  correlator.learnProcessMap((state.get('process_map')?.mappings ?? []) as ProcessMapping[]);
  const killSwitch = openKillSwitch(options.dataDir);
  const breaker = createBreaker({
    limit: config.killsPerMinute,
    state,
    now: backend.clock.now,
    monotonicMs: () => performance.now(),
    opened: (message) => {
      log.error('the breaker is open');
      backend.alertAboutAgent('breaker_open', 'critical', message);
    },
  });
  const crashLoop = noteStart({
    state,
    limit: config.crashLimit,
    now: Date.now,
    monotonicMs: () => performance.now(),
    loops: (message) => {
      log.error('the agent ended unexpectedly again and again: it only monitors for now');
      backend.alertAboutAgent('crash_loop', 'critical', message);
    },
  });
  const pausing = createPausing({
    state,
    people,
    hubNow: backend.clock.now,
    tell: (message) => {
      log.warn(message);
      backend.alertAboutAgent('pause', 'medium', message);
    },
  });
  const limits = () => ({
    configured: config.enforcement,
    ceiling: state.get('enforcement_ceiling') ?? ('enforce' as const),
    killSwitch: killSwitch.isOff(),
    breaker: breaker.state(),
    crashLoop: crashLoop.isLooping(),
    paused: pausing.isPaused(),
    untested: platform !== 'linux' && !config.allowUntestedPlatform,
  });
  const mode = () => effectiveMode(limits());
  let overrides = backend.overrides.load();
  const notUnderstood = createNotUnderstood(backend, log);
  let surroundings: Promise<Surroundings> | null = null;
  const common = {
    platform,
    homes,
    overrides: () => overrides,
    hubNow: backend.clock.now,
    ...{ now: Date.now, monotonicMs: () => performance.now() },
    makeId: uuid7,
    mode,
    breaker,
    endings: backend.endings,
    activity: backend.activity.send,
    log: (fields: object, message: string) => log.info(fields, message),
    breadth: createBreadthGuard((override) => {
      log.error({ override_id: override.override_id }, 'an override is too broad');
      backend.alertAboutAgent(
        'override_too_broad',
        'high',
        `Override ${override.override_id} names no program, or what a pattern of the process map calls so, and would end too many: the agent ends nothing by it`,
      );
    }),
  };
  const quarantine = openQuarantine({
    ...common,
    dataDir: options.dataDir,
    reach,
    lastingMode: () =>
      effectiveMode({ ...limits(), breaker: 'closed', crashLoop: false, paused: false }),
    isGoverned: () => state.get('cursor') !== null,
    raise: backend.alerts.raise,
    recordTrouble: (message) => {
      log.error(message);
      backend.alertAboutAgent('store_reset', 'critical', message.slice(0, 4096));
    },
  });
  const notices = createNotices({
    people,
    makeId: uuid7,
    now: Date.now,
    notify: notifyDesktop(homes),
  });
  const enforcer = createEnforcer({
    ...common,
    quarantine,
    tell: notices.tell,
    surroundings: () => {
      surroundings ??= readSurroundings();
      return surroundings;
    },
    correlate: correlator.correlate,
    hashFile: createFileHasher(reach),
    reach,
    end: platform === 'linux' ? endProcess : endListedProcess,
    alert: backend.alerts.raise,
  });

  const unknown = createUnknownReporter({ ...common, db: backend.db, client: backend.client });
  const posture = createPostureReporter<CorrelatedProcess>(async (correlated, outcome) => {
    const decision = await enforcer.preview(correlated);
    backend.activity.send({
      activity_id: uuid7(),
      decided_at: new Date().toISOString(),
      process: describeProcess(correlated.process, homes),
      application_name: applicationName(correlated)?.slice(0, 512) ?? null,
      entity_id: correlated.entities.find((entity) => entity.kind === 'ai_tool')?.entity_id ?? null,
      override_id: decision.override?.override_id ?? null,
      decision: decision.policy,
      enforced: false,
      outcome,
    });
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
  /** The pusher keeps it as well, at no cost. */
  let latest: ScanResult | null = null;
  let lastMode = mode();
  let nextTurn = Infinity;
  let looks = 0;
  const actions = new Set<Promise<void>>();
  /** Not waited for: a grace of two seconds for one process must not hide the next one. */
  const act = (work: Promise<void>) => {
    const action: Promise<void> = work
      .catch((error: unknown) => log.error({ err: error }, 'enforcing failed'))
      .finally(() => actions.delete(action));
    actions.add(action);
  };
  backend.onGovernanceChanged(() => {
    overrides = backend.overrides.load();
    notUnderstood.look();
    reconsider = true;
    log.info({ overrides: overrides.length }, 'governance changed');
  });
  scripts.onLearned(() => {
    reconsider = true;
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

  const ownerOf = (key: string | null) => people.uidOf(key)?.toString() ?? null;
  const describe = async (processes: readonly RunningProcess[]) =>
    describeProcesses(correlator.correlate(processes), enforcer, await readSurroundings());

  const listProcesses = () => describe(watch.current());
  const listOwnProcesses = async (key: string | null) => {
    const uid = people.uidOf(key);
    return uid === null ? [] : describe(watch.current().filter((running) => running.uid === uid));
  };
  const known = () => ({
    ...{ overrides, scan: latest, platform },
    takenOut: quarantine.takenOut(),
    hubNowMs: backend.clock.now(),
  });

  return {
    async watch() {
      const fresh = await watch.tick();
      await options.homes.look(fresh.map((started) => started.uid));
      noticeMode();
      if (backend.clock.now() >= nextTurn) reconsider = true;
      const processes = reconsider ? watch.current() : fresh;
      if (++looks % LOOKS_PER_QUARANTINE_WATCH === 0) act(quarantine.watch());
      if (reconsider) {
        reconsider = false;
        act(quarantine.tidy());
        surroundings = null;
        nextTurn = nextTurnOf(overrides, backend.clock.now());
        enforcer.forgetAllBut(processes);
      }
      if (processes.length === 0 || overrides.length === 0 || lastMode === 'off') return;
      act(enforcer.consider(correlator.correlate(processes)));
    },
    learnScan(result, whole) {
      correlator.learnScan(result.entities, quarantine.heldPrograms());
      quarantine.learnScan(result.entities);
      latest = result;
      reconsider = true;
      if (!whole) return;
      state.set('last_scan', {
        at: result.startedAt.toISOString(),
        entities: result.entities.length,
        duration_ms: result.durationMs,
      });
    },
    async reportProcesses() {
      // Before the first scan everything is unknown.
      if (latest === null) return;
      const map = state.get('process_map');
      const processes = correlator.correlate(watch.current());
      const told = await unknown.report(processes, map?.version ?? 0);
      if (told > 0) log.info({ processes: told }, 'told the hub about unknown processes');
      await posture.report(processes);
      await running.report(processes);
    },
    status: () => ({
      device_id: backend.client.device.device_id,
      agent_version: AGENT_VERSION,
      enforcement: mode(),
      limited_by: limitedBy(limits()),
      hub: {
        url: config.backend.baseUrl,
        reachable: backend.client.contact.reachable ?? false,
        last_contact_at: backend.client.contact.lastContactAt?.toISOString() ?? null,
        last_error: backend.client.contact.lastError,
      },
      ...{ overrides: backend.overrides.count(), overrides_not_understood: notUnderstood.count() },
      alerts_queued: backend.alertStore.count() + backend.alerts.unwritten(),
      alerts_dropped: state.get('alerts_dropped') ?? 0,
      requests_queued: state.get('access_requests')?.length ?? 0,
      inventory_queued: backend.pusher.waiting(),
      ...{ cursor: state.get('cursor'), last_scan: state.get('last_scan') },
      ...{ breaker: breaker.state(), pause: pausing.state() },
      contact: state.get('tray')?.contact ?? null,
    }),
    listProcesses,
    listOwnProcesses,
    listAlerts: () => ({ alerts: backend.alertStore.list(1000) }),
    listQuarantine: () => ({ quarantined: quarantine.list() }),
    listNotices: (key) => ({ notices: notices.listFor(key) }),
    listDecisions: (key) => decisionsFor(known(), ownerOf(key)),
    listServers: (key) => serversFor(known(), ownerOf(key)),
    ownerOf,
    listSeen: (key) => seenBy(latest, backend.client.device, ownerOf(key)),
    why: async (key, asked, whose) =>
      chainOf(asked, {
        enforcement: mode(),
        processes: await (whose === 'all' ? listProcesses() : listOwnProcesses(key)),
        notices: notices.listFor(key),
        ...serversFor(known(), ownerOf(key)),
        ...decisionsFor(known(), ownerOf(key)),
      }),
    isKnown: async (name) =>
      isKnownHere(name, latest?.entities ?? [], await listProcesses(), notices.listAll()),
    quarantine,
    pause: pausing.begin,
    resume: pausing.end,
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
      await quarantine.settle();
      crashLoop.end();
      await backend.activity.settle();
    },
  };
}
