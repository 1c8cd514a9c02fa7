// Checks of what comes from outside (the hub, a scan's children) against JSON schemas, in place of the library that the wire's
// schemas are written with: that costs a service 18 MB. The wire's schemas come from `answers.json`, derived from the shared ones.

/** The supported part of JSON schema; any other keyword is refused when the check is built, not ignored. */
export interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly format?: string;
  readonly description?: string;
}

/** The place at which a value differs from its schema, and what the schema requires. */
export interface Fault {
  /** A JSON pointer; empty: the value itself. */
  pointer: string;
  reason: string;
}

/** Returns null for a value that matches the schema. */
export type Check = (value: unknown, pointer?: string) => Fault | null;

const KEYWORDS = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'minProperties',
  'maxProperties',
  'items',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'enum',
  'const',
  'anyOf',
  // The format repeats the pattern beside it.
  'format',
  'description',
]);

/** Makes the check of a schema. */
export function makeCheck(schema: JsonSchema): Check {
  const unknown = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword));
  if (unknown !== undefined) throw new Error(`a schema's "${unknown}" is not understood`);
  if (schema.anyOf !== undefined) return anyOf(schema.anyOf.map(makeCheck));
  if (schema.enum !== undefined) return alternativesOf(schema.enum);
  if ('const' in schema) return alternativesOf([schema.const]);
  switch (schema.type) {
    case 'object':
      return objectCheck(schema);
    case 'array':
      return arrayCheck(schema);
    case 'string':
      return stringCheck(schema);
    case 'integer':
    case 'number':
      return numberCheck(schema);
    case 'boolean':
      return (value, pointer) => (typeof value === 'boolean' ? null : fault(pointer, 'a boolean'));
    case 'null':
      return (value, pointer) => (value === null ? null : fault(pointer, 'null'));
    default:
      throw new Error(`a schema's type "${schema.type}" is not understood`);
  }
}

function fault(pointer: string | undefined, wanted: string): Fault {
  return { pointer: pointer ?? '', reason: `must be ${wanted}` };
}

function anyOf(checks: readonly Check[]): Check {
  return (value, pointer) => {
    let last: Fault | null = null;
    for (const check of checks) {
      const found = check(value, pointer);
      if (found === null) return null;
      // The alternative with the deepest fault is the most informative.
      if (last === null || found.pointer.length > last.pointer.length) last = found;
    }
    return last;
  };
}

function alternativesOf(values: readonly unknown[]): Check {
  const allowed = new Set(values);
  return (value, pointer) =>
    allowed.has(value) ? null : fault(pointer, `one of ${values.join(', ')}`);
}

function objectCheck(schema: JsonSchema): Check {
  const { required = [], properties = {} } = schema;
  const checks = Object.entries(properties).map(([name, property]) => ({
    name,
    check: makeCheck(property),
  }));
  const checkNames = namesCheck(schema);
  return (value, pointer = '') => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return fault(pointer, 'an object');
    }
    const fields = value as Record<string, unknown>;
    const missing = required.find((name) => !Object.hasOwn(fields, name));
    if (missing !== undefined) return fault(`${pointer}/${missing}`, 'there');
    for (const { name, check } of checks) {
      if (!Object.hasOwn(fields, name) || fields[name] === undefined) continue;
      const found = check(fields[name], `${pointer}/${name}`);
      if (found !== null) return found;
    }
    return checkNames?.(fields, pointer) ?? null;
  };
}

/** Checks number and names of an object's fields; null where the schema allows any. */
function namesCheck({
  properties = {},
  additionalProperties,
  minProperties = 0,
  maxProperties = Infinity,
}: JsonSchema): ((fields: object, pointer: string) => Fault | null) | null {
  const known = additionalProperties === false ? new Set(Object.keys(properties)) : null;
  if (known === null && minProperties === 0 && maxProperties === Infinity) return null;
  return (fields, pointer) => {
    const names = Object.keys(fields);
    const extra = known === null ? undefined : names.find((name) => !known.has(name));
    if (extra !== undefined) return fault(`${pointer}/${extra}`, 'left out');
    return names.length < minProperties || names.length > maxProperties
      ? fault(pointer, 'of another size')
      : null;
  };
}

function arrayCheck({ items, minItems = 0, maxItems = Infinity }: JsonSchema): Check {
  const check = items === undefined ? null : makeCheck(items);
  return (value, pointer = '') => {
    if (!Array.isArray(value)) return fault(pointer, 'a list');
    if (value.length < minItems || value.length > maxItems)
      return fault(pointer, 'of another length');
    if (check === null) return null;
    for (let i = 0; i < value.length; i++) {
      const found = check(value[i], `${pointer}/${i}`);
      if (found !== null) return found;
    }
    return null;
  };
}

function stringCheck({ minLength = 0, maxLength = Infinity, pattern }: JsonSchema): Check {
  const form = pattern === undefined ? null : new RegExp(pattern, 'u');
  return (value, pointer) => {
    if (typeof value !== 'string') return fault(pointer, 'a text');
    if (value.length < minLength || value.length > maxLength) {
      return fault(pointer, 'of another length');
    }
    return form === null || form.test(value) ? null : fault(pointer, 'of another form');
  };
}

function numberCheck(schema: JsonSchema): Check {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const whole = schema.type === 'integer';
  return (value, pointer) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return fault(pointer, 'a number');
    if (whole && !Number.isInteger(value)) return fault(pointer, 'a whole number');
    return value < minimum || value > maximum ? fault(pointer, 'within its bounds') : null;
  };
}
