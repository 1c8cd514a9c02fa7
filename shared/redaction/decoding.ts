// Reads text as people do: without invisible characters, and with full-width characters as plain characters.

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
