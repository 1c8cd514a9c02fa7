// The body of a request: the bytes as the client sent them, and JSON that steps may change. Bytes pass unchanged as long
// as nothing was changed. Numbers beyond a double keep their digits.
// Invariant: the steps and the provider read the same values, so that a body with duplicate members is refused.
import type { IncomingMessage } from 'node:http';
import { parseWithNumbers } from '@gatewarden/shared/json-keys.ts';
import { scanJsonStructure } from '@gatewarden/shared/json-structure.ts';
import type { TextPart } from '../policy/index.ts';
import { countFormFields, readFormField, replaceFormField } from './form-data.ts';
import { Refusal } from './refusal.ts';

export const BODY_BYTES_MAX = 32 * 2 ** 20;
const READ_TIMEOUT_MS = 60_000;
/** Guardrails inspect texts down to this depth (texts.ts). */
export const NESTING_MAX = 200;

export type JsonObject = Record<string, unknown>;

/** Reads a body to its end. Throws a Refusal with 413 above the maximum and 408 after a minute. */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => request.destroy(), READ_TIMEOUT_MS);
  try {
    // The request stays open after an error: a client reads the refusal when its body is sent.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > BODY_BYTES_MAX) {
        const most = BODY_BYTES_MAX / 2 ** 20;
        throw new Refusal(413, 'body_too_large', `The body exceeds ${most} MiB. Send less.`);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(408, 'body_incomplete', 'The body did not arrive completely in time.');
  } finally {
    clearTimeout(timer);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
}

export class RequestBody {
  readonly contentType: string;
  #bytes: Buffer;
  #json: JsonObject | null;
  #isChanged = false;

  /** Parses the bytes by their content type. Throws a Refusal with 400 for a body that is no JSON object. */
  constructor(bytes: Buffer, contentType: string) {
    this.#bytes = bytes;
    this.contentType = contentType;
    const isForm = contentType.startsWith('multipart/form-data');
    if (isForm && countFormFields(bytes, contentType, 'model') > 1) throw refuseDuplicate('model');
    this.#json = isForm || bytes.length === 0 ? null : parseObject(bytes, contentType);
  }

  get json(): JsonObject | null {
    return this.#json;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Returns a member of the JSON, or a field of a form. */
  read(name: string): unknown {
    return this.#json === null
      ? readFormField(this.#bytes, this.contentType, name)
      : this.#json[name];
  }

  /** Replaces texts at their paths. */
  replaceTexts(parts: readonly Pick<TextPart, 'path' | 'text'>[]): void {
    if (parts.length === 0 || this.#json === null) return;
    for (const { path, text } of parts) setAt(this.#json, path, text);
    this.#isChanged = true;
  }

  /** Replaces the whole JSON, after a step built another. */
  replaceJson(json: JsonObject): void {
    this.#json = json;
    this.#isChanged = true;
  }

  /** Returns the bytes for a provider: unchanged, or with other members. An undefined member is removed. */
  encode(members: JsonObject): Buffer {
    const changed = Object.entries(members).filter(([name, value]) => this.read(name) !== value);
    if (this.#json === null) {
      return changed.reduce(
        (bytes, [name, value]) => replaceFormField(bytes, this.contentType, name, String(value)),
        this.#bytes,
      );
    }
    if (changed.length === 0 && !this.#isChanged) return this.#bytes;
    return Buffer.from(JSON.stringify({ ...this.#json, ...Object.fromEntries(changed) }));
  }
}

function parseObject(bytes: Buffer, contentType: string): JsonObject {
  // The SDK of AWS names invocations octet streams, and curl without a header names everything a form.
  const isJson =
    /[/+]json\b|octet-stream|x-www-form-urlencoded/.test(contentType) || contentType === '';
  if (!isJson) {
    throw new Refusal(400, 'content_type', 'Send the body as application/json.');
  }
  const text = bytes.toString('utf8');
  const structure = scanJsonStructure(text, NESTING_MAX);
  if (structure.isTooDeep) {
    const most = `The body is nested deeper than ${NESTING_MAX} levels.`;
    throw new Refusal(400, 'nested_too_deeply', most);
  }
  let value: unknown;
  try {
    value = parseWithNumbers(text);
  } catch {
    throw new Refusal(400, 'invalid_json', 'The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(400, 'invalid_json', 'The body must be a JSON object.');
  }
  if (structure.duplicate !== null) throw refuseDuplicate(String(structure.duplicate.at(-1)));
  return value as JsonObject;
}

function refuseDuplicate(name: string): Refusal {
  const shown = name.slice(0, 100);
  return new Refusal(400, 'duplicate_member', `The body has the member "${shown}" twice.`);
}

/** Sets the value at a path that exists. */
export function setAt(root: unknown, path: readonly (string | number)[], value: unknown): void {
  const parent = path.slice(0, -1).reduce((node, name) => (node as JsonObject)[name], root);
  (parent as JsonObject)[path.at(-1) as string] = value;
}
