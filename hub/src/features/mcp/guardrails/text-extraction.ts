// Decodes the text of a file's bytes in the usual encodings, and encodes it again. Pure.
import { isUtf8 } from 'node:buffer';

const TEXT_TYPE =
  /^(text\/|application\/(json|xml|javascript|yaml|x-yaml|csv|x-www-form-urlencoded)|[^;]*\+(json|xml))/i;
/** Bytes that are inspected to detect text in a file of another type. */
const HEAD_BYTES = 12_288;
/** The same length in base64. */
const HEAD_LETTERS = 16_384;
/** Minimum share of null bytes in UTF-16, and maximum ratio of nulls on the other side of each pair. */
const NULLS_IN = 16;

export interface DecodedText {
  text: string;
  /** Encodes another text in the same encoding. */
  encode(text: string): Buffer;
}

/** Decodes a text file by its type or its bytes; null: no text. */
export function decodeText(bytes: Buffer, mimeType: unknown): DecodedText | null {
  const isNamed = typeof mimeType === 'string' && TEXT_TYPE.test(mimeType);
  const head = bytes.subarray(0, HEAD_BYTES);
  const wide = utf16ByteOrder(head);
  if (wide !== null) return wide === 'little' ? decodeUtf16Le(bytes) : decodeUtf16Be(bytes);
  if (!isNamed && hasControlBytes(head)) return null;
  // Single-byte encodings share the ASCII half, which contains everything that detectors match.
  return decodeAs(bytes, isUtf8(bytes) ? 'utf8' : 'latin1');
}

/** Returns whether the beginning of a base64 file proves that it is binary. */
export function isBinary(base64: string, mimeType: unknown): boolean {
  return decodeText(Buffer.from(base64.slice(0, HEAD_LETTERS), 'base64'), mimeType) === null;
}

function decodeAs(bytes: Buffer, encoding: 'utf8' | 'utf16le' | 'latin1'): DecodedText {
  return { text: bytes.toString(encoding), encode: (text) => Buffer.from(text, encoding) };
}
function decodeUtf16Le(bytes: Buffer): DecodedText {
  const { even, odd } = splitEven(bytes);
  return {
    text: even.toString('utf16le'),
    encode: (text) => Buffer.concat([Buffer.from(text, 'utf16le'), odd]),
  };
}
function decodeUtf16Be(bytes: Buffer): DecodedText {
  const { even, odd } = splitEven(bytes);
  return {
    text: Buffer.from(even).swap16().toString('utf16le'),
    encode: (text) => Buffer.concat([Buffer.from(text, 'utf16le').swap16(), odd]),
  };
}
const splitEven = (bytes: Buffer) => ({
  even: bytes.subarray(0, bytes.length & ~1),
  odd: bytes.subarray(bytes.length & ~1),
});

/** Returns the byte order of UTF-16: by its mark, or by null bytes on a single side, as of digits and punctuation. */
function utf16ByteOrder(head: Buffer): 'little' | 'big' | null {
  if (head.length < 4) return null;
  if (head[0] === 0xff && head[1] === 0xfe) return 'little';
  if (head[0] === 0xfe && head[1] === 0xff) return 'big';
  const nulls = [0, 0];
  head.forEach((byte, i) => {
    if (byte === 0) nulls[i % 2] = (nulls[i % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = nulls;
  const [few, many] = even < odd ? [even, odd] : [odd, even];
  if (many < head.length / NULLS_IN || few > many / NULLS_IN) return null;
  return even < odd ? 'little' : 'big';
}

/** Returns whether there are control characters other than tab, line ends, form feed and escape. */
const hasControlBytes = (head: Buffer) =>
  head.some((byte) => (byte < 32 && !(byte >= 9 && byte <= 13) && byte !== 27) || byte === 127);
