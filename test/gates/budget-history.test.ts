import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BUDGETS, budgetsRaised, checkBudgetHistory, EXCEPTIONS } from './budget-history.ts';
import { ROOT, withPlanted } from './planted.ts';

test('finds no raised budget since the earlier commit', () => {
  const { problems, skipped } = checkBudgetHistory(ROOT);
  if (skipped !== null) process.stdout.write(`budgets were not compared: ${skipped}\n`);
  expect(problems).toEqual([]);
});

test('gives reasons only to files and folders with a budget', () => {
  const subjects = BUDGETS.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');
  const reasons = JSON.parse(readFileSync(join(ROOT, EXCEPTIONS), 'utf8')) as object;
  const unused = Object.keys(reasons).filter((subject) => !subjects.includes(`"${subject}"`));
  expect(unused).toEqual([]);
});

const words = { 'hub/src': { openers: 3 }, 'agent/src': { openers: 2, titles: 1 } };
const sizes = { lines: { 'hub/a.ts': [120, 90] }, complexity: {} };

test.each<[string, Parameters<typeof budgetsRaised>]>([
  ['equal budgets', [words, words, {}]],
  ['a lower value', [words, { ...words, 'hub/src': { openers: 1 } }, {}]],
  ['a removed folder', [words, { 'hub/src': { openers: 3 } }, {}]],
  ['a shorter function', [sizes, { lines: { 'hub/a.ts': [100] }, complexity: {} }, {}]],
  [
    'the budget of a renamed file',
    [
      sizes,
      { lines: { 'hub/b.ts': [120, 90] }, complexity: {} },
      { renames: [{ from: 'hub/a.ts', to: 'hub/b.ts' }] },
    ],
  ],
  [
    'the budget of a renamed folder',
    [words, { hub: { openers: 3 } }, { renames: [{ from: 'hub/src/a.ts', to: 'hub/a.ts' }] }],
  ],
  [
    'a new entry with a reason',
    [words, { ...words, client: { openers: 3 } }, { reasons: { client: 'Split from hub/src.' } }],
  ],
])('accepts %s', (_change, args) => {
  expect(budgetsRaised(...args)).toEqual([]);
});

test.each<[string, Parameters<typeof budgetsRaised>, string]>([
  [
    'a raised value without a reason',
    [words, { 'hub/src': { openers: 4 } }, { reasons: { 'hub/app': 'Planted.' } }],
    'hub/src: openers rose from 3 to 4',
  ],
  [
    'a longer function',
    [sizes, { lines: { 'hub/a.ts': [120, 95] }, complexity: {} }, {}],
    'hub/a.ts: lines[1] rose from 90 to 95',
  ],
  [
    'a new function in the list of a file',
    [sizes, { lines: { 'hub/a.ts': [120, 90, 81] }, complexity: {} }, {}],
    'hub/a.ts: new budget lines[2] 81 without a reason',
  ],
  [
    'a new folder',
    [words, { client: { openers: 1 } }, { reasons: { client: ' ' } }],
    'client: new budget openers 1 without a reason',
  ],
  [
    'a value above that of the renamed folder',
    [words, { hub: { openers: 4 } }, { renames: [{ from: 'hub/src/a.ts', to: 'hub/a.ts' }] }],
    'hub: openers rose from 3 to 4',
  ],
])('rejects %s', (_change, args, problem) => {
  expect(budgetsRaised(...args)).toEqual([expect.stringContaining(problem)]);
});

/** Runs `change` in a planted repository with a commit on main, and returns the outcome of the gate. */
function checkPlanted(change: (folder: string, git: (...options: string[]) => void) => void) {
  const budgets = Object.fromEntries(BUDGETS.map((path) => [path, '{}']));
  const files = {
    ...budgets,
    'test/gates/language.budget.json': '{"hub/src": {"openers": 3}}',
    'hub/src/a.ts': 'export const a = 1;\n'.repeat(20),
    '.gitignore': 'node_modules\n',
  };
  return withPlanted(files, ({ folder }) => {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    const git = (...options: string[]) =>
      execFileSync('git', [...identity, ...options], { cwd: folder, stdio: 'ignore' });
    git('init', '--initial-branch=main');
    git('add', '.');
    git('commit', '-m', 'a');
    change(folder, git);
    return checkBudgetHistory(folder);
  });
}

const raise = (folder: string) =>
  writeFileSync(join(folder, 'test/gates/language.budget.json'), '{"hub/src": {"openers": 4}}');

test('compares a commit on main with the previous commit', () => {
  const { problems } = checkPlanted((folder, git) => {
    raise(folder);
    git('commit', '-am', 'b');
  });
  expect(problems).toEqual(['hub/src: openers rose from 3 to 4']);
});

test('compares a branch of several commits with main', () => {
  const { problems } = checkPlanted((folder, git) => {
    git('checkout', '-b', 'branch');
    raise(folder);
    git('commit', '-am', 'b');
    git('commit', '--allow-empty', '-m', 'c');
  });
  expect(problems).toEqual(['hub/src: openers rose from 3 to 4']);
});

test('finds renames by git', () => {
  const { problems, skipped } = checkPlanted((folder, git) => {
    git('commit', '--allow-empty', '-m', 'b');
    mkdirSync(join(folder, 'hub/lib'));
    renameSync(join(folder, 'hub/src/a.ts'), join(folder, 'hub/lib/a.ts'));
    writeFileSync(join(folder, 'test/gates/language.budget.json'), '{"hub/lib": {"openers": 3}}');
    git('add', '.');
  });
  expect({ problems, skipped }).toEqual({ problems: [], skipped: null });
});

test('skips a checkout with a single commit, and gives the reason', () => {
  const { problems, skipped } = checkPlanted(raise);
  expect(problems).toEqual([]);
  expect(skipped).toContain('no earlier commit');
});
