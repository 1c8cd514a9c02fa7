// Release notes from commits: the first lines since a tag or commit, newest first, merges left out. Commits here say what
// changes for the user. Usage: node scripts/release-notes.ts [--from TAG] [--to HEAD] [--version V]
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '..');

/** Markdown of these subjects; what is said twice is said once. */
export function releaseNotes(version: string, date: string, subjects: readonly string[]): string {
  const said = [...new Set(subjects.map((one) => one.trim()))].filter(
    (one) => one !== '' && !/^(merge|fixup!|squash!|wip)\b/i.test(one),
  );
  const lines =
    said.length === 0 ? ['Nothing that a user would notice.'] : said.map((one) => `- ${one}`);
  return [`## ${version} (${date})`, '', ...lines, ''].join('\n');
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

function lastTag(): string | null {
  try {
    return execFileSync('git', ['describe', '--tags', '--abbrev=0'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      to: { type: 'string', default: 'HEAD' },
      version: { type: 'string', default: 'Next' },
    },
  });
  const from = values.from ?? lastTag();
  const range = from === null ? values.to : `${from}..${values.to}`;
  const subjects = git('log', '--no-merges', '--format=%s', range).split('\n');
  const date = git('log', '-1', '--format=%cs', values.to);
  process.stdout.write(releaseNotes(values.version, date, subjects));
}
