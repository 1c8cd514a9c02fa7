// Reads the single schema of an app's configuration: kinds of nodes, and a walk over a value beside its schema.
import type { Annotation } from '@gatewarden/shared/wire/management/app-config.ts';
import type { TSchema } from 'typebox';
import { escapePointer } from '../../../platform/http/json/json-pointer.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';

/** A JSON schema in the subset that the configuration uses. */
export type Node = TSchema &
  Annotation & {
    type?: string;
    anyOf?: Node[];
    properties?: Record<string, Node>;
    additionalProperties?: Node | boolean;
    items?: Node;
    maxProperties?: number;
    default?: unknown;
  };

/** Returns the schema of a value that is not null: in a union, the alternative for this type of value. */
export function alternativeFor(schema: Node, value: unknown): Node {
  if (schema.anyOf === undefined) return schema;
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  const fits = schema.anyOf.find((alternative) => alternative.type === type);
  const { anyOf: _all, ...around } = schema;
  return { ...fits, ...annotationsOf(around as Node) } as Node;
}

function annotationsOf(schema: Node): Annotation {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name.startsWith('x-')));
}

/** Returns the schema of an object's member, of a map's value, or of a list's item; undefined if there is none. */
export function memberOf(schema: Node, name: string): Node | undefined {
  const property = schema.properties?.[name];
  if (property !== undefined) return property;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

/** Calls `visit` for every inner value, parents first, with its schema and JSON pointer. */
export function walk(
  schema: Node,
  value: unknown,
  pointer: string,
  visit: (schema: Node, value: unknown, pointer: string) => void,
): void {
  if (value === null || value === undefined) return;
  const node = alternativeFor(schema, value);
  visit(node, value, pointer);
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined) return;
    for (const [i, item] of value.entries()) walk(items, item, `${pointer}/${i}`, visit);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = memberOf(node, name);
    if (inner !== undefined) walk(inner, member, `${pointer}/${escapePointer(name)}`, visit);
  }
}
