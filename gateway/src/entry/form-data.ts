// Fields of a multipart form (RFC 7578) that name the model of an audio request. Files pass as bytes.

interface Field {
  value: string;
  start: number;
  end: number;
  isFile: boolean;
}

/** The parameter `name` of a Content-Disposition (RFC 7578 §4.2), also unquoted; not that of `filename`. */
const FIELD_NAME = /;\s*name\s*=\s*(?:"([^"]*)"|([^;\s]+))/i;

/** Returns the text of a field, or undefined. */
export function readFormField(
  bytes: Buffer,
  contentType: string,
  name: string,
): string | undefined {
  return findField(bytes, contentType, name)?.value;
}

/** Returns the number of fields and files with a name. */
export function countFormFields(bytes: Buffer, contentType: string, name: string): number {
  return findFields(bytes, contentType, name).length;
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
  return findFields(bytes, contentType, name).find(({ isFile }) => !isFile) ?? null;
}

function findFields(bytes: Buffer, contentType: string, name: string): Field[] {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary === undefined) return [];
  const fields: Field[] = [];
  const mark = Buffer.from(`--${boundary}`);
  for (let at = bytes.indexOf(mark); at !== -1; ) {
    const next = bytes.indexOf(mark, at + mark.length);
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    if (next === -1 || headEnd === -1) break;
    const head = bytes.subarray(at, headEnd).toString('latin1');
    const [, quoted, plain] = FIELD_NAME.exec(head) ?? [];
    if ((quoted ?? plain) === name) {
      const [start, end] = [headEnd + 4, next - 2];
      const value = bytes.subarray(start, end).toString('utf8');
      fields.push({ value, start, end, isFile: /;\s*filename\*?\s*=/i.test(head) });
    }
    at = next;
  }
  return fields;
}
