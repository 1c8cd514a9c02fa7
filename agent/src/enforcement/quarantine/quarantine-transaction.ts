// Transactions of quarantine: each state is written down before the step that it announces, so that a start after a crash
// finishes what was begun. Transactions run in turn, in the order of their requests.
//
// | from        | event                                    | to          | effect                                   |
// |-------------|------------------------------------------|-------------|------------------------------------------|
// | (none)      | takeFile / takeEntry                     | taking      | record written, nothing moved            |
// | taking      | step succeeded                           | quarantined | alert raised                             |
// | taking      | file or entry is not in its place        | (none)      | record removed                           |
// | taking      | home or editor does not respond          | taking      | tried again by release and recover       |
// | taking      | the entry cannot be edited               | (none)      | record removed                           |
// | taking      | the system refuses to move the file      | releasing   | the diversion is undone                  |
// | quarantined | release, and no policy wants it          | releasing   | –                                        |
// | releasing   | restored                                 | (none)      | record removed, release reported         |
// | releasing   | cannot be restored                       | quarantined | problem recorded, tried again            |
import { basename, join } from 'node:path';
import type { ProcessFacts } from '@gatewarden/shared/policy.ts';
import type { Home } from '../../discovery/homes/home-list.ts';
import type { ConfigEntry } from '../../discovery/source-contract.ts';
import { codeOf, messageOf } from '../../runtime/errors.ts';
import type { MountProbe } from '../../runtime/mount-probe.ts';
import type { NewAlert } from '../../store/alert-store.ts';
import { isDiskFull } from '../../store/store-database.ts';
import type { EditClient } from './edit-client.ts';
import { resolveEditTarget } from './edit-target.ts';
import { describeFile } from './file-vault.ts';
import type { PackageDiverter } from './package-diverter.ts';
import type {
  QuarantinedEntry,
  QuarantinedFile,
  QuarantineRecord,
  QuarantineRecords,
} from './quarantine-records.ts';
import {
  restoreEntry,
  restoreFile,
  type StepParts,
  takeEntry,
  takeFile,
} from './quarantine-steps.ts';

/** Details of a record about the file or entry that is taken. */
export interface QuarantineSubject {
  name: string;
  overrideId: string;
  entityId: string | null;
  facts: ProcessFacts;
  alert: NewAlert;
}

/** `withdrawn`: no policy wanted it any more when its turn came. */
export type TransactionOutcome = 'quarantined' | 'missing' | 'failed' | 'withdrawn';

export interface QuarantineTransactions {
  /** Moves an executable aside. `listed`: its path as the package that owns it lists it. */
  takeFile(
    path: string,
    listed: string | null,
    subject: QuarantineSubject,
  ): Promise<TransactionOutcome>;
  /** Takes an entry out of a configuration; `missing` where it is not there. `admit` is called where it is. */
  takeEntry(
    entry: ConfigEntry & { owner: string | null },
    subject: QuarantineSubject,
    admit: () => boolean,
  ): Promise<TransactionOutcome>;
  /** Releases everything that no policy wants. What cannot be restored stays, and is tried again. */
  release(): Promise<void>;
  /** Finishes what an earlier run began. */
  recover(): Promise<void>;
  list(): QuarantineRecord[];
  /** Resolves when no transaction is under way. */
  drain(): Promise<void>;
}

export interface TransactionParts {
  dataDir: string;
  records: QuarantineRecords;
  edit: EditClient;
  diverter: PackageDiverter;
  homes: () => readonly Home[];
  mountProbe: MountProbe;
  /** Called at the last moment: a policy may be withdrawn while a transaction waits for its turn. */
  isWanted: (facts: ProcessFacts) => boolean;
  makeId: () => string;
  now: () => number;
  /** Returns once the alert is durable. */
  raiseAlert: (alert: NewAlert) => void;
  released: (record: QuarantineRecord) => void;
  log: (fields: object, message: string) => void;
  /** Called between any two steps: tests kill the agent here. */
  checkpoint?: () => void;
}

/** Opens the transactions over a record; nothing runs before the first call. */
export function createQuarantineTransactions(parts: TransactionParts): QuarantineTransactions {
  const { records } = parts;
  const inTurn = createTurns();
  /** Records of restored items that a full disk kept from being removed. */
  const restored = new Set<string>();
  const remove = (id: string): void => {
    if (writeIfRoom(() => records.remove(id))) restored.delete(id);
    else restored.add(id);
  };
  const transitions = createTransitions(parts, remove);
  const { finish, release } = transitions;

  const take = (work: () => Promise<TransactionOutcome>, path: string) =>
    inTurn(async (): Promise<TransactionOutcome> => {
      try {
        return await work();
      } catch (error) {
        parts.log({ err: error, path }, 'could not be taken into quarantine');
        return 'failed';
      }
    });

  return {
    takeFile: (path, listed, subject) =>
      take(() => beginFile(parts, transitions, { path, listed, subject }), path),
    takeEntry: (entry, subject, admit) =>
      take(() => beginEntry(parts, transitions, { entry, subject, admit }), entry.file),
    release: () =>
      inTurn(async () => {
        // The newest first: an older record of the same path then finds the path as it left it.
        for (const record of records.all().toReversed()) {
          if (restored.has(record.id)) remove(record.id);
          else if (!parts.isWanted(record.facts)) await release(record);
          else if (record.state === 'taking') await finish(record).catch(() => undefined);
        }
      }),
    recover: () =>
      inTurn(async () => {
        for (const record of records.all()) {
          try {
            if (record.state === 'taking') await finish(record);
            else if (record.state === 'releasing') await release(record);
            else raiseOnce(parts, record);
          } catch (error) {
            parts.log({ err: error, path: record.path }, 'quarantine could not be finished');
          }
        }
      }),
    list: () => records.all().filter(({ id }) => !restored.has(id)),
    drain: () => inTurn(async () => undefined),
  };
}

/** Runs transactions in turn, in the order of the calls. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

interface Transitions {
  /** (none) → taking. */
  begin(
    path: string,
    subject: QuarantineSubject,
    item: QuarantinedFile | QuarantinedEntry,
    id: string,
  ): QuarantineRecord;
  /** taking → quarantined | (none) | taking. */
  finish(record: QuarantineRecord): Promise<TransactionOutcome>;
  /** any → releasing → (none) | quarantined. */
  release(record: QuarantineRecord): Promise<void>;
}

function createTransitions(parts: TransactionParts, remove: (id: string) => void): Transitions {
  const { records, edit, homes, mountProbe, diverter } = parts;
  const checkpoint = parts.checkpoint ?? (() => undefined);
  const save = (record: QuarantineRecord) => records.save(record);
  const saveIfRoom = (record: QuarantineRecord) => {
    writeIfRoom(() => records.save(record));
  };
  const steps: StepParts = { edit, homes, mountProbe, diverter, checkpoint, save, saveIfRoom };
  return {
    begin(path, subject, item, id) {
      const takenAt = new Date(parts.now()).toISOString();
      const common = { id, state: 'taking' as const, path, takenAt, item, problem: null };
      const record: QuarantineRecord = { ...common, ...subject };
      records.save(record);
      checkpoint();
      return record;
    },
    async finish(record) {
      const { item } = record;
      const result = await (item.is === 'file'
        ? takeFile(steps, record, item)
        : takeEntry(steps, record, item));
      if (result === 'unreachable') return 'failed';
      if (result !== 'taken') {
        records.remove(record.id);
        return result === 'missing' ? 'missing' : 'failed';
      }
      records.save(Object.assign(record, { state: 'quarantined', problem: null }));
      checkpoint();
      raiseOnce(parts, record);
      return 'quarantined';
    },
    async release(record) {
      // A full disk must not delay a release: restoring again what is restored already does no harm.
      saveIfRoom(Object.assign(record, { state: 'releasing' }));
      checkpoint();
      const { item } = record;
      const problem = await (item.is === 'file'
        ? restoreFile(steps, record, item)
        : restoreEntry(steps, record, item)
      ).catch((error: unknown) => codeOf(error) ?? messageOf(error));
      if (problem === null) {
        remove(record.id);
        parts.log({ path: record.path, name: record.name }, 'released from quarantine');
        // A record with an alert never reached `quarantined`: its release is not reported.
        if (record.alert === null) parts.released(record);
        return;
      }
      if (problem !== record.problem) {
        parts.log({ path: record.path, problem }, 'could not be released from quarantine');
      }
      saveIfRoom(Object.assign(record, { state: 'quarantined', problem }));
    },
  };
}

async function beginFile(
  parts: TransactionParts,
  { begin, finish, release }: Transitions,
  { path, listed, subject }: { path: string; listed: string | null; subject: QuarantineSubject },
): Promise<TransactionOutcome> {
  if (!(await parts.mountProbe.answers(path))) return 'failed';
  if (!parts.isWanted(subject.facts)) return 'withdrawn';
  const id = parts.makeId();
  const file = describeFile(path, join(parts.dataDir, 'quarantine', id, basename(path)));
  if (file === null) return 'missing';
  const record = begin(path, subject, { ...file, listed }, id);
  try {
    return await finish(record);
  } catch (error) {
    // The system or dpkg refused before anything was moved.
    await release(record);
    throw error;
  }
}

async function beginEntry(
  parts: TransactionParts,
  { begin, finish }: Transitions,
  request: {
    entry: ConfigEntry & { owner: string | null };
    subject: QuarantineSubject;
    admit: () => boolean;
  },
): Promise<TransactionOutcome> {
  const { owner, file, container, key } = request.entry;
  const target = resolveEditTarget(parts.homes(), file, owner);
  if (target === null) return 'failed';
  const plan = await parts.edit({ ...target, op: 'plan', container, key });
  if (plan.is === 'failed') {
    parts.log({ path: file, reason: plan.reason }, 'could not be taken into quarantine');
    return 'failed';
  }
  if (plan.is === 'none') return 'missing';
  if (!parts.isWanted(request.subject.facts) || !request.admit()) return 'withdrawn';
  const { from: before, to: after, splice, entries } = plan;
  const text = { before, after, splice, entries, back: null };
  const item: QuarantinedEntry = { is: 'entry', owner, container, key, ...text };
  return finish(begin(file, request.subject, item, parts.makeId()));
}

/** Runs a write; returns false where the disk has no room for it. */
function writeIfRoom(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    return false;
  }
}

/** Raises the alert of a record that has not been raised; a crash in between raises it again under the same id. */
function raiseOnce({ records, raiseAlert, log }: TransactionParts, record: QuarantineRecord): void {
  if (record.alert === null) return;
  raiseAlert(record.alert);
  records.save(Object.assign(record, { alert: null }));
  log({ path: record.path, name: record.name }, 'taken into quarantine');
}
