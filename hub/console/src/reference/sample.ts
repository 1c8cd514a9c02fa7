// A value that a schema takes: what must be there and no more, for an example that somebody fills in.
import { resolved } from './schema-tree.ts';
import type { ApiDocument, Schema } from './wire.ts';

const DEPTH_MAX = 8;
const UUID = '00000000-0000-4000-8000-000000000000';
const TEXTS: Readonly<Record<string, string>> = {
  uuid: UUID,
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  email: 'ada@example.com',
  uri: 'https://example.com/',
};

/** `name`: what stands where only a text is known. */
export function sampleOf(
  document: ApiDocument,
  schema: Schema,
  name = 'value',
  depth = 0,
): unknown {
  const one = resolved(document, schema);
  if (depth > DEPTH_MAX) return null;
  if (one.const !== undefined) return one.const;
  if (one.default !== undefined) return one.default;
  if (one.enum !== undefined) return one.enum[0];
  const options = one.anyOf ?? one.oneOf;
  if (options !== undefined) {
    const [first] = options.filter((option) => resolved(document, option).type !== 'null');
    return first === undefined ? null : sampleOf(document, first, name, depth + 1);
  }
  const type = typeof one.type === 'object' ? one.type[0] : one.type;
  if (type === 'object' || one.properties !== undefined) return objectOf(document, one, depth);
  if (type === 'array') {
    const isFilled = (one.minItems ?? 0) > 0 && one.items !== undefined;
    return isFilled ? [sampleOf(document, one.items ?? {}, name, depth + 1)] : [];
  }
  if (type === 'integer' || type === 'number') return one.minimum ?? one.exclusiveMinimum ?? 1;
  if (type === 'boolean') return true;
  if (type !== 'string') return null;
  const text = TEXTS[one.format ?? ''] ?? name.toUpperCase();
  return text.padEnd(one.minLength ?? 0, '_').slice(0, one.maxLength ?? text.length);
}

function objectOf(document: ApiDocument, schema: Schema, depth: number): object {
  const members = Object.entries(schema.properties ?? {});
  const needed = members.filter(([name]) => schema.required?.includes(name) === true);
  // A change may leave out everything: an example of nothing would show nothing.
  const least = Math.max(schema.minProperties ?? 0, depth === 0 ? 1 : 0);
  const optional = members.filter((member) => !needed.includes(member));
  const taken = [...needed, ...optional.slice(0, Math.max(0, least - needed.length))];
  return Object.fromEntries(
    taken.map(([name, one]) => [name, sampleOf(document, one, name, depth + 1)]),
  );
}
