// One line of a log batch: read leniently where a model's answer may be odd, strictly where its shape matters.

import { parseExactly } from '@gatewarden/shared/json-keys.ts';
import { mayRound, parseKeeping } from '@gatewarden/shared/json-numbers.ts';
import { redactText } from '@gatewarden/shared/redaction/text.ts';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { sanitizeText } from '../../../platform/db/text-sanitizing.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { checkDepth, isObject } from '../../../platform/http/json/parse-json.ts';

const MAX_DEPTH = 100;

/** Where a line is wrong: its number, and a JSON pointer into it. */
export function badLine(number: number, pointer: string, words: string): HubError {
  return new HubError(
    'invalid_request',
    // Names below may be anybody's.
    `line ${number}: ${pointer === '' ? '/' : redactText(pointer)} ${words}`,
  );
}

export type LineReader<Line> = (bytes: Buffer, number: number) => Line;

/** The way to a field from the line on. */
export type FieldPath = readonly [string, ...string[]];

/**
 * Reads lines of one schema; in the fields that are named numbers keep every digit. Throws `invalid_request` with the
 * line's number and a pointer.
 */
export function lineReader<Line>(
  schema: TSchema,
  freeForm: readonly FieldPath[],
): LineReader<Line> {
  const compiled = Compile(schema);
  return (bytes, number) => {
    const text = bytes.toString('utf8');
    const value = parse(text, number);
    if (!compiled.Check(value)) throw complaint(compiled.Errors(value), number);
    if (mayRound(text)) {
      const kept = sanitizeText(parseKeeping(text, parseExactly), text);
      for (const path of freeForm) putField(value, kept, path);
    }
    return value as Line;
  };
}

/** Where the field is there: in fields of a type a number is one. */
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
    // Only the place: the engine's own words quote the line.
    const at = /position (\d+)/.exec((error as Error).message)?.[1];
    throw badLine(
      number,
      '',
      `is not valid JSON${at === undefined ? '' : `, from character ${at} on`}`,
    );
  }
  // Raw bytes that are no UTF-8 were replaced when they were decoded.
  return sanitizeText(value, text);
}

interface Complaint {
  keyword: string;
  instancePath: string;
  message: string;
  params?: object;
}

/** A pattern tells nobody what is wrong with a time. */
const TIMES = /\/(?:timestamp|started_at|completed_at)$/;
const TIME_WORDS = 'must be a time with its offset, like 2026-01-31T12:00:00.123Z';

/** The deepest place that a schema complains of, with all that could stand there. */
function complaint(found: readonly Complaint[], number: number): HubError {
  const [worst] = [...found]
    .filter(({ keyword }) => keyword !== 'anyOf' || found.length === 1)
    .sort((a, b) => b.instancePath.length - a.instancePath.length);
  if (worst === undefined) return badLine(number, '', 'is not valid');
  const { requiredProperties, allowedValues } = (worst.params ?? {}) as Params;
  const missing = requiredProperties?.[0];
  if (missing !== undefined) {
    return badLine(number, `${worst.instancePath}/${missing}`, 'is required');
  }
  const isTime = worst.keyword === 'pattern' && TIMES.test(worst.instancePath);
  if (isTime) return badLine(number, worst.instancePath, TIME_WORDS);
  const alternatives = allowedValues ?? typesAt(found, worst);
  const words = alternatives.length > 1 ? `must be ${eitherOf(alternatives)}` : worst.message;
  return badLine(number, worst.instancePath, words);
}

interface Params {
  requiredProperties?: string[];
  allowedValues?: string[];
}

/** Of a union, what each alternative asks for in the place of what was found. */
function typesAt(found: readonly Complaint[], { keyword, instancePath }: Complaint): string[] {
  if (keyword !== 'type') return [];
  const here = found.filter((one) => one.keyword === 'type' && one.instancePath === instancePath);
  return [...new Set(here.map(({ params }) => String((params as { type?: string }).type)))];
}

const eitherOf = (names: readonly string[]) =>
  `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
