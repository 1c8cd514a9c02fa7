// Validation and repair of list items. A client rejects a whole merged list for a single invalid item, so invalid items are
// removed here.
import { type TObject, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { copyDigits } from '../../../platform/http/json/lossless-numbers.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import type { ProtocolRevision } from '../protocol/index.ts';

const Text = Type.Optional(Type.String());
const Flag = Type.Optional(Type.Boolean());
const Meta = Type.Optional(Type.Object({}));
const DATE_TIME = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2})$';
const NAMED = {
  name: Type.String({ minLength: 1 }),
  title: Text,
  description: Text,
  icons: Type.Optional(
    Type.Array(
      Type.Object({
        src: Type.String(),
        mimeType: Text,
        sizes: Type.Optional(Type.Array(Type.String())),
        theme: Type.Optional(Type.Union([Type.Literal('light'), Type.Literal('dark')])),
      }),
    ),
  ),
  _meta: Meta,
};
const RESOURCE = {
  ...NAMED,
  mimeType: Text,
  annotations: Type.Optional(
    Type.Object({
      audience: Type.Optional(
        Type.Array(Type.Union([Type.Literal('user'), Type.Literal('assistant')])),
      ),
      priority: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
      lastModified: Type.Optional(Type.String({ pattern: DATE_TIME })),
    }),
  ),
};
const Schema = Type.Object({
  type: Type.Optional(Type.Literal('object')),
  properties: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.Object({}), Type.Boolean()])),
  ),
  required: Type.Optional(Type.Array(Type.String())),
});

const SHAPES: Record<string, TSchema> = {
  tools: Type.Object({
    ...NAMED,
    // The name is a key of the table of pinned tools, so its length is limited.
    name: Type.String({ minLength: 1, maxLength: 500 }),
    inputSchema: Schema,
    outputSchema: Type.Optional(Type.Object({ $schema: Text })),
    annotations: Type.Optional(
      Type.Object({
        title: Text,
        readOnlyHint: Flag,
        destructiveHint: Flag,
        idempotentHint: Flag,
        openWorldHint: Flag,
      }),
    ),
    execution: Type.Optional(
      Type.Object({
        taskSupport: Type.Optional(
          Type.Union(['required', 'optional', 'forbidden'].map((item) => Type.Literal(item))),
        ),
      }),
    ),
  }),
  prompts: Type.Object({
    ...NAMED,
    arguments: Type.Optional(
      Type.Array(
        Type.Object({ name: Type.String(), title: Text, description: Text, required: Flag }),
      ),
    ),
  }),
  resources: Type.Object({
    ...RESOURCE,
    uri: Type.String({ minLength: 1 }),
    size: Type.Optional(Type.Number()),
  }),
  resourceTemplates: Type.Object({ ...RESOURCE, uriTemplate: Type.String({ minLength: 1 }) }),
  instructions: Type.Object({ text: Type.String({ minLength: 1 }) }),
};
const checks = new Map(Object.entries(SHAPES).map(([field, shape]) => [field, Compile(shape)]));
/** Members without which an item is useless. Other invalid members are removed. */
const ESSENTIAL = new Set(['name', 'inputSchema', 'arguments', 'uri', 'uriTemplate']);
const optionalChecks = new Map(
  Object.entries(SHAPES).map(([field, shape]) => [
    field,
    Object.entries((shape as TObject).properties)
      .filter(([name]) => !ESSENTIAL.has(name))
      .map(([name, value]) => [name, Compile(value)] as const),
  ]),
);

/** Returns the valid items. A second item of the same name is removed, because it could not be called. */
export function filterValidItems(
  items: readonly unknown[],
  field: string,
  name: string,
): unknown[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    if (!isObject(item) || checks.get(field)?.Check(repairItem(item, field)) !== true) return false;
    const key = String(item[name]);
    if (seen.has(key) || !key.isWellFormed() || key.includes('\0')) return false;
    seen.add(key);
    return true;
  });
}

/** Returns the item in the form that strict clients of the revision accept. */
export function normalizeItem(
  item: Record<string, unknown>,
  field: string,
  era: ProtocolRevision,
): Record<string, unknown> {
  const repaired = repairItem(item, field);
  const { inputSchema, outputSchema } = repaired;
  if (!isObject(inputSchema)) return repaired;
  const typed = inputSchema.type === undefined ? { ...inputSchema, type: 'object' } : inputSchema;
  const isBefore = era === 'legacy';
  const input = isBefore ? withPlainProperties(typed) : typed;
  const output = isBefore ? legacyOutputSchema(outputSchema) : outputSchema;
  if (input === inputSchema && output === outputSchema) return repaired;
  const { outputSchema: _output, ...rest } = repaired;
  return {
    ...rest,
    inputSchema: input,
    ...(output === undefined ? {} : { outputSchema: output }),
  };
}

/** Removes nulls, and optional members that are invalid, such as a title or an icon. */
function repairItem(item: Record<string, unknown>, field: string): Record<string, unknown> {
  const repaired = withoutNulls(item);
  if (checks.get(field)?.Check(repaired) === true) return repaired;
  const all = Object.entries(repaired).map(
    ([name, value]) => [name, withoutNullsOf(name, value)] as const,
  );
  const odd = new Set(
    (optionalChecks.get(field) ?? [])
      .filter(([name, check]) => !check.Check(all.find(([other]) => other === name)?.[1]))
      .map(([name]) => name),
  );
  return copyDigits(repaired, Object.fromEntries(all.filter(([name]) => !odd.has(name))));
}

/** Removes nulls, which some servers send for omitted members. */
function withoutNulls(item: Record<string, unknown>, only?: readonly string[]) {
  const isOut = ([name, value]: [string, unknown]) =>
    value === null && (only === undefined || only.includes(name));
  const all = Object.entries(item);
  const kept = all.filter((item) => !isOut(item));
  return kept.length === all.length ? item : copyDigits(item, Object.fromEntries(kept));
}

/** Removes nulls of a nested member. In a schema null may be a value, so only members of the protocol are removed. */
function withoutNullsOf(name: string, value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item) => (isObject(item) ? withoutNulls(item) : item));
  if (!isObject(value) || name === '_meta') return value;
  return withoutNulls(value, name.endsWith('Schema') ? SCHEMA_KEYS : undefined);
}

const SCHEMA_KEYS = ['type', 'properties', 'required', '$schema'];

/** Returns the output schema for a legacy client, which accepts objects only. */
function legacyOutputSchema(schema: unknown): unknown {
  return isObject(schema) && schema.type === 'object' ? withPlainProperties(schema) : undefined;
}

/** Replaces the boolean schemas of JSON Schema by object schemas. */
function withPlainProperties(schema: Record<string, unknown>): Record<string, unknown> {
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  const all = Object.entries(properties);
  if (!all.some(([, value]) => typeof value === 'boolean')) return schema;
  const plain = all.map(([name, value]) => [
    name,
    value === true ? {} : value === false ? NOTHING : value,
  ]);
  return { ...schema, properties: Object.fromEntries(plain) };
}

const NOTHING = { not: {} };
