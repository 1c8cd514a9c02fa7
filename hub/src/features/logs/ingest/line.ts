// Parses a line of a log batch: leniently where a model's response may be irregular, strictly where its structure
// matters.

import { parseExactly } from '@gatewarden/shared/json-keys.ts';
import { mayRound, parseKeeping } from '@gatewarden/shared/json-numbers.ts';
import { redactText } from '@gatewarden/shared/redaction/text.ts';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { sanitizeText } from '../../../platform/db/text-sanitizing.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { checkDepth, isObject } from '../../../platform/http/json/parse-json.ts';

const MAX_DEPTH = 100;

/** Returns the error of a line with its number and a JSON pointer. */
export function badLine(number: number, pointer: string, fault: string): HubError {
  return new HubError(
    'invalid_request',
    // Names in a pointer come from the sender, so they are redacted.
    `line ${number}: ${pointer === '' ? '/' : redactText(pointer)} ${fault}`,
  );
}

export type LineReader<Line> = (bytes: Buffer, number: number) => Line;

/** The path from the line to a field. */
export type FieldPath = readonly [string, ...string[]];

/**
 * Returns a reader of lines of a schema; in the free-form fields numbers keep every digit. Throws `invalid_request`
 * with the line's number and a pointer.
 */
export function lineReader<Line>(
  schema: TSchema,
  freeForm: readonly FieldPath[],
): LineReader<Line> {
  const compiled = Compile(schema);
  return (bytes, number) => {
    const text = bytes.toString('utf8');
    const value = parse(text, number);
    if (!compiled.Check(value)) throw toLineError(compiled.Errors(value), number);
    if (mayRound(text)) {
      const exact = sanitizeText(parseKeeping(text, parseExactly), text);
      for (const path of freeForm) putField(value, exact, path);
    }
    return value as Line;
  };
}

/** Copies the exact value of a free-form field, if present; typed fields have numbers. */
function putField(into: unknown, from: unknown, [name, ...rest]: FieldPath): void {
  if (!isObject(into) || !isObject(from) || !Object.hasOwn(from, name)) return;
  const [next, ...further] = rest;
  const field = from[name];
  if (next !== undefined) putField(into[name], field, [next, ...further]);
  else into[name] = JSON.isRawJSON(field) ? field.rawJSON : field;
}

function parse(text: string, number: number): unknown {
  try {
    checkDepth(text, MAX_DEPTH);
  } catch {
    throw badLine(number, '', `is nested deeper than ${MAX_DEPTH} levels`);
  }
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch (error) {
    // The position only: the engine's message quotes the line.
    const at = /position (\d+)/.exec((error as Error).message)?.[1];
    throw badLine(
      number,
      '',
      `is not valid JSON${at === undefined ? '' : `, from character ${at} on`}`,
    );
  }
  // Bytes that are not UTF-8 were replaced by the decoder.
  return sanitizeText(value, text);
}

interface SchemaError {
  keyword: string;
  instancePath: string;
  message: string;
  params?: object;
}

/** A pattern does not explain what is wrong with a time. */
const TIMES = /\/(?:timestamp|started_at|completed_at)$/;
const TIME_WORDS = 'must be a time with its offset, like 2026-01-31T12:00:00.123Z';

/** Returns the deepest error of the schema, with all alternatives at that position. */
function toLineError(errors: readonly SchemaError[], number: number): HubError {
  const [worst] = [...errors]
    .filter(({ keyword }) => keyword !== 'anyOf' || errors.length === 1)
    .sort((a, b) => b.instancePath.length - a.instancePath.length);
  if (worst === undefined) return badLine(number, '', 'is not valid');
  const { requiredProperties, allowedValues } = (worst.params ?? {}) as Params;
  const missing = requiredProperties?.[0];
  if (missing !== undefined) {
    return badLine(number, `${worst.instancePath}/${missing}`, 'is required');
  }
  const isTime = worst.keyword === 'pattern' && TIMES.test(worst.instancePath);
  if (isTime) return badLine(number, worst.instancePath, TIME_WORDS);
  const alternatives = allowedValues ?? typesAt(errors, worst);
  const fault = alternatives.length > 1 ? `must be ${eitherOf(alternatives)}` : worst.message;
  return badLine(number, worst.instancePath, fault);
}

interface Params {
  requiredProperties?: string[];
  allowedValues?: string[];
}

/** Returns the types that the alternatives of a union allow at this position. */
function typesAt(errors: readonly SchemaError[], { keyword, instancePath }: SchemaError): string[] {
  if (keyword !== 'type') return [];
  const atPath = errors.filter(
    (error) => error.keyword === 'type' && error.instancePath === instancePath,
  );
  return [...new Set(atPath.map(({ params }) => String((params as { type?: string }).type)))];
}

const eitherOf = (names: readonly string[]) =>
  `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
