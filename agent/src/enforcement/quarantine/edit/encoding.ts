// How a configuration's bytes are text, and the text its bytes again: UTF-8, or UTF-16 with its byte-order mark.

export interface EncodedText {
  /** Decoded text of a file, with its byte-order mark where it has any. */
  text: string;
  encode(text: string): Buffer;
}

const ENCODINGS: readonly {
  marks: (bytes: Buffer) => boolean;
  decode: (bytes: Buffer) => string;
  encode: (text: string) => Buffer;
}[] = [
  {
    marks: (bytes) => bytes[0] === 0xff && bytes[1] === 0xfe,
    decode: (bytes) => bytes.toString('utf16le'),
    encode: (text) => Buffer.from(text, 'utf16le'),
  },
  {
    marks: (bytes) => bytes[0] === 0xfe && bytes[1] === 0xff && bytes.length % 2 === 0,
    decode: (bytes) => Buffer.from(bytes).swap16().toString('utf16le'),
    encode: (text) => Buffer.from(text, 'utf16le').swap16(),
  },
  {
    marks: () => true,
    decode: (bytes) => bytes.toString('utf8'),
    encode: (text) => Buffer.from(text, 'utf8'),
  },
];

/** Null where not every byte would come back as it was. */
export function readEncoded(bytes: Buffer): EncodedText | null {
  const found = ENCODINGS.find((encoding) => encoding.marks(bytes));
  if (found === undefined) return null;
  const text = found.decode(bytes);
  const isWhole = text.isWellFormed() && found.encode(text).equals(bytes);
  return isWhole ? { text, encode: found.encode } : null;
}
