// How far the code is from the field's language: private words, comments that open with a pronoun, test titles that are
// no claim. Measured for each folder; a budget remembers each folder's worst, and only falls.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = ['*.ts', '*.tsx'];
const GENERATED = /openapi\.d\.ts$|\/vectors\//;
/** Folders are told apart to this depth: a feature is one, whatever it has below. */
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
const TITLE = /\b(?:it|test)(?:\.\w+(?:\([^)]*\))?)?\(\s*['"`]([^'"`]+)/g;

interface Counts {
  lines: number;
  words: Record<keyof typeof WORDS, number>;
  comments: number;
  openers: number;
  titles: number;
  weakTitles: number;
}

/** Measures texts of one folder; `path` tells tests from other files. Only what is above a target is returned. */
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

function count(counts: Counts, path: string, text: string): void {
  counts.lines += text.split('\n').length;
  // `reserveBody` is two words to a reader.
  const words = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
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
  for (const [, title = ''] of text.matchAll(TITLE)) {
    counts.titles += 1;
    if (TITLES.pattern.test(title.trim())) counts.weakTitles += 1;
  }
}

/** A budget with all digits of a share would fail for a line that was removed elsewhere. */
const roundedUp = (value: number): number => Math.ceil(value * 100) / 100;

/** Measures every folder of the checkout; folders at the targets are left out. */
export function measureLanguage(root = ROOT): Record<string, Language> {
  const listed = execFileSync('git', ['ls-files', ...SOURCES], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const paths = listed.split('\n').filter((path) => path !== '' && !GENERATED.test(path));
  const folders = Map.groupBy(paths, (path) => dirname(path).split('/').slice(0, DEPTH).join('/'));
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
