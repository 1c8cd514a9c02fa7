// The header of an installed RPM package, as every form of its database keeps it: an index of tags, then their data.

export interface RpmPackage {
  name: string;
  version: string;
  architecture: string | null;
  vendor: string | null;
  installedAt: string | null;
  /** All files of the package. */
  files: string[];
}

const TAG = {
  name: 1000,
  version: 1001,
  release: 1002,
  epoch: 1003,
  installTime: 1008,
  vendor: 1011,
  architecture: 1022,
  folderIndexes: 1116,
  baseNames: 1117,
  folders: 1118,
} as const;
const TYPE = { int32: 4, string: 6, strings: 8, text: 9 } as const;
const ENTRY_BYTES = 16;
const MAX_ENTRIES = 65_536;
const MAX_ITEMS = 500_000;

/** Reads a header; throws where it is damaged, never reads beyond it. */
export function parseRpmHeader(blob: Buffer): RpmPackage {
  const entries = blob.readUInt32BE(0);
  const start = 8 + entries * ENTRY_BYTES;
  if (entries > MAX_ENTRIES || start > blob.length) throw new RangeError('not a package header');
  const found = new Map<number, { type: number; offset: number; count: number }>();
  for (let at = 8; at < start; at += ENTRY_BYTES) {
    found.set(blob.readUInt32BE(at), {
      type: blob.readUInt32BE(at + 4),
      offset: start + blob.readUInt32BE(at + 8),
      count: Math.min(blob.readUInt32BE(at + 12), MAX_ITEMS),
    });
  }
  const texts = (tag: number): string[] => {
    const entry = found.get(tag);
    if (entry === undefined) return [];
    const single = entry.type === TYPE.string || entry.type === TYPE.text;
    if (!single && entry.type !== TYPE.strings) return [];
    return readTexts(blob, entry.offset, single ? 1 : entry.count);
  };
  const numbers = (tag: number): number[] => {
    const entry = found.get(tag);
    if (entry?.type !== TYPE.int32) return [];
    if (entry.offset + entry.count * 4 > blob.length) throw new RangeError('cut off');
    return Array.from({ length: entry.count }, (_, i) => blob.readUInt32BE(entry.offset + i * 4));
  };
  const [name] = texts(TAG.name);
  const [version] = texts(TAG.version);
  if (!name || !version) throw new RangeError('a package without a name or version');
  const [release] = texts(TAG.release);
  const [epoch] = numbers(TAG.epoch);
  const [installTime] = numbers(TAG.installTime);
  const folders = texts(TAG.folders);
  const indexes = numbers(TAG.folderIndexes);
  return {
    name,
    version: `${epoch ? `${epoch}:` : ''}${version}${release ? `-${release}` : ''}`,
    architecture: texts(TAG.architecture)[0] ?? null,
    vendor: texts(TAG.vendor)[0] || null,
    installedAt: installTime ? new Date(installTime * 1000).toISOString() : null,
    files: texts(TAG.baseNames).map((base, i) => `${folders[indexes[i] ?? -1] ?? ''}${base}`),
  };
}

function readTexts(blob: Buffer, offset: number, count: number): string[] {
  const texts: string[] = [];
  for (let at = offset; texts.length < count; ) {
    const end = blob.indexOf(0, at);
    if (at >= blob.length || end < 0) throw new RangeError('cut off');
    texts.push(blob.toString('utf8', at, end));
    at = end + 1;
  }
  return texts;
}
