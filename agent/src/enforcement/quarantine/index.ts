// Purpose: quarantine of programs and MCP servers, as the rest of the agent uses it.
// Main types: `Quarantine`, `QuarantinedThing` (row of a list), `QuarantineRecord` (durable state).
// Invariants: whatever is taken has a durable record first, and is restored when no policy wants it any more.
// Depends on: quarantine-transaction (states), file-vault and edit-client (effects), server-quarantine (MCP servers).
// Start reading at `openQuarantine`, then quarantine-transaction.ts for the states.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { decide, type OwningEntity, type ProcessFacts } from '@gatewarden/shared/policy.ts';
import type { ExecutionPolicy } from '@gatewarden/shared/wire/vocabulary.ts';
import type { EnforcementMode } from '../../config/agent-config.ts';
import { findHomes } from '../../discovery/homes/home-finder.ts';
import { type Home, shortenHome } from '../../discovery/homes/home-list.ts';
import type { ScannedEntity } from '../../discovery/scan/entity-assembler.ts';
import type { QuarantinedProgram } from '../../processes/process-correlator.ts';
import {
  type FileIdentity,
  identityOf,
  isReplaced,
  stampOf,
} from '../../processes/running-file.ts';
import { codeCacheOf } from '../../runtime/code-cache.ts';
import { messageOf } from '../../runtime/errors.ts';
import { openMountProbe } from '../../runtime/mount-probe.ts';
import { createRecoveryCopy } from '../../store/database-backup.ts';
import { SchemaTooNewError } from '../../store/schema-version.ts';
import { isDamage } from '../../store/store-database.ts';
import type { QuarantineRequest } from '../enforcement-pipeline.ts';
import type { PlannedQuarantine } from '../pending-termination.ts';
import type { TerminationJournal } from '../termination-journal.ts';
import { openEditClient } from './edit-client.ts';
import { openPackageDiverter } from './package-diverter.ts';
import { selectQuarantineFile } from './program-selection.ts';
import {
  openRecords,
  type QuarantineRecord,
  type QuarantineRecords,
  type readRecords,
  unusableRecords,
} from './quarantine-records.ts';
import {
  createQuarantineTransactions,
  type QuarantineTransactions,
} from './quarantine-transaction.ts';
import { createServerQuarantine, type ServerQuarantineParts } from './server-quarantine.ts';

/** A row of what people see. */
export interface QuarantinedThing {
  name: string;
  /** `other`: taken by a newer agent, of a kind that this agent does not know. */
  kind: 'program' | 'mcp_server' | 'other';
  path: string;
  since: string;
  override_id: string;
  /** Path of a program in the vault. */
  kept: string | null;
  /** Why it could not be put back so far. */
  problem: string | null;
}

export interface Quarantine {
  /** Returns the file that is moved aside once the process has ended; null where none may be. */
  plan(request: QuarantineRequest): Promise<PlannedQuarantine | null>;
  /** Keeps an ended program from starting again; false where that is not possible. */
  take(ended: QuarantineRequest, planned: PlannedQuarantine | null): Promise<boolean>;
  applyScan(entities: readonly ScannedEntity[]): void;
  /** Releases what no policy wants any more, and takes out the entries that a policy quarantines. */
  tidy(): Promise<void>;
  /** Reads the status of edited files; only after a change is more done. */
  watch(): Promise<void>;
  list(): QuarantinedThing[];
  /** The programs of it, with what they belonged to: no scan finds that while they are not in their place. */
  quarantinedPrograms(): QuarantinedProgram[];
  /** The MCP servers of it, with whose configuration they were taken out of. */
  takenOut(): { owner: string | null; entity: OwningEntity }[];
  drain(): Promise<void>;
  /** After everything that may ask it. */
  close(): void;
}

export interface QuarantineParts extends Omit<ServerQuarantineParts, 'transactions'> {
  dataDir: string;
  /** The mode with the breaker closed: an open breaker releases nothing. */
  lastingMode: () => EnforcementMode;
  journal: TerminationJournal;
  /** False while no policies are known. */
  isGoverned: () => boolean;
  /** Reports that the record was damaged and reset, or that it cannot be used. */
  reportRecordError: (message: string) => void;
}

/** Interval of attempts to restore what could not be restored: the obstacle may be removed. */
const RETRY_MS = 30_000;

/** Opens quarantine, and finishes what an earlier run left half-way. */
export function openQuarantine(parts: QuarantineParts): Quarantine {
  const { platform, dataDir } = parts;
  const policyOf = (facts: ProcessFacts): ExecutionPolicy =>
    decide({ platform }, facts, parts.overrides(), parts.hubNow()).policy;
  const isWanted = (facts: ProcessFacts): boolean => {
    if (parts.lastingMode() !== 'enforce') return false;
    return !parts.isGoverned() || policyOf(facts) === 'quarantine';
  };
  const records = openOrReset(parts);
  const transactions = createQuarantineTransactions({
    dataDir,
    records,
    edit: openEditClient(codeCacheOf(dataDir)),
    diverter: openPackageDiverter(),
    homes: () => parts.homes,
    mountProbe: parts.mountProbe,
    isWanted,
    makeId: parts.makeId,
    now: parts.now,
    raiseAlert: parts.raiseAlert,
    log: parts.log,
    released: (record) =>
      parts.sendActivity(describeRelease(parts, record, policyOf(record.facts))),
  });
  const servers = createServerQuarantine({ ...parts, transactions });
  const programs = createProgramQuarantine(parts, transactions);
  const retry = createRetry(parts, transactions, isWanted);
  // A quarantined program has an alert of its own; the journal reports a terminated program that is not quarantined.
  const recovered = transactions
    .recover()
    .then(() => parts.journal.recover(parts.raiseAlert, programs.takeJournaled))
    // The remaining records stay: the next start continues with them.
    .catch((error: unknown) => parts.log({ err: error }, 'what was begun could not be finished'));
  return {
    plan: programs.plan,
    async take({ decision: { entity }, alert }, planned) {
      if (entity?.kind === 'mcp_server' && (await servers.takeOut(entity.entity_id))) {
        parts.raiseAlert(alert);
        return true;
      }
      return planned !== null && programs.take(planned);
    },
    applyScan: servers.applyScan,
    async tidy() {
      await transactions.release();
      await servers.consider();
    },
    async watch() {
      await retry();
      if (await servers.isDisturbed()) await servers.consider();
    },
    list: () => describeAll({ known: transactions.list(), foreign: records.foreign() }),
    quarantinedPrograms: () =>
      transactions
        .list()
        .flatMap(({ item, path, facts }) =>
          item.is === 'file'
            ? [{ path, entityIds: facts.entities.map((entity) => entity.entity_id) }]
            : [],
        ),
    takenOut: () =>
      transactions.list().flatMap(({ item, facts: { entities } }) => {
        const [entity] = entities;
        return item.is === 'entry' && entity !== undefined ? [{ owner: item.owner, entity }] : [];
      }),
    async drain() {
      await recovered;
      await transactions.drain();
    },
    close: records.close,
  };
}

interface ProgramQuarantine {
  plan: Quarantine['plan'];
  /** Moves the planned file aside; false where another file is in its place. */
  take(planned: PlannedQuarantine): Promise<boolean>;
  /** The same for a plan of an earlier run: only where policies are known and the file was not written since. */
  takeJournaled(planned: PlannedQuarantine): Promise<boolean>;
}

function createProgramQuarantine(
  parts: QuarantineParts,
  transactions: QuarantineTransactions,
): ProgramQuarantine {
  const take: ProgramQuarantine['take'] = async (planned) => {
    const { path, listed, is, stamp: _, ...subject } = planned;
    if (!(await parts.mountProbe.answers(path)) || isReplaced(path, is)) return false;
    const outcome = is === null ? 'missing' : await transactions.takeFile(path, listed, subject);
    if (outcome !== 'missing') return outcome === 'quarantined';
    // Another process of the program was handled first, or this record before the agent ended.
    const isQuarantined = transactions
      .list()
      .some((record) => record.path === path && record.state === 'quarantined');
    if (isQuarantined) parts.raiseAlert(subject.alert);
    return isQuarantined;
  };
  return {
    take,
    async takeJournaled(planned) {
      if (!parts.isGoverned() || !(await parts.mountProbe.answers(planned.path))) return false;
      const currentStamp = stampOrNull(planned.path);
      // A missing file may be quarantined already.
      if (currentStamp !== null && currentStamp !== planned.stamp) return false;
      return take(planned);
    },
    async plan(request) {
      const { correlated, decision, override, facts, runningFile, systemContext, alert } = request;
      const file = selectQuarantineFile(correlated, decision, systemContext);
      if (file === null || !(await parts.mountProbe.answers(file.path))) return null;
      const isProgram = file.path === correlated.executable?.path;
      // Under another root, as in a container, the path names another file here; so it does after a replacement.
      if (request.hasOtherRoot && (!isProgram || runningFile === null)) return null;
      if (isProgram && isReplaced(file.path, runningFile)) return null;
      return {
        ...{ path: file.path, listed: file.listed, facts, alert },
        is: (isProgram ? runningFile : null) ?? identityOrNull(file.path),
        stamp: stampOrNull(file.path),
        name: alert.application_name ?? correlated.process.name,
        overrideId: override.override_id,
        entityId: decision.entity?.entity_id ?? null,
      };
    },
  };
}

/** Returns a function that releases again what could not be released, at most every 30 seconds and never twice at once. */
function createRetry(
  parts: Pick<QuarantineParts, 'monotonicMs'>,
  transactions: QuarantineTransactions,
  isWanted: (facts: ProcessFacts) => boolean,
): () => Promise<void> {
  let triedAtMs = parts.monotonicMs();
  let isTrying = false;
  return async () => {
    if (isTrying || parts.monotonicMs() - triedAtMs < RETRY_MS) return;
    isTrying = true;
    try {
      const isDue = transactions
        .list()
        .some(({ problem, facts }) => problem !== null && !isWanted(facts));
      if (isDue) await transactions.release();
    } finally {
      isTrying = false;
      triedAtMs = parts.monotonicMs();
    }
  };
}

function stampOrNull(path: string): string | null {
  try {
    return stampOf(path);
  } catch {
    return null;
  }
}

function identityOrNull(path: string): FileIdentity | null {
  try {
    return identityOf(path);
  } catch {
    // The file is missing: another process of the same program was handled first.
    return null;
  }
}

function openOrReset(parts: QuarantineParts): QuarantineRecords {
  try {
    return openRecords(parts.dataDir);
  } catch (error) {
    if (error instanceof SchemaTooNewError) {
      parts.reportRecordError(
        `${error.message}: only that agent can put back what it contains, and nothing more is taken`,
      );
      return unusableRecords(error.message);
    }
    if (!isDamage(error)) {
      // An agent that sees, warns and ends is worth more than none.
      const reason = `the record of what is in quarantine cannot be opened: ${messageOf(error)}`;
      parts.reportRecordError(`${reason}: nothing is taken until the agent is started again`);
      return unusableRecords(reason);
    }
    const file = join(parts.dataDir, 'quarantine.db');
    const aside = `${file}.corrupt-${parts.now()}`;
    createRecoveryCopy(file, aside);
    parts.reportRecordError(
      `The record of what is in quarantine was damaged and set aside as ${basename(aside)}: quarantined files must be put back by hand`,
    );
    return openRecords(parts.dataDir);
  }
}

/** Returns all quarantined items as rows for users. */
export function describeAll({
  known,
  foreign,
}: ReturnType<typeof readRecords>): QuarantinedThing[] {
  return [
    ...known.map(describeRecord),
    ...foreign.map(
      ({ name, path, takenAt, overrideId }): QuarantinedThing => ({
        ...{ name, kind: 'other', path, since: takenAt, override_id: overrideId, kept: null },
        problem: 'a newer agent took it: only that agent can put it back',
      }),
    ),
  ];
}

function describeRecord(record: QuarantineRecord): QuarantinedThing {
  const { name, path, takenAt, overrideId, item, problem } = record;
  return {
    name,
    kind: item.is === 'file' ? 'program' : 'mcp_server',
    path,
    since: takenAt,
    override_id: overrideId,
    kept: item.is === 'file' ? item.storedPath : null,
    problem,
  };
}

/** Puts everything back, for when no service runs that would. Returns what could not be. */
export async function releaseAll(dataDir: string): Promise<QuarantinedThing[]> {
  if (!existsSync(join(dataDir, 'quarantine.db'))) return [];
  const records = openRecords(dataDir, { alone: true });
  const homes = (await findHomes())?.homes ?? [];
  const transactions: QuarantineTransactions = createQuarantineTransactions({
    dataDir,
    records,
    edit: openEditClient(codeCacheOf(dataDir)),
    diverter: openPackageDiverter(),
    homes: () => homes,
    mountProbe: openMountProbe(),
    isWanted: () => false,
    makeId: () => '',
    now: Date.now,
    // The service reports to the hub when it runs again.
    raiseAlert: () => undefined,
    released: () => undefined,
    log: () => undefined,
  });
  try {
    await transactions.recover();
    await transactions.release();
    return describeAll({ known: transactions.list(), foreign: records.foreign() });
  } finally {
    records.close();
  }
}

function describeRelease(
  { makeId, now, homes }: { makeId: () => string; now: () => number; homes: readonly Home[] },
  { name, path, overrideId, entityId }: QuarantineRecord,
  decision: ExecutionPolicy,
) {
  const clean = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');
  return {
    activity_id: makeId(),
    decided_at: new Date(now()).toISOString(),
    process: {
      name: clean(name).slice(0, 512) || '?',
      executable_path: clean(shortenHome(path, homes)).slice(0, 4096),
      pid: 0,
      started_at: null,
    },
    application_name: clean(name).slice(0, 512),
    entity_id: entityId,
    override_id: overrideId,
    decision,
    enforced: false,
    outcome: 'released',
  };
}
