// The body of a PATCH of an app's configuration: differences of merged values, and replaced values as a whole. Pure.
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

export function readConfig(app: GatewayApp): Record<string, unknown> {
  const all = SECTION_NAMES.map((name) => [name, app[name]] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** Returns the sections of a PATCH that turns `before` into `after`, as far as a PATCH can. */
export function changedSections(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const name of SECTION_NAMES) {
    const [was, is] = [before[name], after[name]];
    if (!isSame(was, is)) patch[name] = diffValue(was, is, CONFIG_SECTIONS[name] as Node);
  }
  return patch;
}

function diffValue(was: unknown, is: unknown, schema: Node | undefined): unknown {
  const isWhole =
    schema?.['x-replace'] ?? schema?.anyOf?.some((item) => item['x-replace']) ?? false;
  const takesNull = schema?.anyOf?.some((item) => item.type === 'null') ?? false;
  if (is === undefined) return isWhole || takesNull ? null : clearedValue(was, schema);
  if (isWhole || !isMap(was) || !isMap(is)) return is;
  const changed: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (isSame(was[name], is[name])) continue;
    changed[name] = diffValue(was[name], is[name], memberSchema(schema, name));
  }
  return changed;
}

function memberSchema(schema: Node | undefined, name: string): Node | undefined {
  const node = schema?.anyOf?.find((item) => item.properties !== undefined) ?? schema;
  const rest = node?.additionalProperties;
  return node?.properties?.[name] ?? (typeof rest === 'object' ? rest : undefined);
}

/** Returns the value that removes `was`: an empty list, a map with each member removed, else null. */
function clearedValue(was: unknown, schema: Node | undefined): unknown {
  if (Array.isArray(was)) return [];
  if (!isMap(was)) return null;
  return Object.fromEntries(
    Object.entries(was).map(([name, item]) => [
      name,
      diffValue(item, undefined, memberSchema(schema, name)),
    ]),
  );
}
