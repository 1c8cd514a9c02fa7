// Reads an entry of an archive without unpacking the rest: bounded, and never more than its declared size.
import { closeSync, constants, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { loadZip } from './format-libraries.ts';

const MAX_ENTRIES = 100_000;

/** The entry's text; null where the archive has none of that name. Throws where it cannot be read. */
export async function readZipEntry(
  path: string,
  name: string,
  maxBytes: number,
): Promise<string | null> {
  const { fromFd } = await loadZip();
  const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const open = promisify<number, { lazyEntries: true; autoClose: false }, import('yauzl').ZipFile>(
    fromFd,
  );
  try {
    const zip = await open(handle, { lazyEntries: true, autoClose: false });
    const entry = await findEntry(zip, name);
    if (entry === null) return null;
    if (entry.uncompressedSize > maxBytes) throw new Error('the entry is too large');
    const stream = await promisify(zip.openReadStream.bind(zip) as typeof zip.openReadStream)(
      entry,
    );
    const chunks: Buffer[] = [];
    let length = 0;
    // The library ends an entry that grows beyond its declared size.
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw new Error('the entry is too large');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    closeSync(handle);
  }
}

function findEntry(
  zip: import('yauzl').ZipFile,
  name: string,
): Promise<import('yauzl').Entry | null> {
  return new Promise((resolve, reject) => {
    let seen = 0;
    zip.on('entry', (entry: import('yauzl').Entry) => {
      if (entry.fileName === name) resolve(entry);
      else if (++seen > MAX_ENTRIES) reject(new Error('too many entries'));
      else zip.readEntry();
    });
    zip.once('end', () => resolve(null));
    zip.once('error', reject);
    zip.readEntry();
  });
}
