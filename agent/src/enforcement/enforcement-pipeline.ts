// Carries decisions out: decide, guard rails, breaker, action; then one activity event, and an alert where something ended.
import {
  breadthOf,
  type Decision,
  decide,
  endsProcesses,
  matches,
  type ProcessFacts,
} from '@gatewarden/shared/policy.ts';
import type { ActivityEvent, WireProcess } from '@gatewarden/shared/wire/sync/activity.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { EnforcementMode } from '../config/agent-config.ts';
import { type Home, shortenHome } from '../discovery/homes/home-list.ts';
import { applicationName, type CorrelatedProcess } from '../processes/process-correlator.ts';
import { type FileIdentity, identifyRunning, isElsewhere } from '../processes/running-file.ts';
import { instanceKey, type RunningProcess } from '../processes/running-process.ts';
import type { Reach } from '../runtime/mount-probe.ts';
import type { NewAlert } from '../store/alert-store.ts';
import type { EndOutcome, Spares } from './actions/linux-terminator.ts';
import type { BreadthGuard } from './blast-radius-guard.ts';
import type { HashFile } from './file-hasher.ts';
import { INSTALLING, isInstaller, parentsOf } from './installer-check.ts';
import type { Breaker } from './kill-breaker.ts';
import type { PlannedHold } from './pending-termination.ts';
import { findGuardRail, type GuardRail, type Surroundings } from './protection-rules.ts';
import type { Endings } from './termination-journal.ts';
import type { Told } from './user-notices.ts';

/** What enforcement needs from the rest of the agent. */
export interface EnforcerParts {
  platform: Platform;
  homes: readonly Home[];
  overrides: () => readonly WireOverride[];
  /** The hub's time, by which overrides begin and end. */
  hubNow: () => number;
  now: () => number;
  makeId: () => string;
  mode: () => EnforcementMode;
  breaker: Breaker;
  breadth: BreadthGuard;
  surroundings: () => Promise<Surroundings>;
  correlate: (processes: readonly RunningProcess[]) => CorrelatedProcess[];
  hashFile: HashFile;
  reach: Reach;
  endings: Pick<Endings, 'begin' | 'done'>;
  end: (process: RunningProcess, spares: Spares) => Promise<EndOutcome>;
  quarantine: {
    /** What would be moved aside, asked before it is ended; null where that is no file. */
    plan(request: QuarantineRequest): Promise<PlannedHold | null>;
    /** Keeps what was ended from starting again; false where that cannot be done. The alert is raised with it. */
    hold(ended: QuarantineRequest, planned: PlannedHold | null): Promise<boolean>;
  };
  /** Tells whose process it was. */
  tell: (told: Told) => void;
  /** Durable before it returns. */
  alert: (alert: NewAlert) => void;
  activity: (event: ActivityEvent) => void;
  log: (fields: object, message: string) => void;
}

/** A process that is, or was, ended under `quarantine`. */
export interface QuarantineRequest {
  correlated: CorrelatedProcess;
  decision: Decision<WireOverride>;
  override: WireOverride;
  facts: ProcessFacts;
  /** The file that it ran. */
  ran: FileIdentity | null;
  /** It saw another root than ours. */
  elsewhere: boolean;
  surroundings: Surroundings;
  alert: NewAlert;
}

export interface Enforcer {
  /** Decides about these and acts; what was handled under the same override and mode is left alone. */
  consider(processes: readonly CorrelatedProcess[]): Promise<void>;
  /** What it would decide, for the lists that people see. */
  preview(process: CorrelatedProcess): Promise<Decision<WireOverride>>;
  /** Forgets processes that are gone. */
  forgetAllBut(processes: readonly RunningProcess[]): void;
}

type Rail = Pick<GuardRail, 'name' | 'reason'>;
type DecisionParts = Pick<EnforcerParts, 'platform' | 'overrides' | 'hubNow' | 'hashFile'>;

/** Decides about one process, with its file's hash only where an override asks for one. */
export async function decideAbout(
  parts: DecisionParts,
  correlated: CorrelatedProcess,
): Promise<Decision<WireOverride>> {
  const facts = await factsOf(parts, correlated);
  return decide({ platform: parts.platform }, facts, parts.overrides(), parts.hubNow());
}

async function factsOf(parts: DecisionParts, correlated: CorrelatedProcess): Promise<ProcessFacts> {
  const { executablePath: path, pid } = correlated.process;
  const wantsHash = parts.overrides().some((o) => o.match.executable_sha256 !== undefined);
  return {
    name: correlated.process.name,
    application_name: correlated.mapping?.application_name ?? null,
    publisher: null,
    sha256: wantsHash && path !== null ? await parts.hashFile(path, pid) : null,
    entities: correlated.entities,
  };
}

/** True where nothing but a pattern of the process map makes it what the override names. */
async function isByGlob(
  parts: DecisionParts,
  correlated: CorrelatedProcess,
  override: WireOverride,
): Promise<boolean> {
  if (correlated.mapping?.match !== 'glob') return false;
  const facts = await factsOf(parts, correlated);
  const entities = facts.entities.filter((entity) => entity.entity_id !== correlated.mappedOnly);
  const byItself = { ...facts, application_name: null, entities };
  return matches({ platform: parts.platform }, byItself, override.match) === null;
}

/** Forgetting them only means that they are told once more. */
const REFUSED_PROGRAMS_MAX = 10_000;

/** An enforcer that has handled nothing yet. */
export function createEnforcer(parts: EnforcerParts): Enforcer {
  const handled = new Map<string, string>();
  const refusedPrograms = new Set<string>();
  return {
    async consider(processes) {
      if (parts.mode() === 'off' || parts.overrides().length === 0) return;
      const surroundings = await parts.surroundings();
      const due: (() => Promise<void>)[] = [];
      for (const correlated of processes) {
        if (correlated.process.kernelThread) continue;
        const decision = await decideAbout(parts, correlated);
        const mode = parts.mode();
        if (decision.override === null || mode === 'off') continue;
        const key = instanceKey(correlated.process);
        const { override_id, revision } = decision.override;
        const verdictIn = (under: EnforcementMode) => `${override_id}:${revision}:${under}`;
        const verdict = verdictIn(mode);
        if (handled.get(key) === verdict) continue;
        handled.set(key, verdict);
        const override = decision.override;
        // What can end nothing would tell of every process that ever starts: each program is told once.
        if (
          endsProcesses(override.execution_policy) &&
          breadthOf(override.match) === 'everything'
        ) {
          const program = `${verdict} ${correlated.process.executablePath}`;
          if (refusedPrograms.has(program)) continue;
          if (refusedPrograms.size >= REFUSED_PROGRAMS_MAX) refusedPrograms.clear();
          refusedPrograms.add(program);
        }
        const byGlob = await isByGlob(parts, correlated, override);
        if (endsProcesses(override.execution_policy))
          parts.breadth.note(override, correlated.process.executablePath, byGlob);
        due.push(async () => {
          const how = { decision, surroundings, byGlob };
          const done = await carryOut(parts, correlated, override, how);
          // It may outlast the installation: the next time that all is considered, it is asked anew.
          if (done.rail === INSTALLING) handled.delete(key);
          // The breaker opened meanwhile: it was only told, and need not be told again for that.
          if (done.outcome === 'reported') handled.set(key, verdictIn(parts.mode()));
        });
      }
      // Only now, when it is known all that an override hits.
      await Promise.all(due.map((work) => work()));
    },
    preview: (process) => decideAbout(parts, process),
    forgetAllBut(processes) {
      const alive = new Set(processes.map(instanceKey));
      for (const key of handled.keys()) if (!alive.has(key)) handled.delete(key);
    },
  };
}

async function carryOut(
  parts: EnforcerParts,
  correlated: CorrelatedProcess,
  override: WireOverride,
  how: { decision: Decision<WireOverride>; surroundings: Surroundings; byGlob: boolean },
): Promise<{ outcome: string; rail: Rail | null }> {
  const { decision, surroundings, byGlob } = how;
  // Asked before it is gone: what it was decides later whether it stays in quarantine.
  const facts = await factsOf(parts, correlated);
  const { process } = correlated;
  const { pid, executablePath } = process;
  const isQuarantine = decision.policy === 'quarantine';
  const ran = isQuarantine ? await identifyRunning(parts.reach, executablePath, pid) : null;
  const elsewhere = isQuarantine && (await isElsewhere(pid));
  const wireProcess = describeProcess(process, parts.homes);
  const name = applicationName(correlated)?.slice(0, 512) ?? null;
  const alertId = parts.makeId();
  const alert = (what: string): NewAlert => ({
    alert_id: alertId,
    occurred_at: new Date(parts.now()).toISOString(),
    severity: override.severity,
    action: decision.policy === 'quarantine' ? 'quarantine' : 'block',
    code: null,
    application_name: name,
    process: wireProcess,
    override_id: override.override_id,
    outcome: what,
    message: alertMessage(name ?? process.name, override, what),
  });
  const request = {
    ...{ correlated, decision, override, facts, ran, elsewhere, surroundings },
    alert: alert('quarantined'),
  };
  const planned = isQuarantine ? await parts.quarantine.plan(request) : null;
  const { outcome, rail } = await act(parts, correlated, override, {
    ...{ surroundings, byGlob },
    // A server's entry is taken out by the next scan, whatever happens here: its script need not go, too.
    planned: decision.entity?.kind === 'mcp_server' ? null : planned,
    about: alert('terminated'),
  });
  // One that ended by itself meanwhile is kept from starting again all the same.
  const isEnded = outcome === 'terminated' || outcome === 'gone';
  const isHeld = isEnded && isQuarantine && (await parts.quarantine.hold(request, planned));
  const result = isHeld ? 'quarantined' : outcome;
  const enforced = result === 'terminated' || result === 'quarantined';
  parts.log(
    {
      process_pid: process.pid,
      name: process.name,
      decision: decision.policy,
      outcome: result,
      rail: rail?.name ?? null,
      override_id: override.override_id,
    },
    'decided about a process',
  );
  // The alert first: it is durable once written, the activity event may be lost.
  if (result === 'terminated' || result === 'failed') parts.alert(alert(result));
  parts.endings.done(alertId);
  const kind = TOLD[result];
  if (kind !== undefined) {
    parts.tell({ correlated, override, kind, entityId: decision.entity?.entity_id ?? null });
  }
  parts.activity({
    activity_id: parts.makeId(),
    decided_at: new Date(parts.now()).toISOString(),
    process: wireProcess,
    application_name: name,
    entity_id: decision.entity?.entity_id ?? null,
    override_id: override.override_id,
    decision: decision.policy,
    enforced,
    outcome: result,
  });
  return { outcome: result, rail };
}

async function act(
  parts: EnforcerParts,
  correlated: CorrelatedProcess,
  override: WireOverride,
  how: {
    surroundings: Surroundings;
    byGlob: boolean;
    about: NewAlert;
    planned: PlannedHold | null;
  },
): Promise<{ outcome: string; rail: Rail | null }> {
  const { surroundings, byGlob, about, planned } = how;
  const policy = override.execution_policy;
  if (policy === 'allow') return { outcome: 'allowed', rail: null };
  if (policy === 'monitor' || parts.mode() !== 'enforce')
    return { outcome: 'reported', rail: null };
  if (policy === 'warn') return { outcome: 'warned', rail: null };
  const rail =
    parts.breadth.refusal(override, byGlob) ??
    findGuardRail(correlated, surroundings) ??
    (parts.correlate(parentsOf(correlated.process)).some(isInstaller) ? INSTALLING : null);
  if (rail !== null) return { outcome: 'refused', rail };
  if (!parts.breaker.admit()) return { outcome: 'reported', rail: null };
  const spares: Spares = (child) => {
    const [known] = parts.correlate([child]);
    if (known === undefined) return 'itself';
    const found = findGuardRail(known, surroundings);
    if (found === null) return 'no';
    return isInstaller(known) ? 'with_children' : 'itself';
  };
  try {
    parts.endings.begin(correlated.process, about, planned);
  } catch (error) {
    // What cannot be remembered is ended all the same.
    parts.log({ err: error }, 'what is ended could not be written down');
  }
  try {
    return { outcome: await parts.end(correlated.process, spares), rail: null };
  } catch (error) {
    parts.log({ err: error, process_pid: correlated.process.pid }, 'could not end a process');
    return { outcome: 'failed', rail: null };
  }
}

/** What people are told; that something was only looked at or left alone is no news. */
const TOLD: Record<string, Told['kind']> = {
  warned: 'warned',
  terminated: 'ended',
  quarantined: 'quarantined',
  failed: 'failed',
};

const SAID: Record<string, string> = {
  terminated: 'was ended',
  quarantined: 'was ended and is kept from starting',
};

function alertMessage(name: string, override: WireOverride, outcome: string): string {
  const why = override.reason === null ? '' : `: ${override.reason}`;
  const what = SAID[outcome] ?? 'could not be ended';
  return `${name} ${what} by the policy "${override.execution_policy}"${why}`
    .toWellFormed()
    .slice(0, 4096);
}

/** A process as the wire names it. */
export function describeProcess(process: RunningProcess, homes: readonly Home[]): WireProcess {
  const clean = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');
  return {
    name: clean(process.name).slice(0, 512),
    executable_path:
      process.executablePath === null
        ? null
        : clean(shortenHome(process.executablePath, homes)).slice(0, 4096),
    pid: process.pid,
    started_at: process.startedAt?.toISOString() ?? null,
  };
}
