// Measures of the documents: spelling, retired words, dates, long sentences and paragraphs, and links that lead nowhere. A budget
// remembers the exceptions of each file, and only falls.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { SUPPORTED } from '@gatewarden/hub/src/features/mcp/protocol/revisions.ts';
import { spellCheckDocument } from 'cspell-lib';
import GithubSlugger from 'github-slugger';

const WORD_LIST = join(import.meta.dirname, 'spelling-words.txt');

/** Largest mean of words per sentence, and largest number of words of a paragraph. */
export const LIMITS = { sentenceMean: 20, paragraphWords: 90 } as const;

/** Words that the glossary retired, with the words to use instead. */
const RETIRED: readonly (readonly [words: RegExp, instead: string])[] = [
  [/\b(tell|tells|told)\b/gi, 'report, notify, show'],
  [/\b(say|says|said)\b/gi, 'state, report, contain'],
  [/\b(stand|stands|stood)\b/gi, 'is, exists, applies'],
  [/\b(somebody|anybody|nobody|whoever)\b/gi, 'someone, anyone, no one, a user'],
  [/\benrol(s|ment|ments)?\b/gi, 'enroll, enrollment'],
  [/\b(farewells?|spokesm[ae]n|sightings?)\b/gi, 'tombstone, last accepted batch, observation'],
  [/\bMISSED\b/g, 'nothing: history belongs to git'],
  [/\balert routes?\b/gi, 'notification channel'],
  [/\b(organis|behaviour|licence|colour|cancelled)\w*/gi, 'American spelling'],
];

const DATE =
  /\b(19|20)\d\d-\d\d-\d\d\b|\b(January|February|March|April|May|June|July|August|September|October|November|December) (\d{1,2}, )?20\d\d\b/g;
/** History has dates: the changelog, and the status of a decision. */
const isHistory = (path: string, line: string) =>
  path === 'CHANGELOG.md' ||
  path === 'docs/adr/index.md' ||
  (path.startsWith('docs/adr/') && /status/i.test(line));

/** Returns dates; revisions of MCP are named by their date and do not count. */
export function findDates(path: string, prose: string): string[] {
  const lines = prose.split('\n').filter((line) => !isHistory(path, line));
  return (lines.join('\n').match(DATE) ?? []).filter((date) => !SUPPORTED.includes(date));
}

/** Counts of a file; `sentences` is the mean of words per sentence if it is above the limit. */
export interface DocumentMeasures {
  spelling?: number;
  retired?: number;
  dates?: number;
  sentences?: number;
  paragraphs?: number;
  links?: number;
}
export type Documents = Record<string, DocumentMeasures>;

/** Returns paths of all documents from the top of a checkout. */
export function listDocuments(root: string): string[] {
  return [...globSync('docs/**/*.md', { cwd: root }), ...globSync('*.md', { cwd: root })].sort();
}

/** Measures all documents of a checkout; files without a problem are left out. */
export async function measureDocuments(root: string): Promise<Documents> {
  const measured: Documents = {};
  for (const path of listDocuments(root)) {
    const text = readFileSync(join(root, path), 'utf8');
    const measures = {
      spelling: (await findMisspellings(path, text)).length,
      ...measureProse(path, text),
      links: findBrokenLinks(root, path, text).length,
    };
    const above = Object.entries(measures).filter(([, value]) => value > 0);
    if (above.length > 0) measured[path] = Object.fromEntries(above);
  }
  return measured;
}

/** Returns a line for each file and measure above its budget. */
export function documentsGrown(measured: Documents, budget: Documents): string[] {
  return Object.entries(measured).flatMap(([path, measures]) =>
    Object.entries(measures).flatMap(([name, value]) => {
      const allowed = budget[path]?.[name as keyof DocumentMeasures] ?? 0;
      return value > allowed ? [`${path}: ${name} ${value} (budget: ${allowed})`] : [];
    }),
  );
}

/** Returns retired words, dates, and sentences and paragraphs above the limits. */
export function measureProse(path: string, text: string): DocumentMeasures {
  const prose = withoutCode(text);
  const paragraphs = paragraphsOf(prose);
  const lengths = paragraphs.flatMap(sentenceLengths);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return {
    retired: findRetiredWords(prose).length,
    dates: findDates(path, prose).length,
    sentences: mean > LIMITS.sentenceMean ? Math.ceil(mean * 10) / 10 : 0,
    paragraphs: paragraphs.filter((paragraph) => wordsOf(paragraph) > LIMITS.paragraphWords).length,
  };
}

/** Returns each retired word with the words to use instead. */
export function findRetiredWords(prose: string): string[] {
  return RETIRED.flatMap(([words, instead]) =>
    (prose.match(words) ?? []).map((word) => `${word}: use ${instead}`),
  );
}

/** Removes comments and blocks of code; inline code becomes a word, a link its label. */
function withoutCode(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^(```|~~~)[\s\S]*?^\1[ \t]*$/gm, '')
    .replace(/``[^\n]*?``|`[^`\n]*`/g, 'code')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, '');
}

/** Returns paragraphs and items of lists; headings and tables are no prose. */
function paragraphsOf(prose: string): string[] {
  return prose
    .split(/\n[ \t]*\n|\n(?=[ \t]*(?:[-*]|\d+\.) )/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^[#|]/.test(part));
}

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0;

const sentenceLengths = (paragraph: string): number[] =>
  paragraph
    .split(/(?<=[.!?:])\s+/)
    .map(wordsOf)
    .filter((words) => words > 0);

/** Returns words that are neither English, nor a term of software, nor in the word list of the project. */
export async function findMisspellings(path: string, text: string): Promise<string[]> {
  const words = readFileSync(WORD_LIST, 'utf8').split('\n');
  const { issues } = await spellCheckDocument(
    { uri: path, text, languageId: 'markdown', locale: 'en-US' },
    { generateSuggestions: false, noConfigSearch: true },
    {
      words: words.filter((word) => word !== ''),
      ignoreRegExpList: IGNORED,
      dictionaries: DICTIONARIES,
    },
  );
  return issues.map(({ text: word }) => word);
}

const IGNORED = [
  '/```[\\s\\S]*?```/g',
  '/``[^\\n]*?``/g',
  '/`[^`\\n]*`/g',
  '/\\]\\([^)]*\\)/g',
  '/https?:[^\\s)]+/g',
  '/<[^>]*>/g',
];
const DICTIONARIES = [
  ...['en_us', 'softwareTerms', 'companies', 'misc', 'filetypes', 'html', 'fullstack'],
  ...['typescript', 'node', 'npm', 'bash', 'python', 'sql', 'docker', 'k8s'],
];

const LINK = /\[(?:[^[\]]|\[[^[\]]*\])*\]\(([^()\s]+)\)/g;
/** Addresses of a running hub. */
const HUB_PATHS = /^\/(console|docs|openapi\.json|errors\.json)/;

/** Returns the target of each link to a file or an anchor that does not exist. Links to other servers are not followed. */
export function findBrokenLinks(root: string, path: string, text: string): string[] {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1[ \t]*$/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(LINK)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target) && !HUB_PATHS.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const linked = file === '' ? path : posix.join(posix.dirname(path), file);
      const absolute = join(root, linked);
      if (!existsSync(absolute)) return true;
      if (anchor === undefined || statSync(absolute).isDirectory()) return false;
      return linked.endsWith('.md') && !anchorsOf(readFileSync(absolute, 'utf8')).has(anchor);
    });
}

/** Returns anchors of headings as GitHub and the site make them, and ids of HTML elements. */
export function anchorsOf(text: string): Set<string> {
  const slugger = new GithubSlugger();
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1[ \t]*$/gm, '');
  const headings = [...prose.matchAll(/^#{1,6} (.+?)(?: #+)?$/gm)].map(([, heading = '']) =>
    slugger.slug(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]|<[^>]*>/g, '')),
  );
  const ids = [...text.matchAll(/<[a-z]+ id="([^"]+)"/g)].map(([, id = '']) => id);
  return new Set([...headings, ...ids]);
}
