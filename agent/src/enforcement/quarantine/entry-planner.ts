// Plans entries that a user wants in a configuration: whether they exist, and how they are added or removed. Only
// entries that the agent itself would write are removed. Pure over a file's text; null: the file is missing.
import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sha256Hex } from '@gatewarden/shared/identity.ts';
import { isFields, serversAt } from '../../discovery/mcp/servers.ts';
import { type EntryValue, newEntry } from './edit/entry.ts';
import {
  applySplice,
  invert,
  parseConfiguration,
  putBack,
  spliceOf,
  takeOut,
} from './edit/index.ts';
import { valueAt } from './edit/text.ts';
import type { EditAnswer, EditJob, EntryState, SoughtFile } from './edit-protocol.ts';

/** An impossible edit; the message quotes nothing of the file. */
export class Impossible extends Error {}

type Sought = Extract<EditAnswer<'seek'>, { is: 'found' }>['files'][number];

/** Checks a client's file. `read` returns its text, or throws. */
export function seek(sought: SoughtFile, read: () => string | null): Sought {
  const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  const sign = sought.sign === 'file' ? sought.file : dirname(sought.file);
  try {
    if (!isThere(sign)) return { state: 'absent', wanted: [] };
    const text = read() ?? '';
    const found = valueAt(parseConfiguration(sought.file, text), sought.container);
    if (found !== undefined && !isFields(found)) return { state: 'unreadable', wanted: [] };
    const wanted = sought.wanted.map((entry) => stateOf(found ?? {}, sought.container, entry));
    return { state: 'there', wanted };
  } catch {
    // Whatever is wrong with it: nothing is put in.
    return { state: 'unreadable', wanted: [] };
  }
}

function stateOf(
  found: Record<string, unknown>,
  container: readonly string[],
  { member, value }: { member: string; value: EntryValue },
): EntryState {
  const own = Object.hasOwn(found, member) ? found[member] : undefined;
  if (isSameValue(own, value)) return 'ours';
  const urls = Object.values(value).filter((text) => typeof text === 'string');
  const leads = serversAt(found, container).some(({ url }) => url !== null && urls.includes(url));
  if (leads) return 'set_up';
  return own === undefined ? 'none' : 'taken';
}

const isSameValue = (found: unknown, value: EntryValue): boolean =>
  isFields(found) && isDeepStrictEqual({ ...found }, { ...value });

export function planIn(
  { file, container, member, value }: EditJob & { op: 'plan_in' },
  text: string | null,
): EditAnswer<'plan_in'> {
  const before = text ?? '';
  const after = putBack(file, before, container, newEntry(file, container, member, value));
  if (after === 'there') {
    const found = valueAt(parseConfiguration(file, before), [...container, member]);
    if (isSameValue(found, value)) return { is: 'there' };
    throw new Impossible('something else is set up there under that name');
  }
  if (after === null) throw new Impossible('there is no place for it in the file as it is');
  if (!isSameValue(valueAt(parseConfiguration(file, after), [...container, member]), value)) {
    throw new Impossible('it cannot be written there as it should be');
  }
  const from = text === null ? null : sha256Hex(before);
  return { is: 'planned', from, to: sha256Hex(after), splice: spliceOf(before, after) };
}

/** Byte for byte where nobody else wrote to it; else out of what it is now. */
export function planOut(
  { file, container, member, value, put }: EditJob & { op: 'plan_out' },
  text: string | null,
): EditAnswer<'plan_out'> {
  if (text === null) return { is: 'none' };
  const from = sha256Hex(text);
  if (put !== null && from === put.after) {
    const splice = invert(put.splice);
    const to = put.created ? null : sha256Hex(applySplice(text, splice));
    return { is: 'planned', from, to, splice };
  }
  const found = valueAt(parseConfiguration(file, text), [...container, member]);
  if (found === undefined) return { is: 'none' };
  if (!isSameValue(found, value)) {
    throw new Impossible('it was changed since: it is yours to take out');
  }
  const cut = takeOut(file, text, container, [member]);
  if (cut === null) throw new Impossible('it cannot be taken out without touching more than it');
  return { is: 'planned', from, to: sha256Hex(cut.text), splice: spliceOf(text, cut.text) };
}
