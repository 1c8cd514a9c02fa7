// Budgets of the gates only fall. This gate compares each budget file with its version in an earlier commit: on a branch the
// commit where the branch left main, on main the previous commit. An entry moves with its file or folder when git finds the
// rename. A new entry, or a higher value
// after a folder was split, needs a reason in budget-exceptions.json.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf } from './language.ts';

const FOLDER = 'test/gates';
export const BUDGETS = [
  `${FOLDER}/language.budget.json`,
  `${FOLDER}/function-size.budget.json`,
  `${FOLDER}/documents.budget.json`,
];
/** Reasons of new budget entries, by file or folder. */
export const EXCEPTIONS = `${FOLDER}/budget-exceptions.json`;

/** A rename of a file since the earlier commit. */
export interface Rename {
  from: string;
  to: string;
}

interface Entry {
  /** File or folder that the budget is for. */
  subject: string;
  measure: string;
  value: number;
}

/** Returns the entries of a budget, whether by file and measure (`lines`, `complexity` with lists) or by measure. */
function budgetEntries(budget: Record<string, Record<string, number | number[]>>): Entry[] {
  return Object.entries(budget).flatMap(([outer, values]) =>
    Object.entries(values).flatMap(([inner, value]) =>
      Array.isArray(value)
        ? value.map((item, i) => ({ subject: inner, measure: `${outer}[${i}]`, value: item }))
        : [{ subject: outer, measure: inner, value }],
    ),
  );
}

type Budget = Parameters<typeof budgetEntries>[0];

/**
 * Returns a line for each value that rose and each new entry without a reason. The budget of a renamed file, or of a folder
 * that received renamed files, may be as high as that of their origin.
 */
export function budgetsRaised(
  previous: Budget,
  current: Budget,
  { renames = [], reasons = {} }: { renames?: readonly Rename[]; reasons?: Record<string, string> },
): string[] {
  const key = ({ subject, measure }: Omit<Entry, 'value'>) => `${subject}\n${measure}`;
  const limits = new Map(budgetEntries(previous).map((entry) => [key(entry), entry.value]));
  return budgetEntries(current).flatMap(({ subject, measure, value }) => {
    const origins = renames.flatMap(({ from, to }) => {
      if (to === subject) return [from];
      return folderOf(to) === subject ? [folderOf(from)] : [];
    });
    const limit = [subject, ...origins]
      .map((origin) => limits.get(key({ subject: origin, measure })))
      .reduce((max, item) => (item === undefined ? max : Math.max(max ?? item, item)), undefined);
    if (limit !== undefined) {
      const isAllowed = value <= limit || reasons[subject] !== undefined;
      return isAllowed ? [] : [`${subject}: ${measure} rose from ${limit} to ${value}`];
    }
    return reasons[subject]?.trim()
      ? []
      : [`${subject}: new budget ${measure} ${value} without a reason in ${EXCEPTIONS}`];
  });
}

/** Compares the budgets of a checkout with an earlier commit; `skipped` gives the reason where there is no such commit. */
export function checkBudgetHistory(root: string): { problems: string[]; skipped: string | null } {
  const base = earlierCommit(root);
  if (base === null) {
    return { problems: [], skipped: 'git has no earlier commit of this checkout' };
  }
  const reasons = readJson<Record<string, string>>(join(root, EXCEPTIONS));
  const renames = listRenames(root, base);
  const problems = BUDGETS.flatMap((path) => {
    const previous = git(root, 'show', `${base}:${path}`);
    // A budget file of its own is new with its gate.
    if (previous === null) return [];
    const current = readJson<Budget>(join(root, path));
    return budgetsRaised(JSON.parse(previous) as Budget, current, { renames, reasons });
  });
  return { problems, skipped: null };
}

const readJson = <T>(path: string): T =>
  JSON.parse(existsSync(path) ? readFileSync(path, 'utf8') : '{}') as T;

/** Returns where the current branch left main, or the previous commit on main; null without history. */
function earlierCommit(root: string): string | null {
  const head = git(root, 'rev-parse', 'HEAD');
  const bases = ['origin/main', 'main'].map((main) => git(root, 'merge-base', main, 'HEAD'));
  const base = bases.find((commit) => commit !== null && commit !== head);
  return base ?? git(root, 'rev-parse', '--verify', '--quiet', 'HEAD^');
}

function listRenames(root: string, base: string): Rename[] {
  const lines = git(
    root,
    'diff',
    '--name-status',
    '--find-renames',
    '--diff-filter=R',
    '-l0',
    base,
  );
  return (lines ?? '').split('\n').flatMap((line) => {
    const [, from, to] = line.split('\t');
    return from === undefined || to === undefined ? [] : [{ from, to }];
  });
}

/** Returns the trimmed output of git, or null where git fails. */
function git(root: string, ...options: string[]): string | null {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('git', options, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: [...stdio],
    }).trim();
  } catch {
    return null;
  }
}
