// Checks the words that people read: the text modules of the console, the error list and its help.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_SECTIONS } from '../../hub/src/platform/http/errors/error-help.ts';
import { ERRORS } from '../../hub/src/platform/http/errors/error-list.ts';
import { BANNED } from '../support/banned-words.ts';

const CONSOLE = join(import.meta.dirname, '../../hub/console/src');

/** Terms of the field that contain a banned word. */
const ALLOWED: readonly RegExp[] = [/^Drift hold lifted$/];

/** Returns every string in a value; of a function, the literals of its source. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') {
    const source = String(value);
    const literals = source.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`/g);
    return [...literals].map(([, single, double, template]) =>
      (single ?? double ?? template ?? '').replaceAll(/\$\{[^}]*\}/g, '…'),
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** Returns the banned words of a text, with what to use instead. */
function bannedIn(text: string): string[] {
  if (ALLOWED.some((allowed) => allowed.test(text))) return [];
  return BANNED.filter(([words]) => words.test(text)).map(
    ([, instead]) => `${text}  (use: ${instead})`,
  );
}

const modules = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' }).filter(
  (path) =>
    /(^|[/-])(texts(-\w+)?|nav-texts)\.ts$|-texts\.ts$|(^|\/)labels\.ts$/.test(path) &&
    !path.includes('time-text'),
);

test('finds the text modules of the console', () => {
  expect(modules.length).toBeGreaterThan(30);
});

test.each(modules)('%s has no banned word', async (path) => {
  const module: Record<string, unknown> = await import(join(CONSOLE, path));
  expect(stringsIn(Object.values(module)).flatMap(bannedIn)).toEqual([]);
});

test('summaries of API operations have no banned word', () => {
  const document = readFileSync(join(import.meta.dirname, '../../hub/openapi.json'), 'utf8');
  const { paths } = JSON.parse(document) as {
    paths: Record<string, Record<string, { summary?: string }>>;
  };
  const summaries = Object.values(paths).flatMap((operations) =>
    Object.values(operations).map(({ summary }) => summary ?? ''),
  );
  expect(summaries.length).toBeGreaterThan(100);
  expect(summaries.flatMap(bannedIn)).toEqual([]);
});

test('error messages have no banned word', () => {
  const messages = Object.values(ERRORS).map(({ message }) => message);
  expect(messages.flatMap(bannedIn)).toEqual([]);
});

test('help texts of errors have no banned word', () => {
  expect(stringsIn(ERROR_SECTIONS).flatMap(bannedIn)).toEqual([]);
});

test.each([
  'The decision is withdrawn.',
  'What was told meanwhile',
  'Configuration (JSON)',
  'vendorG region',
  'Enrolment of your organisation',
  'Nobody decided this',
])('finds the banned words of "%s"', (text) => {
  expect(bannedIn(text)).not.toEqual([]);
});

test('finds words in functions and nested values', () => {
  const texts = { a: { b: (name: string) => `The decision about ${name}` }, c: ['meanwhile'] };
  expect(stringsIn(texts).flatMap(bannedIn)).toHaveLength(2);
});
