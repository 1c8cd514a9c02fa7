// What is sent of a changed configuration: what merges goes out as far as it differs, what is replaced goes out whole. Pure.
import { CONFIG_SECTIONS } from '@gatewarden/shared/wire/management/app-config.ts';
import { isMap, isSame } from '../concurrent-edits/three-way-merge.ts';
import { SECTION_NAMES } from './schema-fields.ts';
import type { GatewayApp } from './wire.ts';

interface Node {
  'x-replace'?: boolean;
  type?: string;
  anyOf?: Node[];
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
}

export function configOf(app: GatewayApp): Record<string, unknown> {
  const all = SECTION_NAMES.map((name) => [name, app[name]] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** The sections of a PATCH that makes `before` into `after`, as far as a PATCH can. */
export function changedSections(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const name of SECTION_NAMES) {
    const [was, is] = [before[name], after[name]];
    if (!isSame(was, is)) patch[name] = difference(was, is, CONFIG_SECTIONS[name] as Node);
  }
  return patch;
}

function difference(was: unknown, is: unknown, schema: Node | undefined): unknown {
  const isWhole =
    schema?.['x-replace'] ?? schema?.anyOf?.some((item) => item['x-replace']) ?? false;
  const takesNull = schema?.anyOf?.some((item) => item.type === 'null') ?? false;
  if (is === undefined) return isWhole || takesNull ? null : emptied(was, schema);
  if (isWhole || !isMap(was) || !isMap(is)) return is;
  const changed: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (isSame(was[name], is[name])) continue;
    changed[name] = difference(was[name], is[name], memberOf(schema, name));
  }
  return changed;
}

function memberOf(schema: Node | undefined, name: string): Node | undefined {
  const node = schema?.anyOf?.find((item) => item.properties !== undefined) ?? schema;
  const rest = node?.additionalProperties;
  return node?.properties?.[name] ?? (typeof rest === 'object' ? rest : undefined);
}

/** What was taken out: a list is emptied, of a map each member is, all else is reset where the hub takes null. */
function emptied(was: unknown, schema: Node | undefined): unknown {
  if (Array.isArray(was)) return [];
  if (!isMap(was)) return null;
  return Object.fromEntries(
    Object.entries(was).map(([name, item]) => [
      name,
      difference(item, undefined, memberOf(schema, name)),
    ]),
  );
}
