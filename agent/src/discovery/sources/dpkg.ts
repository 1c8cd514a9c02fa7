// Debian packages: exactly those that dpkg calls installed.
import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { entityId } from '@gatewarden/shared/identity.ts';
import { messageOf } from '../../errors.ts';
import type { DiscoverContext, DiscoveredEntity, Finding, Source } from '../source.ts';
import { type DpkgPackage, fileListOf, readDpkgDatabase } from './dpkg-database.ts';
import { readUsrMerge, type UsrMerge } from './usrmerge.ts';

/** Folders whose executables people start; libraries and plug-ins are left to the look-up on demand. */
const PROGRAM_FOLDERS = new Set(['bin', 'sbin', 'games', 'libexec']);
/** After so many packages other work gets its turn. */
const PACKAGES_AT_ONCE = 25;

export const dpkg: Source = {
  name: 'dpkg',
  platforms: ['linux'],
  async *discover(context) {
    let database: ReturnType<typeof readDpkgDatabase>;
    try {
      database = readDpkgDatabase(context.root);
    } catch (error) {
      const reason = messageOf(error);
      yield { is: 'problem', path: '/var/lib/dpkg/status', reason };
      yield { is: 'coverage', owner: null, state: 'unreadable', reason };
      return;
    }
    if (database === null) {
      yield { is: 'coverage', owner: null, state: 'absent', reason: null };
      return;
    }
    const merge = readUsrMerge(context.root);
    let done = 0;
    for (const pkg of database.packages) {
      if (++done % PACKAGES_AT_ONCE === 0) await breathe();
      if (context.isOverdue()) {
        const reason = `${done - 1} of ${database.packages.length} packages were read`;
        yield { is: 'coverage', owner: null, state: 'timed_out', reason };
        return;
      }
      yield* describePackage(context, pkg, merge);
    }
    yield { is: 'coverage', owner: null, state: 'read', reason: null };
  },
};

function* describePackage(
  context: DiscoverContext,
  pkg: DpkgPackage,
  merge: UsrMerge,
): Generator<Finding> {
  let installedAt: string | null = null;
  let executables: string[] = [];
  try {
    const list = fileListOf(context.root, pkg);
    if (list !== null) {
      installedAt = new Date(list.mtimeMs).toISOString();
      executables = listExecutables(context.root, readFileSync(list.path, 'utf8'), merge);
    }
  } catch (error) {
    yield { is: 'problem', path: `${pkg.key}.list`, reason: messageOf(error) };
  }
  const entity: DiscoveredEntity = {
    entity_id: dpkgEntityId(pkg),
    kind: 'package',
    source: 'dpkg',
    name: pkg.name.slice(0, 512),
    version: pkg.version.slice(0, 512),
    publisher: publisherOf(pkg.maintainer),
    install_path: null,
    executables,
    installed_at: installedAt,
    launch_hash: null,
    details: {
      section: pkg.section,
      architecture: pkg.architecture,
      priority: pkg.priority,
      ...(pkg.essential ? { essential: true } : {}),
    },
  };
  yield { is: 'entity', owner: null, entity };
}

/** The id of a package on every device. */
export function dpkgEntityId(pkg: Pick<DpkgPackage, 'key'>): string {
  return entityId('linux', 'package', 'dpkg', pkg.key);
}

/** The maintainer's name without the mail address. */
export function publisherOf(maintainer: string | null): string | null {
  const name = (maintainer ?? '').replace(/\s*<[^>]*>?\s*/g, ' ').trim();
  return name === '' ? null : name.replace(/^"(.*)"$/, '$1').slice(0, 512);
}

/** Regular executable files in program folders, as real paths; a link counts where its end is the package's own. */
function listExecutables(root: string, list: string, merge: UsrMerge): string[] {
  const paths = list.split('\n').filter((path) => path.startsWith('/'));
  const found = new Set<string>();
  let own: Set<string> | null = null;
  for (const listed of paths) {
    if (!PROGRAM_FOLDERS.has(basename(dirname(listed)))) continue;
    const path = merge.resolve(listed);
    const stat = lookAt(join(root, path));
    if (stat?.isFile() && (stat.mode & 0o111) !== 0) found.add(path);
    if (!stat?.isSymbolicLink()) continue;
    own ??= new Set(paths.map((p) => merge.resolve(p)));
    const end = resolveLink(root, path);
    if (end !== null && own.has(end)) found.add(end);
  }
  return [...found];
}

function lookAt(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

function resolveLink(root: string, path: string): string | null {
  try {
    const real = realpathSync(join(root, path));
    const inside = root === '/' ? real : real.startsWith(root) ? real.slice(root.length) : null;
    const stat = statSync(real);
    return stat.isFile() && (stat.mode & 0o111) !== 0 ? inside : null;
  } catch {
    // A link to nowhere, as alternatives leave them: it owns nothing.
    return null;
  }
}
