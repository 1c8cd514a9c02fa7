// Takes into quarantine and releases, one thing at a time: each step is written down before it is done, so that whatever
// ends the agent half-way, the next start finishes it.
import { basename, join } from 'node:path';
import type { ProcessFacts } from '@gatewarden/shared/policy.ts';
import { type Home, namesOf } from '../../discovery/homes/home-list.ts';
import { HANGS } from '../../discovery/scoped-fs/scoped-fs.ts';
import type { ConfigEntry } from '../../discovery/source-contract.ts';
import { codeOf, messageOf } from '../../runtime/errors.ts';
import type { Reach } from '../../runtime/mount-probe.ts';
import type { NewAlert } from '../../store/alert-store.ts';
import { isDiskFull } from '../../store/store-database.ts';
import type { Ask } from './edit-client.ts';
import { NO_ANSWER, type Place } from './edit-protocol.ts';
import { describeFile, moveAside, moveBack } from './file-vault.ts';
import type { Diverter } from './package-diverter.ts';
import type { HeldEntry, HeldFile, HeldRecord, HeldRecords } from './quarantine-records.ts';

/** So often a file may be changed by others under our hands before we give up for now. */
export const TRIES = 5;

/** What is known of a thing that is to be held. */
export interface Holding {
  name: string;
  overrideId: string;
  entityId: string | null;
  facts: ProcessFacts;
  alert: NewAlert;
}

/** `unwanted`: when its turn came, nothing wanted it held any more. */
export type Held = 'held' | 'none' | 'failed' | 'unwanted';

export interface Keeper {
  /** Moves an executable aside. `listed`: as the package that owns it lists it. */
  holdFile(path: string, listed: string | null, about: Holding): Promise<Held>;
  /** Takes an entry out of a configuration; `none` where it is not there (any more). `admit` is asked where it is. */
  holdEntry(
    entry: ConfigEntry & { owner: string | null },
    about: Holding,
    admit: () => boolean,
  ): Promise<Held>;
  /** Puts back all that nothing wants held. What cannot be put back stays held, and is tried again. */
  release(): Promise<void>;
  /** Finishes what an earlier run began. */
  recover(): Promise<void>;
  list(): HeldRecord[];
  /** Resolves when nothing is under way. */
  settle(): Promise<void>;
}

export interface KeeperParts {
  dataDir: string;
  records: HeldRecords;
  ask: Ask;
  diverter: Diverter;
  homes: () => readonly Home[];
  reach: Reach;
  /** Asked at the last moment: what waits for its turn may be withdrawn meanwhile. */
  wants: (facts: ProcessFacts) => boolean;
  makeId: () => string;
  now: () => number;
  /** Durable before it returns. */
  raise: (alert: NewAlert) => void;
  released: (record: HeldRecord) => void;
  log: (fields: object, message: string) => void;
  /** Between any two steps: tests end the agent here. */
  checkpoint?: () => void;
}

export function createKeeper(parts: KeeperParts): Keeper {
  const { records, ask } = parts;
  const checkpoint = parts.checkpoint ?? (() => undefined);
  let last: Promise<unknown> = Promise.resolve();
  /** One at a time, in the order in which they came. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };

  const isHeld = (record: HeldRecord): Held => {
    records.save(Object.assign(record, { step: 'held', problem: null }));
    checkpoint();
    announce(parts, record);
    return 'held';
  };

  const begin = (path: string, about: Holding, held: HeldFile | HeldEntry, id: string) => {
    const takenAt = new Date(parts.now()).toISOString();
    const record: HeldRecord = { id, step: 'taking', path, takenAt, held, ...about, problem: null };
    records.save(record);
    checkpoint();
    return record;
  };

  const finishFile = async (record: HeldRecord, held: HeldFile): Promise<Held> => {
    if (!(await parts.reach.answers(record.path))) throw new Error(HANGS);
    if (held.listed !== null) await parts.diverter.add(held.listed, held.kept);
    checkpoint();
    if (await moveAside(record.path, held, checkpoint)) return isHeld(record);
    if (held.listed !== null) await parts.diverter.remove(held.listed, held.kept);
    records.remove(record.id);
    return 'none';
  };

  const finishEntry = async (record: HeldRecord, held: HeldEntry): Promise<Held> => {
    const place = placeOf(parts.homes(), record.path, held.owner);
    // It may be out already: what it was must not be forgotten. It is finished once somebody can say.
    if (place === null) return 'failed';
    for (let tries = 0; tries < TRIES; tries++) {
      const { before: from, after: to, splice, container, key } = held;
      const done = await ask({ ...place, op: 'swap', from, to, splice });
      checkpoint();
      if (done.is === 'written') return isHeld(record);
      const again = await ask({ ...place, op: 'plan', container, key });
      // It is not there any more, and it may have been us who took it out.
      if (again.is === 'none') return isHeld(record);
      if (again.is === 'failed' && again.reason === NO_ANSWER) return 'failed';
      if (done.is === 'failed' || again.is === 'failed') break;
      Object.assign(held, { before: again.from, after: again.to });
      Object.assign(held, { splice: again.splice, entries: again.entries });
      records.save(record);
    }
    records.remove(record.id);
    return 'failed';
  };

  const finish = (record: HeldRecord): Promise<Held> =>
    record.held.is === 'file' ? finishFile(record, record.held) : finishEntry(record, record.held);

  /** Null when it is back. */
  const putFileBack = async (record: HeldRecord, held: HeldFile): Promise<string | null> => {
    if (!(await parts.reach.answers(record.path))) return HANGS;
    const outcome = await moveBack(record.path, held, checkpoint);
    if (outcome === 'occupied') return 'something else stands in its place';
    if (outcome === 'no_folder') return 'its folder is not there';
    checkpoint();
    if (held.listed !== null) await parts.diverter.remove(held.listed, held.kept);
    return null;
  };

  const putEntryBack = async (record: HeldRecord, held: HeldEntry): Promise<string | null> => {
    const place = placeOf(parts.homes(), record.path, held.owner);
    if (place === null) return 'its home is not there';
    for (let tries = 0; tries < TRIES; tries++) {
      if (held.back === null) {
        const { container, entries, after, splice } = held;
        const plan = await ask({ ...place, op: 'plan_back', container, entries, after, splice });
        if (plan.is === 'failed') return plan.reason;
        if (plan.is === 'there') return null;
        held.back = { from: plan.from, to: plan.to, splice: plan.splice };
        ifRoom(() => records.save(record));
        checkpoint();
      }
      const done = await ask({ ...place, op: 'swap', ...held.back });
      checkpoint();
      if (done.is === 'written') return null;
      held.back = null;
      if (done.is === 'failed') return done.reason;
    }
    return 'the file changes all the time';
  };

  /** Put back while a full disk kept it from being forgotten. */
  const returned = new Set<string>();
  const forget = (id: string): void => {
    if (ifRoom(() => records.remove(id))) returned.delete(id);
    else returned.add(id);
  };

  /** On a full disk, too: who puts back what is back already does no harm, so that it need not be written down before. */
  const release = async (record: HeldRecord): Promise<void> => {
    ifRoom(() => records.save(Object.assign(record, { step: 'releasing' })));
    checkpoint();
    const { held } = record;
    const problem = await (held.is === 'file'
      ? putFileBack(record, held)
      : putEntryBack(record, held)
    ).catch((error: unknown) => codeOf(error) ?? messageOf(error));
    if (problem === null) {
      forget(record.id);
      parts.log({ path: record.path, name: record.name }, 'released from quarantine');
      // One that never came to be held is not told as released.
      if (record.alert === null) parts.released(record);
      return;
    }
    if (problem !== record.problem) {
      parts.log({ path: record.path, problem }, 'could not be released from quarantine');
    }
    ifRoom(() => records.save(Object.assign(record, { step: 'held', problem })));
  };

  const hold = (work: () => Promise<Held>, path: string): Promise<Held> =>
    inTurn(async () => {
      try {
        return await work();
      } catch (error) {
        parts.log({ err: error, path }, 'could not be taken into quarantine');
        return 'failed';
      }
    });

  return {
    holdFile(path, listed, about) {
      const work = async (): Promise<Held> => {
        if (!(await parts.reach.answers(path))) return 'failed';
        if (!parts.wants(about.facts)) return 'unwanted';
        const id = parts.makeId();
        const kept = join(parts.dataDir, 'quarantine', id, basename(path));
        const file = describeFile(path, kept);
        if (file === null) return 'none';
        const record = begin(path, about, { ...file, listed }, id);
        try {
          return await finish(record);
        } catch (error) {
          // Refused by the system or by dpkg before anything was moved: there is nothing to hold.
          await release(record);
          throw error;
        }
      };
      return hold(work, path);
    },
    holdEntry({ owner, file, container, key }, about, admit) {
      const work = async (): Promise<Held> => {
        const place = placeOf(parts.homes(), file, owner);
        if (place === null) return 'failed';
        const plan = await ask({ ...place, op: 'plan', container, key });
        if (plan.is === 'failed') {
          parts.log({ path: file, reason: plan.reason }, 'could not be taken into quarantine');
          return 'failed';
        }
        if (plan.is === 'none') return 'none';
        if (!parts.wants(about.facts) || !admit()) return 'unwanted';
        const { from: before, to: after, splice, entries } = plan;
        const text = { before, after, splice, entries, back: null };
        const held: HeldEntry = { is: 'entry', owner, container, key, ...text };
        return finish(begin(file, about, held, parts.makeId()));
      };
      return hold(work, file);
    },
    release: () =>
      inTurn(async () => {
        // The newest first: an older one of the same place then finds it as it left it, or taken.
        for (const record of records.all().toReversed()) {
          if (returned.has(record.id)) forget(record.id);
          else if (!parts.wants(record.facts)) await release(record);
          else if (record.step === 'taking') await finish(record).catch(() => undefined);
        }
      }),
    recover: () =>
      inTurn(async () => {
        for (const record of records.all()) {
          try {
            if (record.step === 'taking') await finish(record);
            else if (record.step === 'releasing') await release(record);
            else announce(parts, record);
          } catch (error) {
            parts.log({ err: error, path: record.path }, 'quarantine could not be finished');
          }
        }
      }),
    list: () => records.all().filter(({ id }) => !returned.has(id)),
    async settle() {
      await last;
    },
  };
}

/** False where the disk has no room for it. */
function ifRoom(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    return false;
  }
}

/** Raises its alert where that was not done yet; a crash in between raises it again under the same id. */
function announce({ records, raise, log }: KeeperParts, record: HeldRecord): void {
  if (record.alert === null) return;
  raise(record.alert);
  records.save(Object.assign(record, { alert: null }));
  log({ path: record.path, name: record.name }, 'taken into quarantine');
}

/** Whom the editor must be for a file; null where that home is none of this machine's (any more), or does not answer. */
export function placeOf(homes: readonly Home[], file: string, owner: string | null): Place | null {
  if (owner === null) return { file, home: null, homeNames: [], become: null };
  const home = homes.find((home) => home.owner === owner && file.startsWith(`${home.path}/`));
  if (home === undefined || home.hangs === true) return null;
  const { uid, gid, path } = home;
  const own = process.getuid?.() ?? null;
  const isOther = own === 0 && uid !== null && gid !== null && uid !== own;
  return { file, home: path, homeNames: namesOf(home), become: isOther ? { uid, gid } : null };
}
