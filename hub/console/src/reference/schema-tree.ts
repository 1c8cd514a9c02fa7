// A schema as a tree: name, type, bounds in words and nested members, with references resolved.
import { treeTexts as t } from './texts.ts';
import type { ApiDocument, Schema } from './wire.ts';

export interface SchemaNode {
  /** The name of a member; null for the root and for items. */
  name: string | null;
  type: string;
  isRequired: boolean;
  /** Bounds, formats and defaults, each in words. */
  notes: string[];
  /** The closed list of values. */
  values: string[];
  description: string;
  children: SchemaNode[];
}

/** The maximum depth, so that a document of another hub cannot hang the page. */
const DEPTH_MAX = 12;

interface Place {
  name: string | null;
  isRequired: boolean;
  /** The references on the path to this node, to detect cycles. */
  through: readonly string[];
}

const WHOLE: Place = { name: null, isRequired: true, through: [] };

/** Returns the tree of a schema. */
export function treeOf(document: ApiDocument, schema: Schema, place: Place = WHOLE): SchemaNode {
  const { $ref } = schema;
  const isCircle = $ref !== undefined && place.through.includes($ref);
  if (isCircle || place.through.length > DEPTH_MAX) {
    return { ...leaf(place), type: nameOf($ref ?? ''), notes: [t.asAbove] };
  }
  if ($ref !== undefined) {
    const inner = resolved(document, schema);
    return treeOf(document, inner, { ...place, through: [...place.through, $ref] });
  }
  const deeper = { ...place, through: [...place.through, ''] };
  const options = (schema.anyOf ?? schema.oneOf ?? []).map((one) => resolved(document, one));
  const others = options.filter((one) => one.type !== 'null');
  const constants = others.map((one) => one.const);
  if (others.length > 0 && constants.every((one) => one !== undefined)) {
    return treeOf(document, { ...bare(schema), enum: options.map(constantOf) }, place);
  }
  const [only] = others;
  if (only !== undefined && others.length === 1) {
    const node = treeOf(document, { ...only, ...bare(schema) }, deeper);
    const isNullable = others.length < options.length;
    return isNullable ? { ...node, type: t.orNull(node.type) } : node;
  }
  if (others.length > 1) return oneOfMany(document, schema, options, deeper);
  return {
    ...leaf(place),
    type: typeOf(document, schema),
    notes: notesOf(schema),
    values: schema.enum?.map(String) ?? (schema.const === undefined ? [] : [String(schema.const)]),
    description: schema.description ?? '',
    children: childrenOf(document, schema, deeper.through),
  };
}

function oneOfMany(
  document: ApiDocument,
  schema: Schema,
  options: readonly Schema[],
  place: Place,
): SchemaNode {
  const { through } = place;
  const nodes = options.map((one) =>
    treeOf(document, one, { name: null, isRequired: true, through }),
  );
  const isPlain = nodes.every((one) => one.children.length === 0);
  return {
    ...leaf(place),
    type: isPlain ? t.or(nodes.map((one) => one.type)) : t.oneOf,
    notes: isPlain ? [...new Set(nodes.flatMap((one) => one.notes))] : [],
    values: isPlain ? nodes.flatMap((one) => one.values) : [],
    description: schema.description ?? '',
    children: isPlain
      ? []
      : nodes.map((one, at) => ({ ...one, name: t.option(at + 1), isRequired: false })),
  };
}

function childrenOf(
  document: ApiDocument,
  schema: Schema,
  through: readonly string[],
): SchemaNode[] {
  const members = Object.entries(schema.properties ?? {}).map(([name, one]) =>
    treeOf(document, one, {
      name,
      isRequired: schema.required?.includes(name) === true,
      through,
    }),
  );
  const { additionalProperties: others } = schema;
  if (typeof others === 'object') {
    members.push(treeOf(document, others, { name: t.anyName, isRequired: false, through }));
  }
  for (const part of schema.allOf ?? []) {
    members.push(...treeOf(document, part, { ...WHOLE, through }).children);
  }
  if (schema.items === undefined) return members;
  const item = treeOf(document, schema.items, { name: t.each, isRequired: false, through });
  // Plain items without a description are part of the type's text.
  const isCovered = item.children.length + item.values.length + item.notes.length === 0;
  return isCovered && item.description === '' ? members : [...members, item];
}

/** Resolves references until the schema itself. */
export function resolved(document: ApiDocument, schema: Schema): Schema {
  let at = schema;
  for (let i = 0; i < DEPTH_MAX && at.$ref !== undefined; i++) {
    at = document.components?.schemas?.[nameOf(at.$ref)] ?? {};
  }
  return at;
}

function typeOf(document: ApiDocument, schema: Schema): string {
  const { type, items } = schema;
  if (type === 'array' && items !== undefined) {
    return t.listOf(typeOf(document, resolved(document, items)));
  }
  if (typeof type === 'object') return t.or(type);
  if (type !== undefined) return type;
  if (schema.enum !== undefined) return typeof schema.enum[0];
  if (schema.const !== undefined) return typeof schema.const;
  return schema.properties === undefined ? t.anything : 'object';
}

function notesOf(schema: Schema): string[] {
  const { format, pattern, writeOnly, uniqueItems } = schema;
  const least = schema.minimum ?? schema.exclusiveMinimum;
  const most = schema.maximum ?? schema.exclusiveMaximum;
  return [
    format ?? '',
    t.between(t.values, least, most, schema.exclusiveMinimum !== undefined),
    t.between(t.characters, schema.minLength, schema.maxLength),
    t.between(t.items, schema.minItems, schema.maxItems),
    t.between(t.members, schema.minProperties, schema.maxProperties),
    uniqueItems === true ? t.unique : '',
    // The format replaces the pattern.
    pattern === undefined || format !== undefined ? '' : t.pattern(pattern),
    schema.default === undefined ? '' : t.byDefault(JSON.stringify(schema.default)),
    writeOnly === true ? t.writeOnly : '',
  ].filter((note) => note !== '');
}

const leaf = ({ name, isRequired }: Place): SchemaNode => ({
  ...{ name, isRequired, type: '', notes: [], values: [], description: '', children: [] },
});

const nameOf = ($ref: string): string => $ref.split('/').at(-1) ?? '';

const constantOf = (schema: Schema): unknown => (schema.type === 'null' ? null : schema.const);

/** Returns the schema without its alternatives. */
function bare({ anyOf: _anyOf, oneOf: _oneOf, ...rest }: Schema): Schema {
  return rest;
}
