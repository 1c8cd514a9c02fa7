// Builders of the binary formats that sources read: archives, RPM headers and their databases.
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { parseRpmHeader } from '../src/discovery/sources/lib/rpm-header.ts';
import { put } from './trees.ts';

/** Returns an archive with a single stored entry. */
export function makeZip(name: string, text: string): Buffer {
  const data = Buffer.from(text);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt32LE(crc32(data), 14);
  head.writeUInt32LE(data.length, 18);
  head.writeUInt32LE(data.length, 22);
  head.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  head.copy(central, 6, 4, 30);
  const local = Buffer.concat([head, Buffer.from(name), data]);
  const directory = Buffer.concat([central, Buffer.from(name)]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, directory, end]);
}

type Field = [tag: number, type: 'text' | 'texts' | 'numbers', value: string | string[] | number[]];

/** An RPM header as its databases keep it. */
export function makeRpmHeader(fields: Field[]): Buffer {
  const index: Buffer[] = [];
  const data: Buffer[] = [];
  let offset = 0;
  for (const [tag, type, value] of fields) {
    const many = Array.isArray(value) ? value : [value];
    const bytes = Buffer.concat(
      many.map((document) => {
        if (typeof document === 'string') return Buffer.from(`${document}\0`);
        const number = Buffer.alloc(4);
        number.writeUInt32BE(document);
        return number;
      }),
    );
    const entry = Buffer.alloc(16);
    entry.writeUInt32BE(tag, 0);
    entry.writeUInt32BE({ text: 6, texts: 8, numbers: 4 }[type], 4);
    entry.writeUInt32BE(offset, 8);
    entry.writeUInt32BE(many.length, 12);
    index.push(entry);
    data.push(bytes);
    offset += bytes.length;
  }
  const head = Buffer.alloc(8);
  head.writeUInt32BE(fields.length, 0);
  head.writeUInt32BE(offset, 4);
  return Buffer.concat([head, ...index, ...data]);
}

export const BASH_RPM = makeRpmHeader([
  [1000, 'text', 'bash'],
  [1001, 'text', '5.2.26'],
  [1002, 'text', '3.fc40'],
  [1003, 'numbers', [1]],
  [1008, 'numbers', [1_700_000_000]],
  [1011, 'text', 'Fedora Project'],
  [1022, 'text', 'x86_64'],
  [1116, 'numbers', [0, 1]],
  [1117, 'texts', ['bash', 'README']],
  [1118, 'texts', ['/usr/bin/', '/usr/share/doc/bash/']],
]);

/** The database of SUSE with these headers. */
export function makeNdb(headers: Buffer[]): Buffer {
  const page = Buffer.alloc(4096);
  page.write('RpmP', 0, 'latin1');
  page.writeUInt32LE(1, 12);
  const blobs: Buffer[] = [];
  let at = page.length;
  headers.forEach((header, i) => {
    const slot = 32 + i * 16;
    page.write('Slot', slot, 'latin1');
    page.writeUInt32LE(i + 1, slot + 4);
    page.writeUInt32LE(at / 16, slot + 8);
    const blob = Buffer.alloc(Math.ceil((16 + header.length) / 16) * 16);
    blob.write('BlbS', 0, 'latin1');
    blob.writeUInt32LE(i + 1, 4);
    blob.writeUInt32LE(header.length, 12);
    header.copy(blob, 16);
    blobs.push(blob);
    at += blob.length;
  });
  return Buffer.concat([page, ...blobs]);
}

/** Fedora's database at this path of the tree. */
export function putRpmSqlite(root: string, path: string, headers: Buffer[]): void {
  put(root, path);
  const db = new Database(join(root, path));
  db.exec(
    `CREATE TABLE Packages (hnum INTEGER PRIMARY KEY AUTOINCREMENT, blob BLOB NOT NULL);
     CREATE TABLE Basenames (key TEXT NOT NULL, hnum INTEGER NOT NULL, idx INTEGER NOT NULL);
     CREATE INDEX Basenames_key_idx ON Basenames (key ASC)`,
  );
  for (const header of headers) {
    const { lastInsertRowid } = db.prepare('INSERT INTO Packages (blob) VALUES (?)').run(header);
    for (const [index, file] of filesIn(header).entries()) {
      const row = [basename(file), lastInsertRowid, index];
      db.prepare('INSERT INTO Basenames (key, hnum, idx) VALUES (?, ?, ?)').run(...row);
    }
  }
  db.close();
}

function filesIn(header: Buffer): string[] {
  try {
    return parseRpmHeader(header).files;
  } catch {
    // A damaged archive has no entry.
    return [];
  }
}
