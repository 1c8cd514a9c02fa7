// Spelling of bodies, paths and filters: names, booleans and complex values become those of the schema before scimmy
// reads them. RFC 7643 has names in any case (2.1) and null as unassigned (2.5); directories also send booleans as
// strings and complex values as JSON text. Pure.
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { ScimError } from './errors.ts';

export type Kind = 'User' | 'Group';

interface Attribute {
  /** The name in the schema's spelling. */
  name: string;
  type: 'string' | 'boolean' | 'complex';
  isMultiValued?: true;
  /** Values that the schema names; any other value is dropped. */
  canonical?: readonly string[];
  subAttributes?: readonly Attribute[];
}

const text = (name: string): Attribute => ({ name, type: 'string' });
const boolean = (name: string): Attribute => ({ name, type: 'boolean' });

/** The stored attributes of each resource; sub-attributes that are not listed are dropped. */
const ATTRIBUTES: Record<Kind, readonly Attribute[]> = {
  User: [
    text('userName'),
    text('externalId'),
    boolean('active'),
    text('displayName'),
    {
      name: 'name',
      type: 'complex',
      subAttributes: [
        ...['formatted', 'familyName', 'givenName', 'middleName'].map(text),
        ...['honorificPrefix', 'honorificSuffix'].map(text),
      ],
    },
    {
      name: 'emails',
      type: 'complex',
      isMultiValued: true,
      subAttributes: [
        text('value'),
        text('display'),
        { ...text('type'), canonical: ['work', 'home', 'other'] },
        boolean('primary'),
      ],
    },
    {
      // RFC 7643 names no types of roles; the value alone names the role.
      name: 'roles',
      type: 'complex',
      isMultiValued: true,
      subAttributes: [text('value'), text('display'), boolean('primary')],
    },
  ],
  Group: [
    text('displayName'),
    text('externalId'),
    {
      name: 'members',
      type: 'complex',
      isMultiValued: true,
      subAttributes: [
        text('value'),
        text('display'),
        text('$ref'),
        { ...text('type'), canonical: ['User', 'Group'] },
      ],
    },
  ],
};

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;
const isNamed = (name: string) => (attribute: Attribute) =>
  attribute.name.toLowerCase() === name.toLowerCase();

/** Returns the stored attribute that a name or the beginning of a path means; undefined for any other. */
export function attributeOf(kind: Kind, path: string): Attribute | undefined {
  const name = /^[$\w-]*/.exec(withoutUrn(path))?.[0] ?? '';
  return ATTRIBUTES[kind].find(isNamed(name));
}

/** Removes the URN of the core schema and surrounding blanks. */
export function withoutUrn(path: string): string {
  return path.trim().replace(CORE, '');
}

/**
 * Returns the value of an attribute, or of the sub-attribute that `path` ends with, in the schema's spelling; undefined
 * if it is unassigned. Throws `invalidValue` for text that looks like JSON and is not.
 */
export function normalizeValue(kind: Kind, path: string, value: unknown): unknown {
  const attribute = attributeOf(kind, path);
  if (attribute === undefined || value === undefined) return value;
  const sub = /\.([$\w-]+)$/.exec(withoutUrn(path))?.[1];
  const target = sub === undefined ? attribute : attribute.subAttributes?.find(isNamed(sub));
  if (target === undefined) return value;
  // A path with a filter refers to single values of the attribute.
  return sub === undefined && !withoutUrn(path).includes('[')
    ? normalizeAttribute(target, value)
    : normalizeItem(target, value);
}

function normalizeAttribute(attribute: Attribute, value: unknown): unknown {
  if (value === null) return undefined;
  if (attribute.isMultiValued !== true) return normalizeItem(attribute, value);
  const all = Array.isArray(value) ? value : [value];
  return all.flatMap((item) => normalizeItem(attribute, item) ?? []);
}

function normalizeItem(attribute: Attribute, value: unknown): unknown {
  if (value === null) return undefined;
  if (attribute.type === 'boolean') return booleanOf(value);
  if (attribute.type === 'complex') return complexOf(attribute, value);
  if (attribute.canonical === undefined || typeof value !== 'string') return value;
  return attribute.canonical.find((known) => known.toLowerCase() === value.toLowerCase());
}

/** Converts `true` and `false` in any letter case; any other value is left for the schema to reject. */
function booleanOf(value: unknown): unknown {
  const isWord = typeof value === 'string' && /^(true|false)$/i.test(value);
  return isWord ? value.toLowerCase() === 'true' : value;
}

function complexOf(attribute: Attribute, value: unknown): unknown {
  const unpackedValue = parseJsonObject(value);
  // A string replaces the complex value, as directories write a single role or address.
  if (typeof unpackedValue === 'string')
    return attribute.isMultiValued ? { value: unpackedValue } : unpackedValue;
  if (!isObject(unpackedValue)) return unpackedValue;
  const packed = parseJsonObject(unpackedValue.value);
  const merged = isObject(packed) ? { ...unpackedValue, ...packed } : unpackedValue;
  return Object.fromEntries(
    Object.entries(merged).flatMap(([name, inner]) => {
      const sub = attribute.subAttributes?.find(isNamed(name));
      const normalizedInner = sub === undefined ? undefined : normalizeItem(sub, inner);
      return sub === undefined || normalizedInner === undefined
        ? []
        : [[sub.name, normalizedInner]];
    }),
  );
}

/** Parses an object that a directory sent as JSON text. */
function parseJsonObject(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*\{/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new ScimError('invalidValue', 'A value begins like a JSON object and is not valid.');
  }
}

/**
 * Returns a path of PATCH in the schema's spelling: `Emails[Type EQ "Work"].Value` → `emails[type eq "work"].value`.
 */
export function normalizePath(kind: Kind, path: string): string {
  const bare = withoutUrn(path);
  const attribute = attributeOf(kind, bare);
  const match = /^([$\w-]+)(\[.*\])?(?:\.([$\w-]+))?$/s.exec(bare);
  if (attribute === undefined || match === null) return bare;
  const [, , filter, sub] = match;
  const subName = attribute.subAttributes?.find(isNamed(sub ?? ''))?.name ?? sub;
  return `${attribute.name}${filter === undefined ? '' : normalizeFilter(attribute, filter)}${
    subName === undefined ? '' : `.${subName}`
  }`;
}

const COMPARISON = /([$\w-]+)\s+(eq|ne|co|sw|ew|gt|ge|lt|le)\s+("(?:[^"\\]|\\.)*"|[^\s"\])]+)/gi;

function normalizeFilter(attribute: Attribute, filter: string): string {
  return filter.replace(COMPARISON, (_whole, name: string, operator: string, operand: string) => {
    const sub = attribute.subAttributes?.find(isNamed(name));
    return `${sub?.name ?? name} ${operator.toLowerCase()} ${normalizeOperand(sub, operand)}`;
  });
}

function normalizeOperand(sub: Attribute | undefined, operand: string): string {
  const bare = operand.replace(/^"|"$/g, '');
  if (sub?.type === 'boolean' && /^(true|false)$/i.test(bare)) return bare.toLowerCase();
  const canonical = sub?.canonical?.find((known) => known.toLowerCase() === bare.toLowerCase());
  return canonical === undefined ? operand : `"${canonical}"`;
}

const MESSAGE_NAMES = ['schemas', 'Operations', 'op', 'path', 'value'];

/** Returns a PATCH message with the names of its own fields in the spelling of RFC 7644, 3.5.2. */
export function normalizePatchMessage(body: unknown): unknown {
  const renamed = (object: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => [
        MESSAGE_NAMES.find((known) => known.toLowerCase() === name.toLowerCase()) ?? name,
        value,
      ]),
    );
  if (!isObject(body)) return body;
  const message: Record<string, unknown> = renamed(body);
  return Array.isArray(message.Operations)
    ? {
        ...message,
        Operations: message.Operations.map((operation) =>
          isObject(operation) ? renamed(operation) : operation,
        ),
      }
    : message;
}
