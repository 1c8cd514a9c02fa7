// Versions that were downloaded from the hub, beside the installed version, and which of them runs. The launcher
// (installers/linux/gatewarden, and windows-launcher.ts) reads the same folder:
//   <version>/            a complete agent
//   current, previous     links to the newest version and the version before; on Windows files that name them
//   trial                 the version on trial; `tries` counts its starts
//   bad/<version>         the reason why it failed: it is never installed again
import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ReleaseManifest } from '@gatewarden/shared/wire/sync/updates.ts';
import { writeFileAtomically } from '../config/atomic-file.ts';
import { UpdateRefused } from '../sync/backoff.ts';

const run = promisify(execFile);
const IS_WINDOWS = process.platform === 'win32';
const VERSION = /^\d+\.\d+\.\d+$/;
/** Files of every agent. */
const PARTS = [IS_WINDOWS ? 'bin/node.exe' : 'bin/node', ...['app/main.js', 'version']];
const INSIDE = 'usr/lib/gatewarden-agent';

export interface BadVersion {
  version: string;
  reason: string;
}

export interface Versions {
  readonly folder: string;
  bad(): BadVersion[];
  /**
   * Unpacks a verified archive beside the running version. Throws UpdateRefused where it contains no agent of this
   * version.
   */
  stage(archive: string, manifest: ReleaseManifest): Promise<void>;
  isStaged(version: string): boolean;
  /** From the next start on the staged version runs, on trial. One rename: there is never half of it. */
  swap(version: string, running: string): void;
  /** Returns whether this version is still on trial. */
  isOnTrial(version: string): boolean;
  /** This version is well: it stays. */
  confirm(version: string): void;
  /** Takes away what neither runs nor is a way back. */
  clean(running: string): void;
}

/** The folder as it is; nothing is made before something is staged. */
export function openVersions(folder: string): Versions {
  const at = (...names: string[]) => join(folder, ...names);
  const linkTo = (name: string, version: string) => {
    // Links of Windows need a privilege, or an absolute path that a rename cannot replace.
    if (IS_WINDOWS) {
      writeFileAtomically(at(name), `${version}\n`, 0o644);
      return;
    }
    rmSync(at(`${name}.new`), { force: true });
    symlinkSync(version, at(`${name}.new`));
    renameSync(at(`${name}.new`), at(name));
  };
  const target = (name: string) => {
    try {
      return IS_WINDOWS ? readFileSync(at(name), 'utf8').trim() : readlinkSync(at(name));
    } catch {
      return null;
    }
  };
  const isOnTrial = (version: string) => readTrial(at('trial')) === version;
  return {
    folder,
    bad() {
      if (!existsSync(at('bad'))) return [];
      return readdirSync(at('bad'))
        .filter((name) => VERSION.test(name))
        .map((version) => ({
          version,
          reason: readFileSync(at('bad', version), 'utf8').trim().slice(0, 500),
        }));
    },
    async stage(archive, manifest) {
      // Everybody may run it: children become the owners of homes, and people ask `gatewarden status`.
      makeReadable(folder);
      const staging = at('staging');
      rmSync(staging, { recursive: true, force: true });
      mkdirSync(staging, { mode: 0o700 });
      try {
        const tree = await unpack(archive, staging, manifest);
        rmSync(at(manifest.version), { recursive: true, force: true });
        renameSync(tree, at(manifest.version));
      } finally {
        // Half of it must not keep the room that the next try needs.
        rmSync(staging, { recursive: true, force: true });
      }
    },
    isStaged: (version) => PARTS.every((part) => existsSync(at(version, part))),
    swap(version, running) {
      rmSync(at('tries'), { force: true });
      if (target('current') === running) linkTo('previous', running);
      writeFileAtomically(at('trial'), `${version}\n`, 0o644);
      linkTo('current', version);
    },
    isOnTrial,
    confirm(version) {
      if (!isOnTrial(version)) return;
      // An old store must not come back when somebody goes back long after.
      for (const name of ['trial', 'tries', 'store-before.db']) rmSync(at(name), { force: true });
    },
    clean(running) {
      if (!existsSync(folder)) return;
      const kept = new Set([running, target('current'), target('previous')]);
      const bad = new Set(this.bad().map((failure) => failure.version));
      for (const name of readdirSync(folder)) {
        const isOld = VERSION.test(name) && (!kept.has(name) || bad.has(name));
        // Leftover of a kill during a rename.
        const isHalf = name === 'staging' || name.endsWith('.new');
        if ((isOld && name !== running) || isHalf) {
          rmSync(at(name), { recursive: true, force: true });
        }
      }
    },
  };
}

/** Checks that the unpacked agent is complete and on disk. */
async function unpack(
  archive: string,
  staging: string,
  manifest: ReleaseManifest,
): Promise<string> {
  // Loaded on demand: the idle service needs no archives.
  const { extract } = await import('tar');
  await extract({
    ...{ file: archive, cwd: staging, strict: true },
    // Files belong to the account of the agent, with the modes of the archive.
    ...{ preserveOwner: false, chmod: true },
  }).catch(() => {
    throw new UpdateRefused('the archive cannot be unpacked');
  });
  const tree = join(staging, manifest.file.replace(/\.tar\.gz$/, ''), INSIDE);
  const isWhole = PARTS.every((part) => existsSync(join(tree, part)));
  if (!isWhole || readFileSync(join(tree, 'version'), 'utf8').trim() !== manifest.version) {
    throw new UpdateRefused(`the archive contains no agent ${manifest.version}`);
  }
  chmodSync(tree, 0o755);
  // On disk before anything points to it: a power cut must not leave names without contents.
  if (!IS_WINDOWS) await run('sync', ['-f', tree]).catch(() => undefined);
  return tree;
}

function readTrial(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}

function makeReadable(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
}

/** Path of the store's copy from before the newest version. */
export const keptStore = (folder: string): string => join(folder, 'store-before.db');

/** Keeps a copy of the store for the way back. It goes once the new version has passed its trial. */
export function keepStore(dataDir: string, folder: string): void {
  const kept = keptStore(folder);
  rmSync(kept, { force: true });
  copyFileSync(join(dataDir, 'agent.db'), kept);
  chmodSync(kept, 0o600);
}
