// Examples for the OpenAPI document, made from schemas: a pure function with sensible values by the names of properties. A test
// validates every example against its schema.

interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  minProperties?: number;
  items?: Schema;
  minItems?: number;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

export type Schemas = Readonly<Record<string, unknown>>;

const DEPTH_MAX = 9;
const UUID = '01900000-0000-7000-8000-000000000001';
const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const TIME = '2026-01-31T12:00:00Z';

/** Texts by the name of a property. The first pattern that fits and whose value the schema accepts decides. */
const TEXTS: readonly (readonly [name: RegExp, text: string])[] = [
  [/^subscriber_id$/, 'ada@example.com'],
  [/^(request_id|.*_id|id)$/, UUID],
  [/(sha256|_hash|^hash)$/, SHA256],
  [/(_at|_time|^time|^timestamp|^from|^until|^to)$/, TIME],
  [/^(version|etag)$/, '"3"'],
  [/^os_version$/, 'Debian GNU/Linux 13'],
  [/(agent_version|minimum_version)$/, '0.1.0'],
  [/email|^user$|^actor$|members$/, 'ada@example.com'],
  [/(^|_)(url|uri|origin)$|_url$/, 'https://example.com/hook'],
  [/^(cursor|next_cursor)$/, 'eyJhZnRlciI6MX0'],
  [/hostname/, 'ada-laptop'],
  [/platform/, 'linux'],
  [/^arch$/, 'x86_64'],
  [/publisher|vendor/, 'Example Inc.'],
  [/process/, 'example-app'],
  [/^(path|executables?)$/, '/usr/bin/example-app'],
  [/^(tool|tool_name)$/, 'search_issues'],
  [/^slug$|^label$/, 'main'],
  [/^(reason|note|description|comment)$/, 'The project needs it.'],
  [/^message$/, 'Example App was blocked.'],
  [/^(model|.*_model)s?$/, 'example-model'],
  [/^timezone$/, 'Europe/Berlin'],
  [/^locale$|language/, 'en'],
  [/ip$|address/, '192.0.2.10'],
  [/^day$|^date$/, '2026-01-31'],
  [/password/, 'correct horse battery staple'],
  [/^(secret|key|token|api_key)$|_(secret|key|token)$/, 'secret-value'],
  [/^(application_)?name$|display/, 'Example App'],
];

/** Texts for patterns that no name explains; the first that fits is used. */
const FALLBACKS = [
  'example',
  UUID,
  SHA256,
  TIME,
  '1',
  '50',
  '2026-01-31',
  'ada@example.com',
  'example.com',
  'https://example.com',
  'https://example.com/hook',
  'example.com/callback',
  '/usr/bin/example-app',
  '1.2.3',
  '"3"',
  '9f86d081884c7d659a2feaa0c55ad015',
  'day',
  `${'A'.repeat(43)}`,
  `${'A'.repeat(86)}==`,
];

const FORMATS: Readonly<Record<string, string>> = {
  uuid: UUID,
  'date-time': TIME,
  date: '2026-01-31',
  email: 'ada@example.com',
  uri: 'https://example.com/hook',
};

/** Examples of messages whose content an external standard prescribes, by the title of the schema. */
const MESSAGES: Readonly<Record<string, object>> = {
  ScimUserInput: {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'ada@example.com',
    displayName: 'Ada Lovelace',
    active: true,
  },
  ScimGroupInput: {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName: 'Reviewers',
  },
  ScimPatch: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'active', value: false }],
  },
  ScimResource: {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    id: UUID,
  },
};

/** `isAnswer`: answers show optional properties, too; requests show the required properties only. */
export interface ExampleOptions {
  schemas: Schemas;
  isAnswer: boolean;
}

/** Returns a value that the schema accepts. `name`: of the property or document, which chooses texts. */
export function exampleOf(schema: object, name: string, options: ExampleOptions): unknown {
  return make(schema as Schema, name, options, 0);
}

function make(given: Schema, name: string, options: ExampleOptions, depth: number): unknown {
  const message = MESSAGES[given.$ref?.split('/').at(-1) ?? ''];
  if (message !== undefined) return message;
  const schema = resolve(given, options.schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum.find((value) => value !== null) ?? null;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return makeAlternative(alternatives, name, options, depth);
  return makeByType(schema, name, options, depth);
}

/** Returns an example of the first alternative that is not null; null if the example is too deep. */
function makeAlternative(
  alternatives: readonly Schema[],
  name: string,
  options: ExampleOptions,
  depth: number,
): unknown {
  const first = alternatives.find(({ type }) => type !== 'null');
  const isTooDeep = depth > DEPTH_MAX && alternatives.some(({ type }) => type === 'null');
  return first === undefined || isTooDeep ? null : make(first, name, options, depth + 1);
}

function makeByType(schema: Schema, name: string, options: ExampleOptions, depth: number): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object' || schema.properties !== undefined) {
    return makeObject(schema, options, depth);
  }
  if (type === 'array') return makeArray(schema, name, options, depth);
  if (type === 'integer' || type === 'number') return makeNumber(schema, name);
  if (type === 'boolean') return !/disabled|deleted|suspended|truncated|cut$/.test(name);
  return type === 'null' ? null : makeText(schema, name);
}

function resolve(schema: Schema, schemas: Schemas): Schema {
  const title = schema.$ref?.split('/').at(-1);
  return title === undefined ? schema : resolve((schemas[title] ?? {}) as Schema, schemas);
}

function makeObject(schema: Schema, options: ExampleOptions, depth: number): object {
  const members = Object.entries(schema.properties ?? {});
  const isRequired = ([name]: [string, Schema]) => schema.required?.includes(name) === true;
  const required = members.filter(isRequired);
  const optional = members.filter((member) => !isRequired(member));
  // An example of a change that changes nothing would show nothing.
  const least = Math.max(schema.minProperties ?? 0, depth === 0 ? 1 : 0);
  const isComplete = options.isAnswer && depth < DEPTH_MAX / 2;
  const shown = isComplete ? optional : optional.slice(0, Math.max(0, least - required.length));
  return Object.fromEntries(
    members
      .filter((member) => required.includes(member) || shown.includes(member))
      .map(([name, property]) => [name, make(property, name, options, depth + 1)]),
  );
}

function makeArray(
  schema: Schema,
  name: string,
  options: ExampleOptions,
  depth: number,
): unknown[] {
  const least = schema.minItems ?? 0;
  if (schema.items === undefined || (depth > DEPTH_MAX && least === 0)) return [];
  return [make(schema.items, name.replace(/s$/, ''), options, depth + 1)];
}

/** Times as numbers are Unix seconds. */
function makeNumber({ minimum, maximum, exclusiveMinimum }: Schema, name: string): number {
  const wanted = /(_at|time)$/.test(name) ? 1_769_860_800 : 1;
  const least = minimum ?? (exclusiveMinimum === undefined ? wanted : exclusiveMinimum + 1);
  return Math.min(Math.max(wanted, least), maximum ?? Number.POSITIVE_INFINITY);
}

function makeText(schema: Schema, name: string): string {
  const named = TEXTS.filter(([pattern]) => pattern.test(name)).map(([, text]) => text);
  const formatted = FORMATS[schema.format ?? ''];
  const candidates = [...(formatted === undefined ? [] : [formatted]), ...named, ...FALLBACKS];
  const isValid = (text: string) => accepts(schema, text);
  return candidates.find(isValid) ?? 'x'.repeat(schema.minLength ?? 1);
}

function accepts({ pattern, minLength = 0, maxLength = 1_000 }: Schema, text: string): boolean {
  if (text.length < minLength || text.length > maxLength) return false;
  return pattern === undefined || new RegExp(pattern, 'u').test(text);
}
