// What only a machine reads: letters that nobody sees, full-width ones, and base64. Both take time linear in the text.
import { regExpOf } from './patterns.ts';

/** Letters that nobody sees, and full-width letters and digits: other full-width signs are what CJK texts are written with. */
export const HIDES =
  /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/;

const isUnseen = (unit: number) =>
  unit === 0xad ||
  (unit >= 0x200b && unit <= 0x200f) ||
  (unit >= 0x2060 && unit <= 0x2064) ||
  unit === 0xfeff;
const isFullWidth = (unit: number) => unit >= 0xff01 && unit <= 0xff5e;
/** ASCII letters, digits, `-` and `_`: between them no language needs a letter that nobody sees. */
const isOfName = (unit: number) =>
  (unit >= 0x61 && unit <= 0x7a) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x30 && unit <= 0x39) ||
  unit === 0x2d ||
  unit === 0x5f;

/** The text as it reads: full-width signs as plain ones, and nothing unseen inside a name. */
export function readable(text: string): string {
  const bytes = Buffer.from(text, 'utf16le');
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
  let length = 0;
  // Where the unseen letters began that were written last, if they stand behind a letter of a name.
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
  // What is plain is searched in half the time where it is also kept so.
  if (bits < 0x100) return Buffer.from(units.subarray(0, length)).toString('latin1');
  return bytes.toString('utf16le', 0, length * 2);
}

/**
 * How the base64 of a credential begins: of a JSON object or a list of them, of our own keys and of the best known vendors'.
 * Base64 is mostly pictures, and whatever else there is of it stays closed.
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
  // A header, and addresses with a login.
  ...['QXV0aG9y', 'YXV0aG9y', 'cG9zdGdyZ', 'bW9uZ29kY', 'bXlzcWw6', 'cmVkaXM6', 'YW1xcDov'],
  ...['QVdTX', 'U0VDUkV', 'VE9LRU4', 'UEFTU1dP'],
  // Scripts, and settings as files have them: `#!/`, `#cloud-config`, `export `, `DB_`, `API_`, `POSTGRES`, `password`, `database:`.
  ...['IyEv', 'I2Nsb3Vk', 'ZXhwb3J0I', 'REJf', 'QVBJX', 'UE9TVEdSRV', 'cGFzc3dvcm', 'ZGF0YWJhc2U6'],
];

const RUN = regExpOf(
  `(?<![A-Za-z0-9+/_-])(?:${ENCODED_STARTS.join('|')})[A-Za-z0-9+/_-]{20,4096}(?![A-Za-z0-9+/_-])={0,2}`,
  'g',
);

/** Runs of base64 in a text, and what they hold: opened one after the other, `opens` is where each begins. */
interface EncodedRuns {
  starts: number[];
  ends: number[];
  opened: string;
  opens: number[];
}

/** Null where there are none. */
export function encodedRuns(text: string): EncodedRuns | null {
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
