// Writes release notes from commits: the subjects since a tag or commit, newest first, without merges. Usage: node
// scripts/release-notes.ts [--from TAG] [--to HEAD] [--version V]
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { orEnd } from './options.ts';

const ROOT = join(import.meta.dirname, '..');

/** Returns Markdown of these subjects without duplicates. */
export function releaseNotes(version: string, date: string, subjects: readonly string[]): string {
  const notes = [...new Set(subjects.map((subject) => subject.trim()))].filter(
    (subject) => subject !== '' && !/^(merge|fixup!|squash!|wip)\b/i.test(subject),
  );
  const lines =
    notes.length === 0 ? ['Nothing that a user would notice.'] : notes.map((note) => `- ${note}`);
  return [`## ${version} (${date})`, '', ...lines, ''].join('\n');
}

/** Returns null if git fails. */
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

/** Returns the commit of a tag or another name. Ends the program without such a commit. */
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
