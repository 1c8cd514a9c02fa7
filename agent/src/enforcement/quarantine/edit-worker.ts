// The edit worker: edits a configuration file as its owner: reads it safely, plans, or swaps a text for another, and
// ends.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sha256Hex } from '@gatewarden/shared/identity.ts';
import { identifyProduct } from '../../discovery/mcp/identity.ts';
import { plainDefinition } from '../../discovery/mcp/launch.ts';
import { serversAt } from '../../discovery/mcp/servers.ts';
import { switchToOwner } from '../../discovery/scan/worker/owner-switch.ts';
import { readRegularFile } from '../../discovery/scoped-fs/safe-reader.ts';
import { replaceKeepingAccess } from '../../native/windows/replace-file.ts';
import { codeOf, messageOf } from '../../runtime/errors.ts';
import { isWithin } from '../../runtime/path-comparison.ts';
import { realPath } from '../../runtime/real-path.ts';
import { renameOver } from '../../runtime/rename-over.ts';
import { type EncodedText, readEncoded } from './edit/encoding.ts';
import {
  applySplice,
  invert,
  parseConfiguration,
  putBack,
  type Splice,
  spliceOf,
  takeOut,
} from './edit/index.ts';
import { type Member, valueAt } from './edit/text.ts';
import type { EditAnswer, EditJob, EditTarget } from './edit-protocol.ts';
import { Impossible, planIn, planOut, seek } from './entry-planner.ts';

const MAX_BYTES = 4 * 1024 * 1024;

function work(job: EditJob): EditAnswer<EditJob['op']> {
  if (job.op === 'seek') {
    return {
      is: 'found',
      files: job.files.map((file) => seek(file, () => textOf(job, file.file))),
    };
  }
  if (job.op === 'plan_in') return planIn(job, textOf(job, job.file));
  if (job.op === 'plan_out') return planOut(job, textOf(job, job.file));
  if (job.op === 'swap' && job.from === null) return create(realPlace(job), job);
  const file = realFile(job);
  const { text, encode } = readText(file);
  if (job.op === 'plan') return plan(job, text);
  if (job.op === 'plan_back') return planBack(job, text);
  if (sha256Hex(text) === job.to) return { is: 'written' };
  if (sha256Hex(text) !== job.from) return { is: 'changed' };
  if (job.to === null) return remove(file);
  const after = applySplice(text, job.splice);
  if (sha256Hex(after) !== job.to) throw new Impossible('the plan does not fit the file');
  return swap(file, text, encode(after));
}

/** Null where there is none. */
function textOf({ home }: EditTarget, file: string): string | null {
  const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (!isThere(dirname(file))) throw new Impossible('its folder is not there');
  return isThere(file) ? readText(realFile({ file, home })).text : null;
}

/** Returns the real path that a missing file would have. */
function realPlace({ file, home }: EditJob): string {
  return join(realFile({ file: dirname(file), home }), basename(file));
}

/** Returns the real path of the file: a link is followed while it stays in the home. */
function realFile({ file, home }: Pick<EditTarget, 'file' | 'home'>): string {
  const real = realPath(file);
  if (home !== null && !isWithin(realPath(home), real)) {
    throw new Impossible('a link leads out of the home');
  }
  return real;
}

function readText(file: string): EncodedText {
  const read = readRegularFile(file, MAX_BYTES);
  if (!read.ok) throw new Impossible(read.reason);
  const encoded = readEncoded(read.bytes);
  if (encoded === null) throw new Impossible('it is neither UTF-8 nor UTF-16 with its mark');
  return encoded;
}

function plan(job: EditJob & { op: 'plan' }, text: string): EditAnswer<'plan'> {
  const found = valueAt(parseConfiguration(job.file, text), job.container);
  const members: Member[] = [];
  for (const server of serversAt(found, job.container)) {
    const product = identifyProduct(plainDefinition(server, job.homeNames));
    if (product?.entryKey !== job.key) continue;
    if (server.member === null) throw new Impossible('the server is the whole document');
    members.push(server.member);
  }
  if (members.length === 0) return { is: 'none' };
  const cut = takeOut(job.file, text, job.container, members);
  if (cut === null)
    throw new Impossible('it cannot be edited without touching more than the entry');
  const splice = spliceOf(text, cut.text);
  return {
    is: 'planned',
    from: sha256Hex(text),
    to: sha256Hex(cut.text),
    splice,
    entries: cut.entries,
  };
}

/** Byte for byte where nobody else wrote to it; else into what it is now. */
function planBack(job: EditJob & { op: 'plan_back' }, text: string): EditAnswer<'plan_back'> {
  const from = sha256Hex(text);
  const planned = (splice: Splice): EditAnswer<'plan_back'> => {
    return { is: 'planned', from, to: sha256Hex(applySplice(text, splice)), splice };
  };
  if (from === job.after) return planned(invert(job.splice));
  let back = text;
  for (const entry of job.entries) {
    const next = putBack(job.file, back, job.container, entry);
    if (next === null) throw new Impossible('there is no place for it in the file as it is now');
    if (next !== 'there') back = next;
  }
  return back === text ? { is: 'there' } : planned(spliceOf(text, back));
}

/** Writes a temporary file and renames it: a reader sees the old text or the new text, never a mix. */
function swap(file: string, before: string, bytes: Buffer): EditAnswer<'swap'> {
  const folder = dirname(file);
  const prefix = `.${basename(file)}.gatewarden-`;
  // A temporary file is left over from a killed worker.
  for (const name of readdirSync(folder)) {
    if (name.startsWith(prefix)) unlinkSync(join(folder, name));
  }
  const stat = lstatSync(file);
  const beside = join(folder, prefix + randomBytes(6).toString('hex'));
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  try {
    writeLike(beside, flags, bytes, stat);
    // Somebody may have written to it while we did: as late as can be.
    if (readText(file).text !== before) {
      unlinkSync(beside);
      return { is: 'changed' };
    }
    replaceBy(beside, file);
  } catch (error) {
    unlinkIfThere(beside);
    throw error;
  }
  keepFolder(folder);
  return { is: 'written' };
}

function writeLike(path: string, flags: number, bytes: Buffer, stat: Stats): void {
  const handle = openSync(path, flags, 0o600);
  try {
    takeAfter(handle, stat);
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** On Windows the new file gets the access list and the attributes of the old file. */
function replaceBy(beside: string, file: string): void {
  if (process.platform === 'win32' && replaceKeepingAccess(file, beside)) return;
  renameOver(beside, file);
}

/** Creates a complete file, and never replaces a file that was created meanwhile. */
function create(file: string, job: EditJob & { op: 'swap' }): EditAnswer<'swap'> {
  const text = applySplice('', job.splice);
  if (job.to === null || sha256Hex(text) !== job.to) {
    throw new Impossible('the plan does not fit the file');
  }
  const beside = join(
    dirname(file),
    `.${basename(file)}.gatewarden-${randomBytes(6).toString('hex')}`,
  );
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = openSync(beside, flags, 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
    linkSync(beside, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return { is: 'changed' };
    throw error;
  } finally {
    closeSync(handle);
    unlinkIfThere(beside);
  }
  keepFolder(dirname(file));
  return { is: 'written' };
}

function remove(file: string): EditAnswer<'swap'> {
  unlinkSync(file);
  keepFolder(dirname(file));
  return { is: 'written' };
}

/** Makes new names of the folder durable. Windows has no such call: NTFS writes names to its journal. */
function keepFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(folder, constants.O_RDONLY);
  fsyncSync(directory);
  closeSync(directory);
}

/** The new file gets the old file's owner, group and mode, or is not created. */
function takeAfter(handle: number, { uid, gid, mode }: Stats): void {
  const made = fstatSync(handle);
  if (made.uid !== uid || made.gid !== gid) fchownSync(handle, uid, gid);
  fchmodSync(handle, mode & 0o7777);
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Renamed already, or never made.
  }
}

async function main(): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const job = JSON.parse(Buffer.concat(chunks).toString('utf8')) as EditJob;
  if (job.become !== null) switchToOwner(job.become);
  let answer: object;
  try {
    answer = work(job);
  } catch (error) {
    // Parsers quote the text around an error, which may be a secret: only the agent's own texts and codes are
    // reported.
    const reason =
      error instanceof Impossible ? messageOf(error) : (codeOf(error) ?? 'it does not parse');
    answer = { is: 'failed', reason };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

await main();
