// Purpose: carries out policies for processes, in six numbered steps over an `EnforcementCase`.
// Main types: `Enforcer`, `EnforcerParts` (dependencies), `EnforcementCase` (state of a process in the pipeline).
// Invariants: protection rules precede every policy; a termination is journaled before the first signal; the alert is
// durable before the activity event is sent. Depends on: processes/ (facts), quarantine/, actions/ (signals), store/.
// Start reading at `enforceProcess`: collect facts → plan quarantine → check protections → terminate → quarantine → record.
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
import type { ReadExecutable } from '../processes/executable-facts.ts';
import { applicationName, type CorrelatedProcess } from '../processes/process-correlator.ts';
import { type FileIdentity, identifyRunning, isElsewhere } from '../processes/running-file.ts';
import { instanceKey, type RunningProcess } from '../processes/running-process.ts';
import type { MountProbe } from '../runtime/mount-probe.ts';
import type { NewAlert } from '../store/alert-store.ts';
import type { Exemption, TerminationOutcome } from './actions/linux-terminator.ts';
import type { BlastRadiusGuard } from './blast-radius-guard.ts';
import { INSTALLING, isInstaller, parentsOf } from './installer-check.ts';
import type { KillBreaker } from './kill-breaker.ts';
import type { PlannedQuarantine } from './pending-termination.ts';
import { findProtectionRule, type ProtectionRule, type SystemContext } from './protection-rules.ts';
import type { TerminationJournal } from './termination-journal.ts';
import type { UserNotification } from './user-notices.ts';

/** Dependencies of enforcement. */
export interface EnforcerParts {
  platform: Platform;
  homes: readonly Home[];
  overrides: () => readonly WireOverride[];
  /** The hub's time in milliseconds, by which overrides begin and end. */
  hubNow: () => number;
  now: () => number;
  makeId: () => string;
  mode: () => EnforcementMode;
  breaker: KillBreaker;
  blastRadius: BlastRadiusGuard;
  systemContext: () => Promise<SystemContext>;
  correlate: (processes: readonly RunningProcess[]) => CorrelatedProcess[];
  hashFile: ReadExecutable;
  readPublisher: ReadExecutable;
  mountProbe: MountProbe;
  journal: Pick<TerminationJournal, 'begin' | 'done'>;
  terminate: (process: RunningProcess, exempt: Exemption) => Promise<TerminationOutcome>;
  quarantine: {
    /** Returns the file that would be moved aside, before its process ends; null where none may be. */
    plan(request: QuarantineRequest): Promise<PlannedQuarantine | null>;
    /** Keeps an ended program from starting again and raises the alert; false where that is not possible. */
    take(request: QuarantineRequest, planned: PlannedQuarantine | null): Promise<boolean>;
  };
  /** Notifies the owner of the process. */
  notifyUser: (notification: UserNotification) => void;
  /** Returns once the alert is durable. */
  raiseAlert: (alert: NewAlert) => void;
  sendActivity: (event: ActivityEvent) => void;
  log: (fields: object, message: string) => void;
}

/** A process that is, or was, ended under `quarantine`. */
export interface QuarantineRequest {
  correlated: CorrelatedProcess;
  decision: Decision<WireOverride>;
  override: WireOverride;
  facts: ProcessFacts;
  /** The file that the process ran. */
  runningFile: FileIdentity | null;
  /** True where the process sees another root than the agent, as in a container. */
  hasOtherRoot: boolean;
  systemContext: SystemContext;
  alert: NewAlert;
}

export interface Enforcer {
  /** Enforces policies for these processes; a process already handled under the same override and mode is skipped. */
  consider(processes: readonly CorrelatedProcess[]): Promise<void>;
  /** Returns the decision without acting on it. */
  preview(process: CorrelatedProcess): Promise<Decision<WireOverride>>;
  /** Drops the records of processes that are not in the list. */
  dropEnded(processes: readonly RunningProcess[]): void;
}

type Refusal = Pick<ProtectionRule, 'name' | 'reason'>;
type DecisionParts = Pick<
  EnforcerParts,
  'platform' | 'overrides' | 'hubNow' | 'hashFile' | 'readPublisher'
>;

/** A process in the pipeline, as the decision left it. */
interface DecidedProcess {
  correlated: CorrelatedProcess;
  decision: Decision<WireOverride>;
  override: WireOverride;
  systemContext: SystemContext;
  /** True where only a pattern of the process map makes the override match. */
  byGlob: boolean;
}

/** The context of the steps; later steps read what earlier ones added. */
interface EnforcementCase extends DecidedProcess {
  facts: ProcessFacts;
  wireProcess: WireProcess;
  applicationName: string | null;
  runningFile: FileIdentity | null;
  hasOtherRoot: boolean;
  alertId: string;
}

interface Result {
  outcome: string;
  refusal: Refusal | null;
}

/** Decides about a process. Its file is read only where an override asks for a hash or a publisher. */
export async function decideAbout(
  parts: DecisionParts,
  correlated: CorrelatedProcess,
): Promise<Decision<WireOverride>> {
  const facts = await readFacts(parts, correlated);
  return decide({ platform: parts.platform }, facts, parts.overrides(), parts.hubNow());
}

async function readFacts(
  parts: DecisionParts,
  correlated: CorrelatedProcess,
): Promise<ProcessFacts> {
  const { executablePath: path, pid } = correlated.process;
  const readIfAsked = (qualifier: 'executable_sha256' | 'publisher', read: ReadExecutable) => {
    const isAsked = parts.overrides().some(({ match }) => match[qualifier] !== undefined);
    return isAsked && path !== null ? read(path, pid) : null;
  };
  return {
    name: correlated.process.name,
    application_name: correlated.mapping?.application_name ?? null,
    publisher: await readIfAsked('publisher', parts.readPublisher),
    sha256: await readIfAsked('executable_sha256', parts.hashFile),
    entities: correlated.entities,
  };
}

/** Returns whether only a pattern of the process map makes the override match. */
async function matchesOnlyByGlob(
  parts: DecisionParts,
  correlated: CorrelatedProcess,
  override: WireOverride,
): Promise<boolean> {
  if (correlated.mapping?.match !== 'glob') return false;
  const facts = await readFacts(parts, correlated);
  const entities = facts.entities.filter((entity) => entity.entity_id !== correlated.mappedOnly);
  const withoutMapping = { ...facts, application_name: null, entities };
  return matches({ platform: parts.platform }, withoutMapping, override.match) === null;
}

/** Bounds the memory of refused programs; a dropped program is reported again. */
const REFUSED_PROGRAMS_MAX = 10_000;

/** Creates an enforcer that has handled no process yet. */
export function createEnforcer(parts: EnforcerParts): Enforcer {
  const handled = new Map<string, string>();
  const refusedPrograms = new Set<string>();

  /** An override that matches everything ends nothing: each program is reported once, not at every start. */
  const isReportedBefore = (override: WireOverride, verdict: string, path: string | null) => {
    if (!endsProcesses(override.execution_policy)) return false;
    if (breadthOf(override.match) !== 'everything') return false;
    const program = `${verdict} ${path}`;
    if (refusedPrograms.has(program)) return true;
    if (refusedPrograms.size >= REFUSED_PROGRAMS_MAX) refusedPrograms.clear();
    refusedPrograms.add(program);
    return false;
  };

  /** Returns the work for a process, or null where nothing is to be done. */
  const prepare = async (
    correlated: CorrelatedProcess,
    systemContext: SystemContext,
  ): Promise<(() => Promise<void>) | null> => {
    if (correlated.process.kernelThread) return null;
    const decision = await decideAbout(parts, correlated);
    const mode = parts.mode();
    const { override } = decision;
    if (override === null || mode === 'off') return null;
    const key = instanceKey(correlated.process);
    const verdictIn = (under: EnforcementMode) =>
      `${override.override_id}:${override.revision}:${under}`;
    const verdict = verdictIn(mode);
    if (handled.get(key) === verdict) return null;
    handled.set(key, verdict);
    const { executablePath } = correlated.process;
    if (isReportedBefore(override, verdict, executablePath)) return null;
    const byGlob = await matchesOnlyByGlob(parts, correlated, override);
    if (endsProcesses(override.execution_policy)) {
      parts.blastRadius.note(override, executablePath, byGlob);
    }
    return async () => {
      const decided = { correlated, decision, override, systemContext, byGlob };
      const { outcome, refusal } = await enforceProcess(parts, decided);
      // The process may outlast the installation: the next pass over all processes decides again.
      if (refusal === INSTALLING) handled.delete(key);
      // The breaker may have opened since the decision: a report under the new mode would only repeat this one.
      if (outcome === 'reported') handled.set(key, verdictIn(parts.mode()));
    };
  };

  return {
    async consider(processes) {
      if (parts.mode() === 'off' || parts.overrides().length === 0) return;
      const systemContext = await parts.systemContext();
      const due: (() => Promise<void>)[] = [];
      for (const correlated of processes) {
        const work = await prepare(correlated, systemContext);
        if (work !== null) due.push(work);
      }
      // The blast radius of every override is known only after the whole pass: nothing ends before.
      await Promise.all(due.map((work) => work()));
    },
    preview: (process) => decideAbout(parts, process),
    dropEnded(processes) {
      const alive = new Set(processes.map(instanceKey));
      for (const key of handled.keys()) if (!alive.has(key)) handled.delete(key);
    },
  };
}

/** Takes a decided process through the six steps. */
async function enforceProcess(parts: EnforcerParts, decided: DecidedProcess): Promise<Result> {
  const context = await collectFacts(parts, decided);
  const { planned, request } = await planQuarantine(parts, context);
  const refusal = checkProtections(parts, context);
  const outcome = refusal ?? (await terminate(parts, context, planned));
  const result = await quarantine(parts, context, { ...outcome, planned, request });
  record(parts, context, result);
  return result;
}

/** Step 1: reads the facts while the process runs; quarantine is decided by them after its end. */
async function collectFacts(
  parts: EnforcerParts,
  decided: DecidedProcess,
): Promise<EnforcementCase> {
  const { correlated, decision } = decided;
  const { pid, executablePath } = correlated.process;
  const isQuarantine = decision.policy === 'quarantine';
  return {
    ...decided,
    facts: await readFacts(parts, correlated),
    runningFile: isQuarantine ? await identifyRunning(parts.mountProbe, executablePath, pid) : null,
    hasOtherRoot: isQuarantine && (await isElsewhere(pid)),
    wireProcess: describeProcess(correlated.process, parts.homes),
    applicationName: applicationName(correlated)?.slice(0, 512) ?? null,
    alertId: parts.makeId(),
  };
}

/** Step 2: plans which file is moved aside once the process has ended. */
async function planQuarantine(
  parts: EnforcerParts,
  context: EnforcementCase,
): Promise<{ planned: PlannedQuarantine | null; request: QuarantineRequest }> {
  const request = { ...context, alert: buildAlert(parts, context, 'quarantined') };
  const isQuarantine = context.decision.policy === 'quarantine';
  return { request, planned: isQuarantine ? await parts.quarantine.plan(request) : null };
}

/**
 * Step 3: returns the reason why a block is not carried out, or null if the process is to be terminated. Reasons are the
 * policy, the agent's mode, the blast radius, a protection rule, a running installer, or the open breaker (`reported`).
 */
function checkProtections(parts: EnforcerParts, context: EnforcementCase): Result | null {
  const { correlated, override, systemContext, byGlob } = context;
  const policy = override.execution_policy;
  if (policy === 'allow') return { outcome: 'allowed', refusal: null };
  if (policy === 'monitor' || parts.mode() !== 'enforce') {
    return { outcome: 'reported', refusal: null };
  }
  if (policy === 'warn') return { outcome: 'warned', refusal: null };
  const refusal =
    parts.blastRadius.refusal(override, byGlob) ??
    findProtectionRule(correlated, systemContext) ??
    (parts.correlate(parentsOf(correlated.process)).some(isInstaller) ? INSTALLING : null);
  if (refusal !== null) return { outcome: 'refused', refusal };
  return parts.breaker.admit() ? null : { outcome: 'reported', refusal: null };
}

/** Step 4: journals the termination, then ends the process and those children that no rule protects. */
async function terminate(
  parts: EnforcerParts,
  context: EnforcementCase,
  planned: PlannedQuarantine | null,
): Promise<Result> {
  const { correlated, decision, systemContext } = context;
  const exempt: Exemption = (child) => {
    const [known] = parts.correlate([child]);
    if (known === undefined) return 'itself';
    if (findProtectionRule(known, systemContext) === null) return 'no';
    return isInstaller(known) ? 'with_children' : 'itself';
  };
  try {
    // The next scan takes out a server's entry in any case: its script stays in its place.
    const journaled = decision.entity?.kind === 'mcp_server' ? null : planned;
    const alert = buildAlert(parts, context, 'terminated');
    parts.journal.begin(correlated.process, alert, journaled);
  } catch (error) {
    // A full disk does not keep a process alive.
    parts.log({ err: error }, 'could not journal a termination');
  }
  try {
    return { outcome: await parts.terminate(correlated.process, exempt), refusal: null };
  } catch (error) {
    parts.log({ err: error, process_pid: correlated.process.pid }, 'could not end a process');
    return { outcome: 'failed', refusal: null };
  }
}

/** Step 5: moves the program of an ended process aside, also of a process that exited before its termination. */
async function quarantine(
  parts: EnforcerParts,
  { decision }: EnforcementCase,
  { outcome, refusal, planned, request }: Result & Awaited<ReturnType<typeof planQuarantine>>,
): Promise<Result> {
  const isEnded = outcome === 'terminated' || outcome === 'gone';
  if (!isEnded || decision.policy !== 'quarantine') return { outcome, refusal };
  const isTaken = await parts.quarantine.take(request, planned);
  return { outcome: isTaken ? 'quarantined' : outcome, refusal };
}

/** Step 6: logs, raises the alert, notifies the owner and sends the activity event. */
function record(
  parts: EnforcerParts,
  context: EnforcementCase,
  { outcome, refusal }: Result,
): void {
  const { correlated, decision, override, wireProcess, applicationName: name, alertId } = context;
  const { process } = correlated;
  parts.log(
    {
      process_pid: process.pid,
      name: process.name,
      decision: decision.policy,
      outcome,
      rail: refusal?.name ?? null,
      override_id: override.override_id,
    },
    'decided about a process',
  );
  // The alert precedes the activity event: an alert is durable once written, an activity event may be lost.
  if (outcome === 'terminated' || outcome === 'failed') {
    parts.raiseAlert(buildAlert(parts, context, outcome));
  }
  parts.journal.done(alertId);
  const kind = NOTIFIED_OUTCOMES[outcome];
  const entityId = decision.entity?.entity_id ?? null;
  if (kind !== undefined) parts.notifyUser({ correlated, override, kind, entityId });
  parts.sendActivity({
    activity_id: parts.makeId(),
    decided_at: new Date(parts.now()).toISOString(),
    process: wireProcess,
    application_name: name,
    entity_id: entityId,
    override_id: override.override_id,
    decision: decision.policy,
    enforced: outcome === 'terminated' || outcome === 'quarantined',
    outcome,
  });
}

/** Outcomes that the owner of the process is notified of, with the kind of notice. */
const NOTIFIED_OUTCOMES: Record<string, UserNotification['kind']> = {
  warned: 'warned',
  terminated: 'ended',
  quarantined: 'quarantined',
  failed: 'failed',
};

const OUTCOME_TEXTS: Record<string, string> = {
  terminated: 'was ended',
  quarantined: 'was ended and is kept from starting',
};

/** Builds the alert of a case; all alerts of a case share its id, so that a repetition replaces nothing. */
function buildAlert(parts: EnforcerParts, context: EnforcementCase, outcome: string): NewAlert {
  const { correlated, decision, override, applicationName: name } = context;
  return {
    alert_id: context.alertId,
    occurred_at: new Date(parts.now()).toISOString(),
    severity: override.severity,
    action: decision.policy === 'quarantine' ? 'quarantine' : 'block',
    code: null,
    application_name: name,
    process: context.wireProcess,
    override_id: override.override_id,
    outcome,
    message: alertMessage(name ?? correlated.process.name, override, outcome),
  };
}

function alertMessage(name: string, override: WireOverride, outcome: string): string {
  const reason = override.reason === null ? '' : `: ${override.reason}`;
  const text = OUTCOME_TEXTS[outcome] ?? 'could not be ended';
  return `${name} ${text} by the policy "${override.execution_policy}"${reason}`
    .toWellFormed()
    .slice(0, 4096);
}

/** Returns a process in the wire's form, with homes shortened to `~`. */
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
