// Random values of a JSON schema, for property tests of what a route takes. Knows the keywords that our schemas use.
import type { Reference } from '@gatewarden/shared/wire/management/app-config.ts';
import fc from 'fast-check';

export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minItems?: number;
  uniqueItems?: boolean;
  'x-names'?: Reference;
  'x-keys-name'?: Reference;
}

/** Values that the hub accepts where the schema alone is too wide: by field name, or by the kind of object they refer to. */
export interface Known {
  byName: Record<string, fc.Arbitrary<unknown>>;
  names: Partial<Record<Reference, readonly string[]>>;
}

/** Valid values of the schema. */
export function valuesOf(schema: Schema, known: Known, name = ''): fc.Arbitrary<unknown> {
  const own = known.byName[name];
  if (own !== undefined) return own;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) {
    return fc.oneof(...schema.anyOf.map((schema) => valuesOf(schema, known)));
  }
  if (schema['x-names'] !== undefined)
    return fc.constantFrom(...(known.names[schema['x-names']] ?? []));
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1e9, 1e9) });
    case 'number':
      return fc
        .double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1e6, noNaN: true })
        .map((value) => Math.round(value * 100) / 100);
    case 'string':
      if (schema.pattern !== undefined) return matching(schema.pattern, schema);
      return fc.string({
        unit: 'grapheme',
        minLength: schema.minLength ?? 0,
        maxLength: Math.min(schema.maxLength ?? 30, 30),
      });
    case 'array':
      return listOf(schema, known);
    case 'object':
      return objectOf(schema, known);
    default:
      throw new Error(`no arbitrary for ${name}: ${JSON.stringify(schema).slice(0, 200)}`);
  }
}

function matching(pattern: string, { minLength = 0, maxLength = Infinity }: Schema) {
  return fc
    .stringMatching(new RegExp(pattern))
    .filter((value) => value.length >= minLength && value.length <= maxLength);
}

function listOf(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const item = valuesOf(schema.items ?? {}, known);
  const options = { minLength: schema.minItems ?? 0, maxLength: 4 };
  return schema.uniqueItems === true
    ? fc.uniqueArray(item, { ...options, selector: (item) => JSON.stringify(item) })
    : fc.array(item, options);
}

function objectOf(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined) {
    const members = Object.entries(properties).map(([name, inner]) => [
      name,
      valuesOf(inner, known, name),
    ]);
    return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>, {
      requiredKeys: schema.required ?? [],
    });
  }
  const keys = schema['x-keys-name'];
  const key =
    keys === undefined
      ? fc
          .string({ minLength: 1, maxLength: 20 })
          .filter((value) => !(value in {}) && value !== 'prototype')
      : fc.constantFrom(...(known.names[keys] ?? []));
  const value = typeof additionalProperties === 'object' ? additionalProperties : {};
  return fc.dictionary(key, valuesOf(value, known), { maxKeys: 4, noNullPrototype: true });
}

/** Spoils the value in a single place, so that no schema allows it: an unknown field, or another type. */
export function spoiled(value: Record<string, unknown>): fc.Arbitrary<Record<string, unknown>> {
  const places = placesIn(value);
  return fc
    .tuple(fc.constantFrom(...places), fc.constantFrom<'unknown' | 'type'>('unknown', 'type'))
    .map(([place, how]) => {
      const copy = structuredClone(value);
      const parent = place.slice(0, -1).reduce<unknown>((inner, name) => member(inner, name), copy);
      const last = place.at(-1);
      const isMap = typeof parent === 'object' && parent !== null;
      if (!isMap || last === undefined || how === 'unknown') copy['no such field'] = 1;
      else Object.assign(parent, { [last]: { 'no such': ['value'] } });
      return copy;
    });
}

const member = (value: unknown, name: string) => (value as Record<string, unknown>)[name];

function placesIn(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return at.length === 0 ? [[]] : [at];
  const inner = Object.entries(value).flatMap(([name, member]) => placesIn(member, [...at, name]));
  return inner.length === 0 ? [at] : inner;
}
