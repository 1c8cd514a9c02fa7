// The steps of a quarantine transaction on the file system. Every step can run again after a crash at any point in it.
import type { Home } from '../../discovery/homes/home-list.ts';
import { UNRESPONSIVE } from '../../discovery/scoped-fs/path-resolver.ts';
import type { MountProbe } from '../../runtime/mount-probe.ts';
import type { EditClient } from './edit-client.ts';
import { NO_ANSWER } from './edit-protocol.ts';
import { resolveEditTarget } from './edit-target.ts';
import { moveAside, moveBack } from './file-vault.ts';
import type { PackageDiverter } from './package-diverter.ts';
import type { QuarantinedEntry, QuarantinedFile, QuarantineRecord } from './quarantine-records.ts';

/** Attempts at an edit of a file that other programs change meanwhile. */
export const MAX_ATTEMPTS = 5;

export interface StepParts {
  homes: () => readonly Home[];
  mountProbe: MountProbe;
  diverter: PackageDiverter;
  edit: EditClient;
  checkpoint: () => void;
  /** Writes the record durably. */
  save: (record: QuarantineRecord) => void;
  /** The same, skipped where the disk has no room: the step can be repeated without the record. */
  saveIfRoom: (record: QuarantineRecord) => void;
}

/** `taken`: out of its place; `missing`: not in its place; `unreachable`: to be tried again; `refused`: cannot be taken. */
export type TakeResult = 'taken' | 'missing' | 'unreachable' | 'refused';

/** Moves a file aside, after the diversion of its package. */
export async function takeFile(
  parts: StepParts,
  { path }: QuarantineRecord,
  file: QuarantinedFile,
): Promise<TakeResult> {
  if (!(await parts.mountProbe.answers(path))) throw new Error(UNRESPONSIVE);
  if (file.listed !== null) await parts.diverter.add(file.listed, file.storedPath);
  parts.checkpoint();
  if (await moveAside(path, file, parts.checkpoint)) return 'taken';
  if (file.listed !== null) await parts.diverter.remove(file.listed, file.storedPath);
  return 'missing';
}

/** Takes an entry out of a configuration file; plans again where another program changed the file meanwhile. */
export async function takeEntry(
  parts: StepParts,
  record: QuarantineRecord,
  entry: QuarantinedEntry,
): Promise<TakeResult> {
  const target = resolveEditTarget(parts.homes(), record.path, entry.owner);
  // The entry may be out of the file already: its record stays until the home responds.
  if (target === null) return 'unreachable';
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { before: from, after: to, splice, container, key } = entry;
    const swap = await parts.edit({ ...target, op: 'swap', from, to, splice });
    parts.checkpoint();
    if (swap.is === 'written') return 'taken';
    const plan = await parts.edit({ ...target, op: 'plan', container, key });
    // The entry is not in the file, and an earlier attempt of this record may have taken it out.
    if (plan.is === 'none') return 'taken';
    if (plan.is === 'failed' && plan.reason === NO_ANSWER) return 'unreachable';
    if (swap.is === 'failed' || plan.is === 'failed') break;
    Object.assign(entry, { before: plan.from, after: plan.to });
    Object.assign(entry, { splice: plan.splice, entries: plan.entries });
    parts.save(record);
  }
  return 'refused';
}

/** Puts a file back; returns null, or the reason why it stays in quarantine. */
export async function restoreFile(
  parts: StepParts,
  { path }: QuarantineRecord,
  file: QuarantinedFile,
): Promise<string | null> {
  if (!(await parts.mountProbe.answers(path))) return UNRESPONSIVE;
  const outcome = await moveBack(path, file, parts.checkpoint);
  if (outcome === 'occupied') return 'another file is in its place';
  if (outcome === 'no_folder') return 'its folder is not there';
  parts.checkpoint();
  if (file.listed !== null) await parts.diverter.remove(file.listed, file.storedPath);
  return null;
}

/** Puts an entry back; returns null, or the reason why it stays in quarantine. */
export async function restoreEntry(
  parts: StepParts,
  record: QuarantineRecord,
  entry: QuarantinedEntry,
): Promise<string | null> {
  const target = resolveEditTarget(parts.homes(), record.path, entry.owner);
  if (target === null) return 'its home is not there';
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (entry.back === null) {
      const { container, entries, after, splice } = entry;
      const plan = await parts.edit({
        ...target,
        op: 'plan_back',
        ...{ container, entries, after, splice },
      });
      if (plan.is === 'failed') return plan.reason;
      if (plan.is === 'there') return null;
      entry.back = { from: plan.from, to: plan.to, splice: plan.splice };
      parts.saveIfRoom(record);
      parts.checkpoint();
    }
    const swap = await parts.edit({ ...target, op: 'swap', ...entry.back });
    parts.checkpoint();
    if (swap.is === 'written') return null;
    entry.back = null;
    if (swap.is === 'failed') return swap.reason;
  }
  return 'the file changes all the time';
}
