// Random calls of the operations that an OpenAPI document names: mostly as documented, with ids from earlier answers, and
// with something hostile somewhere.
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { seededRandom } from '@gatewarden/agent/test/random.ts';
import fc from 'fast-check';
import type { Schema } from './arbitrary-bodies.ts';
import { HOSTILE, HOSTILE_TEXTS } from './hostile.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

interface Operation {
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export interface DocumentCall {
  /** The method and path, as the document names them. */
  operation: string;
  method: string;
  path: string;
  /** A random scheme out of those that the document lists; null if it lists none. */
  security: string | null;
  headers: Record<string, string>;
  body: Uint8Array | null;
  /** The value of the body before it was compressed or broken. */
  meant: unknown;
  /** The media types of each status that the document lists. */
  documented: ReadonlyMap<string, readonly string[]>;
}

export interface Caller {
  next(): DocumentCall;
  /** Adds the ids in an answer to those that later calls may use; `path` is the path of the call. */
  learn(answer: unknown, path: string): void;
}

/** Maximum number of stored values per name. */
const KEPT = 40;
const MAX_DEPTH = 8;

/** Probabilities that a part of a call departs from the document; each call picks one of them at random. */
const HOSTILITIES = [0, 0, 0.02, 0.1];

/** Streams do not end. Sample data sends the calls of devices, and its removal empties the tenant in the middle of a run. */
export const NOT_CALLED = /\/(?:events|sample-data)$/;

/** The same calls for the same seed, as far as the answers are the same. */
export function createCaller(
  document: ApiDocument,
  seed: number,
  tenantId: string,
  hostilities: readonly number[] = HOSTILITIES,
): Caller {
  const random = seededRandom(seed);
  const chance = (share: number) => random() < share;
  const below = (end: number) => Math.floor(random() * end);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const known = new Map<string, (string | number)[]>();
  const patterns = new Map<string, readonly string[]>();
  /** Probability for the present call that a part departs from the document. */
  let hostility = 0;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    NOT_CALLED.test(path)
      ? []
      : Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

  const keep = (name: string, value: string | number): void => {
    const values = known.get(name) ?? [];
    known.set(name, values);
    if (values.length < KEPT) values.push(value);
    else values[below(KEPT)] = value;
  };

  /** `id` of a backend is a `backend_id`, wherever it is named. */
  const learn = (answer: unknown, name: string, of: string): void => {
    if (typeof answer === 'string' || typeof answer === 'number') {
      keep(name, answer);
      if (['id', 'name', 'label'].includes(name)) keep(`${of}_${name}`, answer);
    } else if (typeof answer === 'object' && answer !== null) {
      const isThing = !Array.isArray(answer) && !['', 'items', 'data'].includes(name);
      const inner = isThing ? name.replace(/s$/, '') : of;
      for (const [member, value] of Object.entries(answer)) {
        learn(value, Array.isArray(answer) ? name : member, inner);
      }
    }
  };

  const remembered = (name: string): string | number | undefined => {
    const values = known.get(name);
    return values === undefined ? undefined : pick(values);
  };

  const textLike = (pattern: string): string => {
    const samples =
      patterns.get(pattern) ??
      fc.sample(fc.stringMatching(new RegExp(pattern)), { seed, numRuns: 50 });
    patterns.set(pattern, samples);
    return pick(samples);
  };

  const text = (schema: Schema, name: string): string => {
    const isReference = /_(id|label|email)s?$/.test(name);
    const found = isReference ? remembered(name.replace(/s$/, '')) : undefined;
    if (found !== undefined && chance(0.8)) return String(found);
    if (schema.pattern?.includes('[0-9a-fA-F]{8}(-') === true && chance(0.9)) return randomUUID();
    if (/_at$|time$|^(from|to)$/.test(name) && chance(0.9)) {
      return new Date(Date.now() + (random() - 0.6) * 10 * 86_400_000).toISOString();
    }
    if (schema.pattern !== undefined) return textLike(schema.pattern);
    const length = Math.max(schema.minLength ?? 0, below(12));
    return Array.from({ length }, () => pick([...'abcXYZ019 -_./:@é😀'])).join('');
  };

  const valueFor = (asked: Schema, name: string, depth = 0): unknown => {
    if (chance(hostility)) return pick(HOSTILE);
    const schema = resolved(document, asked);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return pick(schema.enum);
    if (schema.anyOf !== undefined) return valueFor(pick(schema.anyOf), name, depth);
    switch (schema.type) {
      case 'null':
        return null;
      case 'boolean':
        return chance(0.5);
      case 'integer':
        return Math.round(within(schema, random()));
      case 'number':
        return within(schema, random());
      case 'string':
        return text(schema, name);
      case 'array': {
        const length = Math.max(schema.minItems ?? 0, below(4));
        return Array.from({ length }, () => valueFor(schema.items ?? {}, name, depth + 1));
      }
      case 'object':
        return objectOf(schema, depth);
      default:
        return pick<unknown>(['a', 1, null, { a: [1] }]);
    }
  };

  const objectOf = (schema: Schema, depth: number): Record<string, unknown> => {
    const required = new Set(schema.required);
    const share = depth > MAX_DEPTH ? 0 : pick([0.1, 0.4, 0.9]);
    const members = Object.entries(schema.properties ?? {}).filter(([name]) =>
      chance(required.has(name) ? 1 - hostility : share),
    );
    const fields = members.map(([name, inner]) => [name, valueFor(inner, name, depth + 1)]);
    const { additionalProperties: more } = schema;
    if (typeof more === 'object' || more === true) {
      for (let i = below(3); i > 0; i--) {
        const name = valueFor(schema.propertyNames ?? { type: 'string', minLength: 1 }, 'key');
        fields.push([String(name), valueFor(more === true ? {} : more, '', depth + 1)]);
      }
    }
    if (chance(hostility))
      fields.push([pick(['no such', '__proto__', 'constructor']), pick(HOSTILE)]);
    return Object.fromEntries(fields) as Record<string, unknown>;
  };

  /** Returns JSON that no serializer writes: cut, changed in a letter, a name twice, or very deep. */
  const broken = (json: string): string => {
    const at = below(json.length + 1);
    return pick([
      json.slice(0, at),
      json.slice(0, at) + pick(HOSTILE_TEXTS) + json.slice(at),
      json.replace(/^\{(\s*"[^"]*":)/, '{$1 1,$1'),
      '['.repeat(100_000),
      `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`,
      json.replace(/\d+/, `1${'0'.repeat(pick([20, 400, 100_000]))}`),
    ]);
  };

  const inUrl = (value: unknown): string => {
    const plain = typeof value === 'string' ? value : JSON.stringify(value);
    // Some go as they are, bad escapes among them.
    if (/^[%\w.'*-]+$/.test(plain) && chance(0.5)) return plain;
    return encodeURIComponent(plain.toWellFormed());
  };

  const parameterOf = ({ name, schema }: Parameter): unknown => {
    if (name === 'tenant_id') return chance(0.98) ? tenantId : pick([randomUUID(), 'x']);
    // A long poll would only wait here.
    if (name === 'wait') return pick(['0', '1', '-1', 'x']);
    if (chance(hostility)) return pick(HOSTILE);
    const found = chance(0.95) ? remembered(name) : undefined;
    return found ?? valueFor(schema, name);
  };

  return {
    learn: (answer, path) => learn(answer, '', kindOf(path)),
    next() {
      hostility = pick(hostilities);
      const { path, method, operation } = pick(operations);
      const parameters = operation.parameters ?? [];
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
        const parameter = parameters.find((item) => item.in === 'path' && item.name === name);
        return inUrl(parameterOf(parameter ?? { name, in: 'path', required: true, schema: {} }));
      });
      const query = parameters
        .filter((parameter) => parameter.in === 'query' && chance(parameter.required ? 0.95 : 0.3))
        .map((parameter) => `${parameter.name}=${inUrl(parameterOf(parameter))}`);
      if (chance(hostility))
        query.push(pick(['limit=1&limit=2', '__proto__=1', 'a[]=1', '=', '&&', '%']));
      const headers: Record<string, string> = {};
      for (const parameter of parameters.filter((each) => each.in === 'header')) {
        const value = headerOf(parameter);
        if (value !== null) headers[parameter.name.toLowerCase()] = value;
      }
      const schema = operation.requestBody?.content['application/json']?.schema;
      const meant = schema === undefined ? null : valueFor(schema, '');
      const isZipped = parameters.some((parameter) => parameter.name === 'Content-Encoding');
      const body = schema === undefined ? null : packed(meant, isZipped);
      if (body !== null)
        headers['content-type'] = chance(hostility / 5) ? 'text/plain' : 'application/json';
      if (isZipped) headers['content-encoding'] = 'gzip';
      return {
        operation: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
        security: Object.keys(pick(operation.security ?? [{}]) ?? {})[0] ?? null,
        headers,
        body,
        meant,
        documented: documentedIn(operation.responses),
      };
    },
  };

  function headerOf({ name }: Parameter): string | null {
    if (name === 'If-Match') {
      const version = String(remembered('version') ?? '1').replace(/[^\x20-\xff]/g, '');
      return pick([null, '*', `"${version}"`, version, version, version]);
    }
    if (name === 'X-Device-ID') return String(remembered('device_id') ?? randomUUID());
    if (name === 'Idempotency-Key') {
      const key = chance(0.1) ? (remembered('idempotency-key') ?? randomUUID()) : randomUUID();
      keep('idempotency-key', key);
      return String(key);
    }
    return null;
  }

  function packed(meant: unknown, isZipped: boolean): Uint8Array {
    const json = JSON.stringify(meant);
    const bytes = Buffer.from(chance(hostility) ? broken(json) : json);
    if (chance(hostility / 5) && bytes.length > 0) bytes[below(bytes.length)] = 0xff;
    return isZipped && !chance(hostility / 5) ? gzipSync(bytes) : bytes;
  }
}

/** Returns the media types by status; none for a status without a body. */
export function documentedIn(
  responses: Record<string, { content?: Record<string, unknown> }>,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(responses).map(([status, { content = {} }]) => [status, Object.keys(content)]),
  );
}

/** Returns the reason why an answer is undocumented; null if its status and media type are documented. */
export function undocumented(
  documented: ReadonlyMap<string, readonly string[]>,
  { status, headers, body }: { status: number; headers: Record<string, unknown>; body: string },
): string | null {
  const types = documented.get(String(status));
  if (types === undefined) return 'is not in the document';
  const sent = String(headers['content-type'] ?? '').split(';')[0] ?? '';
  if (body === '' && sent === '') return null;
  return types.includes(sent) ? null : `is ${sent}, documented as ${types.join(', ') || 'nothing'}`;
}

/** Returns the kind of object on this path: `people_group` for `/mcp/people-groups/{people_group_id}`. */
function kindOf(path: string): string {
  const last =
    path
      .split('/')
      .filter((part) => !part.startsWith('{'))
      .at(-1) ?? '';
  return last.replaceAll('-', '_').replace(/s$/, '');
}

function resolved(document: ApiDocument, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.split('/').at(-1) ?? '';
  return resolved(document, document.components.schemas[name] ?? {});
}

/** A whole range, its ends, or beyond what a schema bounds. */
function within({ minimum = 0, maximum = minimum + 1000 }: Schema, at: number): number {
  if (at < 0.1) return minimum;
  if (at > 0.9) return maximum;
  return minimum + at * (maximum - minimum);
}
