// Decodes text that only machines read: invisible characters, full-width characters, and base64. Both scans are linear.
import { compilePattern } from './regular-expressions.ts';

/** Invisible characters, and full-width letters and digits. Other full-width characters are ordinary in CJK texts. */
export const HIDDEN_CHARACTER =
  /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/;

const isUnseen = (unit: number) =>
  unit === 0xad ||
  (unit >= 0x200b && unit <= 0x200f) ||
  (unit >= 0x2060 && unit <= 0x2064) ||
  unit === 0xfeff;
const isFullWidth = (unit: number) => unit >= 0xff01 && unit <= 0xff5e;
/** ASCII letters, digits, `-` and `_`: no language needs an invisible character between them. */
const isOfName = (unit: number) =>
  (unit >= 0x61 && unit <= 0x7a) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x30 && unit <= 0x39) ||
  unit === 0x2d ||
  unit === 0x5f;

/**
 * Returns the text as people read it: full-width characters as plain characters, and no invisible characters inside
 * names.
 */
export function normalizeHiddenText(text: string): string {
  const bytes = Buffer.from(text, 'utf16le');
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
  let length = 0;
  // The start of the last invisible run, if it follows a character of a name.
  let unseen = -1;
  let bits = 0;
  for (const unit of units) {
    const shown = isFullWidth(unit) ? unit - 0xfee0 : unit;
    if (isUnseen(shown)) {
      if (unseen === -1 && length > 0 && isOfName(units[length - 1] as number)) unseen = length;
    } else {
      if (unseen !== -1 && isOfName(shown)) length = unseen;
      unseen = -1;
    }
    units[length++] = shown;
    bits |= shown;
  }
  // A Latin-1 string is searched in half the time.
  if (bits < 0x100) return Buffer.from(units.subarray(0, length)).toString('latin1');
  return bytes.toString('utf16le', 0, length * 2);
}

/**
 * The base64 beginnings of credentials: JSON objects and lists, our own keys, and keys of common vendors. Most other
 * base64 is images and is not decoded.
 */
export const ENCODED_STARTS: readonly string[] = [
  ...['eyJ', 'eyAi', 'eyd', 'ewog', 'ewoJ', 'ewoi', 'ew0K', 'W3si', 'Z3d[a-z0-9]', 'Z2h[vw1yz]'],
  ...[
    'Z2l0aHVi',
    'Z2xw',
    'c2st',
    'c2tf',
    'QUtJQ',
    'QVNJQ',
    'QUl6Y',
    'eG94',
    'LS0tLS1C',
    'QmVhcmVy',
  ],
  // Headers, and URLs with a login.
  ...['QXV0aG9y', 'YXV0aG9y', 'cG9zdGdyZ', 'bW9uZ29kY', 'bXlzcWw6', 'cmVkaXM6', 'YW1xcDov'],
  ...['QVdTX', 'U0VDUkV', 'VE9LRU4', 'UEFTU1dP'],
  // Scripts and configuration files: `#!/`, `#cloud-config`, `export `, `DB_`, `API_`, `POSTGRES`, `password`,
  // `database:`.
  ...['IyEv', 'I2Nsb3Vk', 'ZXhwb3J0I', 'REJf', 'QVBJX', 'UE9TVEdSRV', 'cGFzc3dvcm', 'ZGF0YWJhc2U6'],
];

const RUN = compilePattern(
  `(?<![A-Za-z0-9+/_-])(?:${ENCODED_STARTS.join('|')})[A-Za-z0-9+/_-]{20,4096}(?![A-Za-z0-9+/_-])={0,2}`,
  'g',
);

/** Base64 runs of a text with their concatenated decoded contents; `opens` has the start of each run in `opened`. */
interface EncodedRuns {
  starts: number[];
  ends: number[];
  opened: string;
  opens: number[];
}

/** Returns the base64 runs of a text, or null without any. */
export function decodeBase64Runs(text: string): EncodedRuns | null {
  const runs: EncodedRuns = { starts: [], ends: [], opened: '', opens: [] };
  RUN.lastIndex = 0;
  for (let found = RUN.exec(text); found !== null; found = RUN.exec(text)) {
    runs.starts.push(found.index);
    runs.ends.push(RUN.lastIndex);
    runs.opens.push(runs.opened.length);
    runs.opened += `${Buffer.from(found[0], 'base64').toString('latin1')}\n\n`;
  }
  return runs.starts.length === 0 ? null : runs;
}
