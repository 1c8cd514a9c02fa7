// Security identifiers: binary, as the kernel stores them, and as text such as `S-1-5-18`.

/** The service account of the system. */
export const LOCAL_SYSTEM = 'S-1-5-18';
/** The group of administrators. */
export const ADMINISTRATORS = 'S-1-5-32-544';

/** Returns the text of a binary identifier ([MS-DTYP] 2.4.2.1); null where the bytes are none. */
export function formatSid(bytes: Buffer): string | null {
  const revision = bytes[0];
  const parts = bytes[1] ?? 0;
  if (revision !== 1 || parts > 15 || bytes.length < 8 + parts * 4) return null;
  const authority = bytes.readUIntBE(2, 6);
  const subAuthorities = Array.from({ length: parts }, (_, at) => bytes.readUInt32LE(8 + at * 4));
  return ['S', revision, authority, ...subAuthorities].join('-');
}
