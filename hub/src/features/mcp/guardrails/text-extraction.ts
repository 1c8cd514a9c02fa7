// The text that a file's bytes stand for, in whichever of the usual encodings, and back. Pure.
import { isUtf8 } from 'node:buffer';

const TEXT_TYPE =
  /^(text\/|application\/(json|xml|javascript|yaml|x-yaml|csv|x-www-form-urlencoded)|[^;]*\+(json|xml))/i;
/** So much of what calls itself no text tells whether it is. */
const HEAD_BYTES = 12_288;
/** The same as base64. */
const HEAD_LETTERS = 16_384;
/** One byte in so many is null in UTF-16, and on the other side of each pair one in so many of these. */
const NULLS_IN = 16;

export interface DecodedText {
  text: string;
  /** Another text in the same encoding. */
  encode(text: string): Buffer;
}

/** As its type says or its bytes show; null where it is no text. */
export function decodeText(bytes: Buffer, mimeType: unknown): DecodedText | null {
  const isNamed = typeof mimeType === 'string' && TEXT_TYPE.test(mimeType);
  const head = bytes.subarray(0, HEAD_BYTES);
  const wide = utf16ByteOrder(head);
  if (wide !== null) return wide === 'little' ? decodeUtf16Le(bytes) : decodeUtf16Be(bytes);
  if (!isNamed && hasControlBytes(head)) return null;
  // Of the older encodings of one byte, what is searched for stands in their common half.
  return decodeAs(bytes, isUtf8(bytes) ? 'utf8' : 'latin1');
}

/** Whether so much of a file's beginning, as base64, shows that it is no text, so that the rest need not be read. */
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

/** The order of the bytes of UTF-16: by its mark, or because one side has nulls, as digits and signs do in any script. */
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

/** Bytes that stand in no text: all below the blank but tab, line ends, page ends and escapes. */
const hasControlBytes = (head: Buffer) =>
  head.some((byte) => (byte < 32 && !(byte >= 9 && byte <= 13) && byte !== 27) || byte === 127);
