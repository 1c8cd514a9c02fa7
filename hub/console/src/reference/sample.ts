// A minimal valid value of a schema, for examples.
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

/** Returns a sample; `name` is the placeholder of texts. */
export function sampleOf(
  document: ApiDocument,
  schema: Schema,
  name = 'value',
  depth = 0,
): unknown {
  const item = resolved(document, schema);
  if (depth > DEPTH_MAX) return null;
  if (item.const !== undefined) return item.const;
  if (item.default !== undefined) return item.default;
  if (item.enum !== undefined) return item.enum[0];
  const options = item.anyOf ?? item.oneOf;
  if (options !== undefined) {
    const [first] = options.filter((option) => resolved(document, option).type !== 'null');
    return first === undefined ? null : sampleOf(document, first, name, depth + 1);
  }
  const type = typeof item.type === 'object' ? item.type[0] : item.type;
  if (type === 'object' || item.properties !== undefined) return objectOf(document, item, depth);
  if (type === 'array') {
    const isFilled = (item.minItems ?? 0) > 0 && item.items !== undefined;
    return isFilled ? [sampleOf(document, item.items ?? {}, name, depth + 1)] : [];
  }
  if (type === 'integer' || type === 'number') return item.minimum ?? item.exclusiveMinimum ?? 1;
  if (type === 'boolean') return true;
  if (type !== 'string') return null;
  const text = TEXTS[item.format ?? ''] ?? name.toUpperCase();
  return text.padEnd(item.minLength ?? 0, '_').slice(0, item.maxLength ?? text.length);
}

function objectOf(document: ApiDocument, schema: Schema, depth: number): object {
  const members = Object.entries(schema.properties ?? {});
  const needed = members.filter(([name]) => schema.required?.includes(name) === true);
  // All members of a change are optional, so that the sample shows the first.
  const least = Math.max(schema.minProperties ?? 0, depth === 0 ? 1 : 0);
  const optional = members.filter((member) => !needed.includes(member));
  const taken = [...needed, ...optional.slice(0, Math.max(0, least - needed.length))];
  return Object.fromEntries(
    taken.map(([name, item]) => [name, sampleOf(document, item, name, depth + 1)]),
  );
}
