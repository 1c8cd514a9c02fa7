// Fields of a multipart form (RFC 7578) that name the model of an audio request. Files pass as bytes.

interface Field {
  value: string;
  start: number;
  end: number;
}

/** Returns the text of a field, or undefined. */
export function readFormField(
  bytes: Buffer,
  contentType: string,
  name: string,
): string | undefined {
  return findField(bytes, contentType, name)?.value;
}

/** Returns the form with another text in a field, or the same bytes if the field is missing. */
export function replaceFormField(
  bytes: Buffer,
  contentType: string,
  name: string,
  value: string,
): Buffer {
  const field = findField(bytes, contentType, name);
  if (field === null) return bytes;
  return Buffer.concat([
    bytes.subarray(0, field.start),
    Buffer.from(value),
    bytes.subarray(field.end),
  ]);
}

function findField(bytes: Buffer, contentType: string, name: string): Field | null {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary === undefined) return null;
  const mark = Buffer.from(`--${boundary}`);
  for (let at = bytes.indexOf(mark); at !== -1; ) {
    const next = bytes.indexOf(mark, at + mark.length);
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    if (next === -1 || headEnd === -1) return null;
    const head = bytes.subarray(at, headEnd).toString('latin1');
    const start = headEnd + 4;
    const end = next - 2;
    if (head.includes(`name="${name}"`) && !head.includes('filename=')) {
      return { value: bytes.subarray(start, end).toString('utf8'), start, end };
    }
    at = next;
  }
  return null;
}
