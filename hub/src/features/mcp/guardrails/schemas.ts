// JSON schemas of tenants for tool arguments. Only keywords whose evaluation is linear in the arguments are supported: no
// references (they can recurse), no formats, no uniqueItems; patterns run on RE2.

import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { patternProblem } from '../../../platform/linear-patterns.ts';
import { runWithTimeBudget, type TimeBudget } from './time-budget.ts';

const SCHEMA_MAX_CHARS = 32 * 1024;
const NODES_MAX = 500;
const DEPTH_MAX = 16;

const PLAIN = new Set(
  'type required minItems maxItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern enum const minProperties maxProperties minContains maxContains dependentRequired title description default examples $schema $comment'.split(
    ' ',
  ),
);
const ONE = new Set(
  'additionalProperties propertyNames items contains not if then else unevaluatedProperties'.split(
    ' ',
  ),
);
const MANY = new Set('anyOf oneOf allOf prefixItems'.split(' '));
const NAMED = new Set('properties patternProperties dependentSchemas'.split(' '));
const KEYWORDS = new Set([...PLAIN, ...ONE, ...MANY, ...NAMED]);

/** Returns the problem of a schema with its location, or null. */
export function schemaProblem(schema: Record<string, unknown>): string | null {
  if (JSON.stringify(schema).length > SCHEMA_MAX_CHARS) return ' is longer than 32 KiB';
  const problem = nodeProblem(schema, '', 0, { nodes: 0 });
  if (problem !== null) return problem;
  try {
    compileSchema(schema, {});
    return null;
  } catch (error) {
    return ` cannot be used: ${(error as Error).message.slice(0, 200)}`;
  }
}

/** Returns the problem of a schema at a JSON pointer, or of a schema inside it. `count` spans the whole schema. */
function nodeProblem(
  node: unknown,
  at: string,
  depth: number,
  count: { nodes: number },
): string | null {
  if (typeof node === 'boolean') return null;
  if (!isObject(node)) return `${at} must be a schema`;
  if (++count.nodes > NODES_MAX) return ` has more than ${NODES_MAX} schemas`;
  if (depth > DEPTH_MAX) return `${at} is nested deeper than ${DEPTH_MAX}`;
  for (const [name, value] of Object.entries(node)) {
    const here = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const invalid = patternsOf(name, value).map(patternProblem).find(Boolean);
    if (invalid) return `${here} cannot be used: ${invalid}`;
    if (!KEYWORDS.has(name)) return `${here} is not supported in rules`;
    for (const [child, pointer] of childrenOf(name, value, here)) {
      const problem = nodeProblem(child, pointer, depth + 1, count);
      if (problem !== null) return problem;
    }
  }
  return null;
}

/** Returns the regular expressions of a keyword. */
function patternsOf(name: string, value: unknown): string[] {
  if (name === 'pattern' && typeof value === 'string') return [value];
  return name === 'patternProperties' && isObject(value) ? Object.keys(value) : [];
}

/** Returns the schemas inside a keyword with their JSON pointers. */
function childrenOf(name: string, value: unknown, at: string): [unknown, string][] {
  if (ONE.has(name)) return [[value, at]];
  if (MANY.has(name) && Array.isArray(value)) return value.map((item, i) => [item, `${at}/${i}`]);
  if (!NAMED.has(name) || !isObject(value)) return [];
  return Object.entries(value).map(([key, child]) => [child, `${at}/${key}`]);
}

export interface CompiledSchema {
  validate: ValidateFunction;
  patterns: number;
}

/** Compiles a schema that was validated when it was stored; validation takes long. */
export const compileValidSchema = (schema: Record<string, unknown>): CompiledSchema =>
  compileSchema(schema, { meta: false, validateSchema: false });

/** Throws where it is no schema. */
function compileSchema(schema: Record<string, unknown>, more: Options): CompiledSchema {
  let patterns = 0;
  const linear = Object.assign(
    (pattern: string) => {
      patterns++;
      const compiled = RE2JS.compile(pattern);
      // Ajv identifies patterns by their text.
      return { test: (text: string) => compiled.test(text), toString: () => `/${pattern}/` };
    },
    { code: 'linear' },
  );
  // An instance per schema, because an instance caches everything that it compiled.
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    allErrors: false,
    messages: true,
    // Inherited properties are no arguments.
    ownProperties: true,
    code: { regExp: linear as never },
    ...more,
  });
  const { $schema: _dialect, ...rest } = schema;
  const validate = ajv.compile(rest);
  return { validate, patterns };
}

/** Returns the first violation, or null for valid arguments. Throws ScanTimeoutError without time left. */
export function findViolation(
  { validate, patterns }: CompiledSchema,
  value: unknown,
  left: TimeBudget,
): { pointer: string; problem: string } | null {
  if (runWithTimeBudget(value, patterns, left, () => validate(value))) return null;
  const [error] = validate.errors ?? [];
  const missing = error?.keyword === 'required' ? `/${String(error.params.missingProperty)}` : '';
  const extra =
    error?.keyword === 'additionalProperties' ? `/${String(error.params.additionalProperty)}` : '';
  return {
    pointer: `${error?.instancePath ?? ''}${missing}${extra}`.slice(0, 500),
    problem: error?.message ?? 'is not allowed',
  };
}
