// Facts derived from the schema: the fields a deployment offers, the fields under policy authority, and the fields a
// rollback restores.
import { AppCreate, CONFIG_SECTIONS } from '@gatewarden/shared/wire/management/app-config.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { memberOf, type Node } from './schema-walk.ts';

/** Returns `section` and `section.field` for all fields of an app. */
export const APP_FIELDS: readonly string[] = Object.entries(
  AppCreate.properties as Record<string, Node>,
).flatMap(([name, schema]) => {
  const inner =
    schema.properties ?? schema.anyOf?.find((alternative) => alternative.properties)?.properties;
  return [name, ...Object.keys(inner ?? {}).map((field) => `${name}.${field}`)];
});

export const GOVERNED_SECTIONS: readonly string[] = Object.entries(CONFIG_SECTIONS)
  .filter(([, schema]) => (schema as Node)['x-governed'] === true)
  .map(([name]) => name);

/** Returns the configuration after a rollback to `wanted`: fields that are not restored keep their value of `now`. */
export function rolledBack(
  now: Record<string, unknown>,
  wanted: Record<string, unknown>,
): Record<string, unknown> {
  const after: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(CONFIG_SECTIONS)) {
    const value = keepPinned(schema as Node, now[name], wanted[name]);
    if (value !== undefined) after[name] = value;
  }
  return after;
}

function keepPinned(schema: Node, now: unknown, wanted: unknown): unknown {
  if (schema['x-no-rollback'] === true) return now;
  const node = schema.anyOf?.find((alternative) => alternative.properties !== undefined) ?? schema;
  if (node.properties === undefined || !containsPins(node)) return wanted;
  const before = isObject(now) ? now : {};
  const base = isObject(wanted) ? wanted : {};
  const after: Record<string, unknown> = { ...base };
  for (const name of Object.keys(node.properties)) {
    const value = keepPinned(memberOf(node, name) as Node, before[name], base[name]);
    if (value === undefined) delete after[name];
    else after[name] = value;
  }
  return Object.keys(after).length === 0 && !isObject(wanted) ? wanted : after;
}

function containsPins(schema: Node): boolean {
  if (schema['x-no-rollback'] === true) return true;
  const inner = [...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})];
  return inner.some(containsPins);
}
