// File format of backups: a gzip of a SQL script that `zcat FILE | psql` could run, and a trailer line that seals the digest of
// all bytes before it with the master key.
// Main types: `BackupHeader`, `BackupPart`.
// Invariant: a truncated, changed or foreign file is detected before any of its contents are used.
// Depends on crypto/seal.ts. Start reading at `verifyFile` and `readParts`.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ConfigError } from '../../config/config.ts';
import { type Sealer, UnsealError } from '../../crypto/seal.ts';

const MAGIC = '-- gatewarden backup ';
const PURPOSE = 'backup';
const TRAILER_MAX = 512;
const TABLE_END = Buffer.from('\\.\n');
const NEWLINE = 10;

export interface BackupHeader {
  format: 1;
  made_at: string;
  version: string;
  migrations: string[];
  /** Daily partitions. `bounds`: as PostgreSQL formats them, in UTC. */
  partitions: { name: string; parent: string; bounds: string }[];
  sequences: { name: string; last: number }[];
  tables: { name: string; columns: string[] }[];
}

/** Returns the first lines of the script. */
export function headerText(header: BackupHeader): string {
  return `${MAGIC}${JSON.stringify(header)}\nSET timezone = 'UTC';\n`;
}

/** Returns the statement before a table's rows in the script. */
export function copyStatement(table: { name: string; columns: string[] }): string {
  const columns = table.columns.map(quoted).join(', ');
  return `COPY public.${quoted(table.name)} (${columns}) FROM stdin;\n`;
}

/** Quotes an identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns the end mark of a table's rows. */
export function tableEnd(): Buffer {
  return TABLE_END;
}

/** Returns the trailer line for the digest of the preceding bytes. */
export function trailer(sealer: Sealer, digest: string): string {
  return `\n${sealer.seal(digest, PURPOSE)}\n`;
}

/**
 * Verifies the complete file and returns the end of its script. Throws ConfigError for a file that was not written with this
 * installation's master key, or was changed.
 */
export async function verifyFile(file: string, sealer: Sealer): Promise<{ end: number }> {
  const { size } = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${file} cannot be read (${error.code})`);
  });
  const damaged = new ConfigError(`${file} is no complete backup, or was changed: nothing is done`);
  const tail = await lastBytes(file, size);
  const start = tail.lastIndexOf(NEWLINE, tail.length - 2);
  if (start < 0 || tail.at(-1) !== NEWLINE) throw damaged;
  const end = size - tail.length + start;
  let expected: string;
  try {
    expected = sealer.unseal(tail.subarray(start + 1, -1).toString('latin1'), PURPOSE);
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    if (!/not in the ring/.test(error.message)) throw damaged;
    throw new ConfigError(`${file} was ${error.message}: give the key it was made with`);
  }
  if (end === 0) throw damaged;
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file, { end: end - 1 })) hash.update(piece as Buffer);
  if (hash.digest('hex') !== expected) throw damaged;
  return { end };
}

async function lastBytes(file: string, size: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const tail = Buffer.alloc(Math.min(size, TRAILER_MAX));
    await handle.read(tail, 0, tail.length, size - tail.length);
    return tail;
  } finally {
    await handle.close();
  }
}

/** Yields the parts of a verified file in order: the header, then each table and its rows. */
export type BackupPart =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'table'; statement: string }
  | { kind: 'rows'; bytes: Buffer }
  | { kind: 'end' };

/** `end` as verifyFile gave it. */
export async function* readParts(file: string, end: number): AsyncGenerator<BackupPart> {
  const script = createGunzip();
  // The reader of the script receives an error of the file.
  pipeline(createReadStream(file, { end: end - 1 }), script, () => undefined);
  let buffered: Buffer = Buffer.alloc(0);
  let inTable = false;
  let hasHeader = false;
  for await (const piece of script) {
    buffered =
      buffered.length === 0 ? (piece as Buffer) : Buffer.concat([buffered, piece as Buffer]);
    for (;;) {
      if (inTable) {
        const { bytes, isLast, remaining } = takeRows(buffered);
        if (bytes.length > 0) yield { kind: 'rows', bytes };
        buffered = remaining;
        if (!isLast) break;
        yield { kind: 'end' };
        inTable = false;
        continue;
      }
      const line = buffered.indexOf(NEWLINE);
      if (line < 0) break;
      const text = buffered.subarray(0, line).toString('utf8');
      buffered = buffered.subarray(line + 1);
      if (!hasHeader) {
        yield { kind: 'header', header: parseHeader(text) };
        hasHeader = true;
      } else if (text.startsWith('COPY ')) {
        yield { kind: 'table', statement: text.replace(/;$/, '') };
        inTable = true;
      }
    }
  }
  if (inTable || !hasHeader) throw new ConfigError(`${file} ends in the midst of a table`);
}

/** Takes complete lines of rows. The end mark of a table cannot be a row, because COPY doubles backslashes. */
function takeRows(from: Buffer): { bytes: Buffer; isLast: boolean; remaining: Buffer } {
  if (from.subarray(0, TABLE_END.length).equals(TABLE_END)) {
    return { bytes: Buffer.alloc(0), isLast: true, remaining: from.subarray(TABLE_END.length) };
  }
  const end = from.indexOf('\n\\.\n');
  if (end >= 0) {
    return {
      bytes: from.subarray(0, end + 1),
      isLast: true,
      remaining: from.subarray(end + 1 + TABLE_END.length),
    };
  }
  const line = from.lastIndexOf(NEWLINE) + 1;
  return { bytes: from.subarray(0, line), isLast: false, remaining: from.subarray(line) };
}

function parseHeader(line: string): BackupHeader {
  if (!line.startsWith(MAGIC)) throw new ConfigError('not a backup of Gatewarden');
  const header = JSON.parse(line.slice(MAGIC.length)) as BackupHeader;
  if (header.format !== 1) throw new ConfigError(`a backup of format ${header.format}`);
  return header;
}
