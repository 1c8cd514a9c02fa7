// RPM's databases, and the pages of SUSE's format: for the inventory and for owners of programs.

/** The first that is there counts: distributions that moved it leave links at the old place. */
export const RPM_FOLDERS = ['/usr/lib/sysimage/rpm', '/var/lib/rpm', '/usr/share/rpm'];
/** The database contains signing keys as if they were packages. */
export const NO_PACKAGE = 'gpg-pubkey';

const SLOT_BYTES = 16;
const BLOCK_BYTES = 16;
const PAGE_BYTES = 4096;
export const NDB_BLOB_HEAD = 16;
const NDB_MAGIC = 'RpmP';
const SLOT_MAGIC = 'Slot';
const BLOB_MAGIC = 'BlbS';

/** How many bytes of slots the database of SUSE begins with; throws where it is none. `head`: its first bytes. */
export function ndbSlotBytes(head: Buffer): number {
  if (head.toString('latin1', 0, 4) !== NDB_MAGIC) throw new Error('not a package database');
  return head.readUInt32LE(12) * PAGE_BYTES;
}

/** Offset of each header that a slot refers to. */
export function* ndbBlocks(slots: Buffer): Generator<number> {
  const end = Math.min(ndbSlotBytes(slots), slots.length - SLOT_BYTES);
  // The head takes the place of two slots.
  for (let at = 2 * SLOT_BYTES; at <= end; at += SLOT_BYTES) {
    if (slots.toString('latin1', at, at + 4) !== SLOT_MAGIC) continue;
    const block = slots.readUInt32LE(at + 8) * BLOCK_BYTES;
    if (slots.readUInt32LE(at + 4) !== 0 && block !== 0) yield block;
  }
}

/** Returns the length of the header that begins with this block; throws where none does. */
export function ndbBlobLength(head: Buffer): number {
  if (head.toString('latin1', 0, 4) !== BLOB_MAGIC) throw new Error('damaged');
  return head.readUInt32LE(12);
}

/** All headers of the database of SUSE. */
export function readNdb(bytes: Buffer): Buffer[] {
  return [...ndbBlocks(bytes)].map((block) => {
    const begin = block + NDB_BLOB_HEAD;
    const end = begin + ndbBlobLength(bytes.subarray(block, begin));
    if (end > bytes.length) throw new Error('cut off');
    return bytes.subarray(begin, end);
  });
}
