// The text that a file's bytes stand for, in whichever of the usual encodings, and back. Pure.

const TEXT_TYPE =
  /^(text\/|application\/(json|xml|javascript|yaml|x-yaml|csv|x-www-form-urlencoded)|[^;]*\+(json|xml))/i;
/** So much of what calls itself no text tells whether it is. */
const HEAD_BYTES = 12_288;

export interface TextFile {
  text: string;
  /** Another text in the same encoding. */
  bytesOf(text: string): Buffer;
}

/** As its type says or its bytes show; null where it is no text. */
export function textIn(bytes: Buffer, mimeType: unknown): TextFile | null {
  const isNamed = typeof mimeType === 'string' && TEXT_TYPE.test(mimeType);
  const head = bytes.subarray(0, HEAD_BYTES);
  const wide = wideOrder(head);
  if (wide !== null) return wide === 'little' ? asLittle(bytes) : asBig(bytes);
  const isUtf8 = decodes(head);
  if (isUtf8 && (isNamed || !head.includes(0))) return as(bytes, 'utf8');
  // Of the older encodings of one byte, what is searched for stands in their common half.
  return isNamed || !hasControls(head) ? as(bytes, 'latin1') : null;
}

function as(bytes: Buffer, encoding: 'utf8' | 'utf16le' | 'latin1'): TextFile {
  return { text: bytes.toString(encoding), bytesOf: (text) => Buffer.from(text, encoding) };
}
const asLittle = (bytes: Buffer) => as(bytes, 'utf16le');
function asBig(bytes: Buffer): TextFile {
  const even = Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
  return {
    text: even.toString('utf16le'),
    bytesOf: (text) => Buffer.from(text, 'utf16le').swap16(),
  };
}

/** The order of the bytes of UTF-16: by its mark, or because nearly every other byte is null, as in Latin texts. */
function wideOrder(head: Buffer): 'little' | 'big' | null {
  if (head.length < 4) return null;
  if (head[0] === 0xff && head[1] === 0xfe) return 'little';
  if (head[0] === 0xfe && head[1] === 0xff) return 'big';
  const nulls = [0, 0];
  head.forEach((byte, i) => {
    if (byte === 0) nulls[i % 2] = (nulls[i % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = nulls;
  const most = head.length / 4;
  if (even === 0 && odd > most) return 'little';
  return odd === 0 && even > most ? 'big' : null;
}

function decodes(head: Buffer): boolean {
  try {
    // A letter may be cut in two at the end.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Bytes that stand in no text: all below the blank but tab, line ends, page ends and escapes. */
const hasControls = (head: Buffer) =>
  head.some((byte) => (byte < 32 && !(byte >= 9 && byte <= 13) && byte !== 27) || byte === 127);
