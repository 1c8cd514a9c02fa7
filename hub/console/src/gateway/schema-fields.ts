// Reads the inputs and labels of a form from the schema of an app's configuration. A new field of the schema needs no change of
// the form. Pure.
import { CONFIG_SECTIONS } from '@gatewarden/shared/wire/management/app-config.ts';
import { SETTING_LABELS } from './setting-labels.ts';
import { withVendorNames } from './vendors.ts';

/** Words of setting names that labels show in capitals. */
const ACRONYMS = /\b(api|arn|iban|id|ids|ip|json|jwt|llm|mcp|sql|swift|url|urls)\b/g;

interface Node {
  type?: string;
  anyOf?: Node[];
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
  items?: Node;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  default?: unknown;
  'x-replace'?: boolean;
}

/** An input of the form. `nullable`: the stored value can be removed. */
export type Field =
  | { kind: 'group'; path: string[]; label: string; fields: Field[]; nullable: boolean }
  | { kind: 'flag'; path: string[]; label: string; nullable: boolean }
  | { kind: 'choice'; path: string[]; label: string; values: string[]; nullable: boolean }
  | {
      kind: 'number';
      path: string[];
      label: string;
      min: number | undefined;
      max: number | undefined;
      isWhole: boolean;
      nullable: boolean;
    }
  | {
      kind: 'text';
      path: string[];
      label: string;
      maxLength: number;
      mayBeEmpty: boolean;
      nullable: boolean;
    }
  | { kind: 'texts'; path: string[]; label: string; nullable: boolean }
  /** Maps and lists of objects, edited as JSON. `merges`: stored members of a map stay. */
  | { kind: 'json'; path: string[]; label: string; nullable: boolean; merges: boolean };

export type SectionName = keyof typeof CONFIG_SECTIONS;
export const SECTION_NAMES = Object.keys(CONFIG_SECTIONS) as SectionName[];

const SECTION_FIELDS = new Map(
  SECTION_NAMES.map((name) => [name, parseField(CONFIG_SECTIONS[name] as Node, [name])]),
);

/** Returns the field of a section, always the same object. */
export function getSectionField(name: SectionName): Field {
  return SECTION_FIELDS.get(name) as Field;
}

/** Converts a schema to a field. Each member of a replaced nullable object can be removed. */
function parseField(schema: Node, path: string[], isWithinReplaced = false): Field {
  const label = settingLabel(path.at(-1) ?? '');
  const options = schema.anyOf?.filter((item) => item.type !== 'null');
  const takesNull = options !== undefined && options.length < (schema.anyOf?.length ?? 0);
  const nullable = takesNull || isWithinReplaced;
  const values =
    readEnumValues(schema) ?? (options === undefined ? null : readEnumValues({ anyOf: options }));
  if (values !== null) return { kind: 'choice', path, label, values, nullable };
  if (options !== undefined && options.length !== 1)
    return { kind: 'json', path, label, nullable, merges: false };
  const node = options?.[0] ?? schema;
  if (node.properties !== undefined) {
    const isReplaced = isWithinReplaced || (takesNull && (node['x-replace'] ?? false));
    const fields = Object.entries(node.properties).map(([name, item]) =>
      parseField(item, [...path, name], isReplaced),
    );
    return { kind: 'group', path, label, fields, nullable };
  }
  if (node.type === 'boolean') return { kind: 'flag', path, label, nullable };
  if (node.type === 'integer' || node.type === 'number') {
    const { minimum: min, maximum: max } = node;
    return { kind: 'number', path, label, min, max, isWhole: node.type === 'integer', nullable };
  }
  if (node.type === 'string') {
    const { maxLength = 2_048, minLength = 0 } = node;
    return { kind: 'text', path, label, maxLength, mayBeEmpty: minLength === 0, nullable };
  }
  if (node.type === 'array' && node.items?.type === 'string') {
    return { kind: 'texts', path, label, nullable };
  }
  const merges = !isWithinReplaced && isMergedMap(node);
  return { kind: 'json', path, label, nullable, merges };
}

/** Returns whether a PATCH can add members to the map but not remove them. */
function isMergedMap(node: Node): boolean {
  const { additionalProperties: member } = node;
  if (typeof member !== 'object' || node['x-replace'] === true) return false;
  return member.anyOf?.some((item) => item.type === 'null') !== true;
}

/** Returns the texts of an enumeration, written as `enum` or as `anyOf` of constants; else null. */
function readEnumValues(schema: Node): string[] | null {
  if (schema.enum?.every((item) => typeof item === 'string')) return schema.enum as string[];
  const constants = schema.anyOf?.map((item) => item.const);
  return constants !== undefined &&
    constants.length > 0 &&
    constants.every((item) => typeof item === 'string')
    ? (constants as string[])
    : null;
}

/** Returns the label of a setting from the data file, else its name in words: `new_limit` reads “New limit”. */
export function settingLabel(name: string): string {
  return Object.hasOwn(SETTING_LABELS, name) ? (SETTING_LABELS[name] ?? name) : nameInWords(name);
}

/** Returns the words of a name: `rate_limit_per_minute` reads “Rate limit per minute”. */
export function nameInWords(name: string): string {
  const words = withVendorNames(name.replaceAll('_', ' ')).replace(ACRONYMS, (word) =>
    word.endsWith('s') ? `${word.slice(0, -1).toUpperCase()}s` : word.toUpperCase(),
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the paths of all inputs of a field, joined by dots. */
export function listInputPaths(field: Field): string[] {
  return field.kind === 'group' ? field.fields.flatMap(listInputPaths) : [field.path.join('.')];
}

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export function getValue(config: unknown, path: readonly string[]): unknown {
  let at: unknown = config;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

/** Returns the draft with the value at the path; undefined removes the value, and parents that become empty. */
export function setValue(
  draft: Record<string, unknown>,
  path: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const [name = '', ...rest] = path;
  const next = { ...draft };
  if (rest.length === 0) {
    if (value === undefined) delete next[name];
    else next[name] = value;
    return next;
  }
  const inner = Object.hasOwn(draft, name) ? draft[name] : undefined;
  const base = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {};
  const changed = setValue(base as Record<string, unknown>, rest, value);
  if (Object.keys(changed).length === 0 && value === undefined) delete next[name];
  else next[name] = changed;
  return next;
}

/** Returns the number of set values of a section. */
export function countValues(field: Field, config: unknown): number {
  if (field.kind === 'group') {
    return field.fields.reduce((sum, item) => sum + countValues(item, config), 0);
  }
  const value = getValue(config, field.path);
  return value === undefined || value === null ? 0 : 1;
}

/** Parses an error of the hub that begins with a JSON pointer: its path and its text; null without a pointer. */
export function parseFault(message: string): Fault | null {
  const [, pointer, text = ''] = /^((?:\/[^\s/]+)+) (.+)$/s.exec(message) ?? [];
  if (pointer === undefined) return null;
  const path = pointer.slice(1).split('/');
  return { path: path.map((item) => item.replaceAll('~1', '/').replaceAll('~0', '~')), text };
}

export interface Fault {
  path: string[];
  text: string;
}

/** Returns the error text of a field; for a fault inside the field, with the path to it. */
export function getFieldFault(field: Field, fault: Fault | null): string | null {
  if (fault === null || field.path.some((name, at) => name !== fault.path[at])) return null;
  const inside = fault.path.slice(field.path.length);
  if (field.kind === 'group' && inside.length > 0) {
    const isDeeper = field.fields.some((item) => item.path.at(-1) === inside[0]);
    if (isDeeper) return null;
  }
  return inside.length === 0 ? fault.text : `${inside.join(' → ')}: ${fault.text}`;
}
