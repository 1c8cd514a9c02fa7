// The homes of this machine's people, and how a path inside one is shown: with `~`, so that no account name leaves.
import { readFileSync, realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';

export interface Home {
  /** The account's name. */
  owner: string;
  path: string;
}

const NOBODY = 65534;

/** As root the homes of all accounts of people, else one's own. */
export function listHomes(
  root = '/',
  isRoot = process.getuid?.() === 0,
  own: Home = { owner: userInfo().username, path: homedir() },
): Home[] {
  const homes = isRoot ? homesFromPasswd(root) : [own];
  const seen = new Set<string>();
  return homes
    .flatMap((home) => {
      try {
        return [{ owner: home.owner, path: realpathSync(home.path) }];
      } catch {
        // An account without a home has nothing to look at.
        return [];
      }
    })
    .filter((home) => home.path !== '/' && !seen.has(home.path) && seen.add(home.path))
    .sort((a, b) => (a.owner < b.owner ? -1 : 1));
}

function homesFromPasswd(root: string): Home[] {
  let text: string;
  try {
    text = readFileSync(join(root, 'etc/passwd'), 'utf8');
  } catch {
    return [{ owner: 'root', path: homedir() }];
  }
  return text.split('\n').flatMap((line) => {
    const [owner = '', , uidText = '', , , path = ''] = line.split(':');
    const uid = Number(uidText);
    const person = uid === 0 || (uid >= 1000 && uid !== NOBODY);
    return owner !== '' && person && path.startsWith('/')
      ? [{ owner, path: join(root, path) }]
      : [];
  });
}

/** The path with its person's home as `~`. */
export function shortenHome(path: string, homes: readonly Home[]): string {
  for (const home of homes) {
    if (path === home.path) return '~';
    if (path.startsWith(`${home.path}/`)) return `~${path.slice(home.path.length)}`;
  }
  return path;
}
