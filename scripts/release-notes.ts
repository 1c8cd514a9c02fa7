// Release notes from commits: the first lines since a tag or commit, newest first, merges left out. Commits here say what
// changes for the user. Usage: node scripts/release-notes.ts [--from TAG] [--to HEAD] [--version V]
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { orEnd } from './options.ts';

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

/** Null where git refuses. */
function git(...args: string[]): string | null {
  try {
    return execFileSync('git', args, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

/** The commit that a tag or another name stands for. Ends the program where there is none. */
function commitOf(option: string, name: string): string {
  const commit = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
  if (commit !== null) return commit;
  process.stderr.write(`${option}: there is no tag or commit "${name}" in ${ROOT}\n`);
  process.exit(2);
}

if (import.meta.main) {
  const { values } = orEnd(
    () =>
      parseArgs({
        options: {
          from: { type: 'string' },
          to: { type: 'string', default: 'HEAD' },
          version: { type: 'string', default: 'Next' },
        },
      }),
    2,
  );
  const to = commitOf('--to', values.to);
  const from = values.from ?? git('describe', '--tags', '--abbrev=0', to);
  const range = from === null ? to : `${commitOf('--from', from)}..${to}`;
  const subjects = git('log', '--no-merges', '--format=%s', range) ?? '';
  const date = git('log', '-1', '--format=%cs', to) ?? '';
  process.stdout.write(releaseNotes(values.version, date, subjects.split('\n')));
}
