// What else is read from the schema: the fields a deployment offers, what policy authority governs, what a rollback
// restores.
import { AppCreate, CONFIG_SECTIONS } from '@gatewarden/shared/wire/management/app-config.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { memberOf, type Node } from './schema-walk.ts';

/** `section` and `section.field` for everything that an app may be given. */
export const APP_FIELDS: readonly string[] = Object.entries(
  AppCreate.properties as Record<string, Node>,
).flatMap(([name, schema]) => {
  const inner = schema.properties ?? schema.anyOf?.find((one) => one.properties)?.properties;
  return [name, ...Object.keys(inner ?? {}).map((field) => `${name}.${field}`)];
});

export const GOVERNED_SECTIONS: readonly string[] = Object.entries(CONFIG_SECTIONS)
  .filter(([, schema]) => (schema as Node)['x-governed'] === true)
  .map(([name]) => name);

/** The configuration that a rollback to `wanted` gives: what may not come back stays as it is `now`. */
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
  const node = schema.anyOf?.find((one) => one.properties !== undefined) ?? schema;
  if (node.properties === undefined || !holdsPins(node)) return wanted;
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

function holdsPins(schema: Node): boolean {
  if (schema['x-no-rollback'] === true) return true;
  const inner = [...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})];
  return inner.some(holdsPins);
}
