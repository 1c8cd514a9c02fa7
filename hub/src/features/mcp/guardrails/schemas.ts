// Schemas that arguments must meet, as tenants write them: only what takes time in proportion to the arguments, and that
// not without end. No references (they can nest without end), no formats and no comparing of all with all; patterns run
// on RE2.

import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { patternProblem } from './patterns.ts';
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

/** Returns the problem of a schema with its location, or null. */
export function schemaProblem(schema: Record<string, unknown>): string | null {
  if (JSON.stringify(schema).length > SCHEMA_MAX_CHARS) return ' is longer than 32 KiB';
  let nodes = 0;
  const look = (node: unknown, at: string, depth: number): string | null => {
    if (typeof node === 'boolean') return null;
    if (!isObject(node)) return `${at} must be a schema`;
    if (++nodes > NODES_MAX) return ` holds more than ${NODES_MAX} schemas`;
    if (depth > DEPTH_MAX) return `${at} is nested deeper than ${DEPTH_MAX}`;
    for (const [name, value] of Object.entries(node)) {
      const here = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const patterns =
        name === 'pattern' && typeof value === 'string'
          ? [value]
          : name === 'patternProperties' && isObject(value)
            ? Object.keys(value)
            : [];
      const odd = patterns.map(patternProblem).find((pattern) => pattern !== null);
      if (odd !== undefined) return `${here} cannot be used: ${odd}`;
      const children: [unknown, string][] = ONE.has(name)
        ? [[value, here]]
        : MANY.has(name) && Array.isArray(value)
          ? value.map((item, i): [unknown, string] => [item, `${here}/${i}`])
          : NAMED.has(name) && isObject(value)
            ? Object.entries(value).map(([key, value]): [unknown, string] => [
                value,
                `${here}/${key}`,
              ])
            : [];
      if (children.length === 0 && !PLAIN.has(name) && !MANY.has(name) && !NAMED.has(name)) {
        return `${here} is not supported in rules`;
      }
      for (const [child, where] of children) {
        const problem = look(child, where, depth + 1);
        if (problem !== null) return problem;
      }
    }
    return null;
  };
  const problem = look(schema, '', 0);
  if (problem !== null) return problem;
  try {
    compileSchema(schema, {});
    return null;
  } catch (error) {
    return ` cannot be used: ${(error as Error).message.slice(0, 200)}`;
  }
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
