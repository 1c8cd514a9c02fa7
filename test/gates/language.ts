// How far the code is from the field's language: private words, comments that open with a pronoun, test titles that are
// no claim. Measured for each folder; a budget remembers each folder's worst, and only falls.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from '@swc/core';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = ['*.ts', '*.tsx'];
const GENERATED = /openapi\.d\.ts$|\/vectors\//;
/** Deeper folders count for their parent of this depth, so that a feature has a single budget. */
const DEPTH = 5;

/** Words by their meaning in private use; `target`: uses for each 1,000 lines that are ordinary English. */
export const WORDS = {
  tell: { pattern: /\b(tell|tells|told)\b/gi, target: 0.5 },
  say: { pattern: /\b(say|says|said)\b/gi, target: 0.5 },
  hold: { pattern: /\b(hold|holds|held)\b/gi, target: 0.7 },
  stand: { pattern: /\b(stand|stands|stood)\b/gi, target: 0.3 },
  one: { pattern: /\bone\b/g, target: 3 },
} as const;

/** Shares of all comments and of all test titles. */
export const OPENERS = {
  pattern:
    /^(what|who|whose|whom|of|one|it|as|where|those|that|which|whoever|nothing|by|with|for whom)\b/i,
  target: 0.03,
};
export const TITLES = {
  pattern:
    /^(what|who|whoever|whose|of|one|it|as|where|nothing|the|a|an|by|with|is|are|in|on|at|to|for|from|and|or|that|those|which|each|its|their|nobody|somebody|also|only|but|such)\b/i,
  target: 0.03,
};

/** The product uses the field's word for a check of input at least this often, in uses per 1,000 lines. */
export const VALIDATION = {
  pattern: /\bvalidat(e|es|ed|ing|ion|ions|or|ors)\b/gi,
  minimum: 0.5,
};

export type Measure = keyof typeof WORDS | 'openers' | 'titles';
export type Language = Partial<Record<Measure, number>>;

const TARGETS: Record<Measure, number> = {
  ...(Object.fromEntries(
    Object.entries(WORDS).map(([name, { target }]) => [name, target]),
  ) as Record<keyof typeof WORDS, number>),
  openers: OPENERS.target,
  titles: TITLES.target,
};

const COMMENT =
  /(?:^|\n)[ \t]*(?:\/\*\*?\s*\n?[ \t]*\*?[ \t]*([^\n*]+)|(?<!\/\/[^\n]*\n[ \t]*)\/\/[ \t]*([^\n]+))/g;

/** Modifiers with an argument of their own before the title: `it.each(rows)('title', …)`. */
const PARAMETERIZED = /^(each|for|skipIf|runIf)$/;

/** A node of the syntax tree of swc, as far as titles need it. */
interface Node {
  type: string;
  value?: string;
  callee?: Node;
  tag?: Node;
  object?: Node;
  property?: Node;
  quasis?: { raw: string }[];
  arguments?: { expression: Node }[];
}

/**
 * Returns the titles of the tests in a TypeScript source, whatever their modifiers: `it.each<Row>(rows)(…)`, `it.each` with a
 * table, `test.skipIf(x).for(rows)(…)`. Each expression of a template is `{}`. A title in a variable is left out.
 */
export function testTitles(text: string, tsx = false): string[] {
  const titles: string[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'CallExpression' && isTestCall(node.callee)) {
      const title = titleText(node.arguments?.[0]?.expression);
      if (title !== null) titles.push(title);
    }
    for (const child of Object.values(node)) {
      if (Array.isArray(child)) child.filter(isObject).forEach(visit);
      else if (isObject(child)) visit(child);
    }
  };
  visit(parseSync(text, { syntax: 'typescript', tsx, target: 'es2024' }) as Node);
  return titles;
}

const isObject = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Returns whether the arguments of a call of `callee` begin with the title of a test. */
function isTestCall(callee: Node | undefined): boolean {
  if (callee?.type === 'MemberExpression' && PARAMETERIZED.test(callee.property?.value ?? '')) {
    return false;
  }
  let node = callee;
  while (node !== undefined && node.type !== 'Identifier') {
    node = node.callee ?? node.tag ?? node.object;
  }
  return node?.value === 'it' || node?.value === 'test';
}

function titleText(node: Node | undefined): string | null {
  if (node?.type === 'StringLiteral') return node.value ?? '';
  return node?.type === 'TemplateLiteral'
    ? (node.quasis ?? []).map(({ raw }) => raw).join('{}')
    : null;
}

interface Counts {
  lines: number;
  words: Record<keyof typeof WORDS, number>;
  comments: number;
  openers: number;
  titles: number;
  weakTitles: number;
}

/** Measures a folder's texts; the suffix of `path` marks tests. Only values above a target are returned. */
export function measureTexts(files: readonly { path: string; text: string }[]): Language {
  const counts: Counts = {
    lines: 0,
    words: { tell: 0, say: 0, hold: 0, stand: 0, one: 0 },
    ...{ comments: 0, openers: 0, titles: 0, weakTitles: 0 },
  };
  for (const { path, text } of files) count(counts, path, text);
  const rate = (uses: number) => (uses / counts.lines) * 1_000;
  const measured: Record<Measure, number> = {
    ...(Object.fromEntries(
      Object.entries(counts.words).map(([name, uses]) => [name, rate(uses)]),
    ) as Record<keyof typeof WORDS, number>),
    openers: counts.openers / Math.max(1, counts.comments),
    titles: counts.weakTitles / Math.max(1, counts.titles),
  };
  const above = Object.entries(measured).filter(
    ([name, value]) => value > TARGETS[name as Measure],
  );
  return Object.fromEntries(above.map(([name, value]) => [name, roundedUp(value)]));
}

/** Returns the text with names in words: a reader sees `reserveBody` as two words. */
const splitNames = (text: string): string =>
  text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');

/** Returns the uses of "validate" and its forms per 1,000 lines of all texts. */
export function measureValidation(texts: readonly string[]): number {
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length, 0);
  const uses = texts.reduce(
    (sum, text) => sum + (splitNames(text).match(VALIDATION.pattern)?.length ?? 0),
    0,
  );
  return (uses / Math.max(1, lines)) * 1_000;
}

function count(counts: Counts, path: string, text: string): void {
  counts.lines += text.split('\n').length;
  const words = splitNames(text);
  for (const [name, { pattern }] of Object.entries(WORDS)) {
    counts.words[name as keyof typeof WORDS] += words.match(pattern)?.length ?? 0;
  }
  for (const [, block, line] of text.matchAll(COMMENT)) {
    const first = (block ?? line ?? '').trim();
    if (first === '' || /^(@|biome|eslint|https?:)/.test(first)) continue;
    counts.comments += 1;
    if (OPENERS.pattern.test(first)) counts.openers += 1;
  }
  if (!/\.test\.tsx?$/.test(path)) return;
  for (const title of testTitles(text, path.endsWith('x'))) {
    counts.titles += 1;
    if (TITLES.pattern.test(title.trim())) counts.weakTitles += 1;
  }
}

/** A budget with all digits of a share would fail for a line that was removed elsewhere. */
const roundedUp = (value: number): number => Math.ceil(value * 100) / 100;

/** Returns the paths of the measured sources of a checkout. */
function listSources(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', ...SOURCES], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return listed.split('\n').filter((path) => path !== '' && !GENERATED.test(path));
}

/** Returns the text of every measured source of a checkout. */
export const readSources = (root = ROOT): string[] =>
  listSources(root).map((path) => readFileSync(join(root, path), 'utf8'));

/** Returns the folder whose budget counts a file. */
export const folderOf = (path: string): string =>
  dirname(path).split('/').slice(0, DEPTH).join('/');

/** Measures every folder of the checkout; folders at the targets are left out. */
export function measureLanguage(root = ROOT): Record<string, Language> {
  const folders = Map.groupBy(listSources(root), folderOf);
  const measured = [...folders].map(
    ([folder, files]) =>
      [
        folder,
        measureTexts(files.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))),
      ] as const,
  );
  return Object.fromEntries(measured.filter(([, above]) => Object.keys(above).length > 0).sort());
}

/** Returns a line for each folder and measure that is above its budget. */
export function languageGrown(
  measured: Record<string, Language>,
  budget: Record<string, Language>,
): string[] {
  return Object.entries(measured).flatMap(([folder, above]) =>
    Object.entries(above).flatMap(([name, value]) => {
      const measure = name as Measure;
      const allowed = Math.max(budget[folder]?.[measure] ?? 0, TARGETS[measure]);
      return value > allowed + SLACK ? [`${folder}: ${name} ${value} (budget: ${allowed})`] : [];
    }),
  );
}

/** Rounding of a folder that lost lines. */
const SLACK = 0.011;
