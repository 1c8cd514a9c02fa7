// Packs the agent as an archive: a release for updates, and on Linux also for machines without a supported package
// manager.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Build, HOME, script, settle, stageWindowsAgent } from './stage.ts';

/** Packs the staged tree with `install.sh` at its top. Returns the path of the archive. */
export function packTar(tree: string, out: string, build: Build, fast: boolean): string {
  const name = `gatewarden-agent-${build.version}-linux-${build.platform.arch}`;
  writeFileSync(join(tree, 'install.sh'), script('install.sh', build.version));
  const programs = ['install.sh', 'usr/bin/gatewarden'].map((path) => join(tree, path));
  const inside = ['bin/node', 'configure'].map((path) =>
    join(tree, 'usr/lib/gatewarden-agent', path),
  );
  settle(tree, new Set([...programs, ...inside]), build.epoch);
  return pack(tree, out, name, { ...build, fast });
}

/**
 * Packs the agent for Windows, which updates unpack. `parts` is the `node_modules` folder with the parts of Windows.
 * Returns the path of the archive.
 */
export async function packWindowsTar(
  work: string,
  out: string,
  build: Build,
  { parts, fast }: { parts: string; fast: boolean },
): Promise<string> {
  const tree = join(work, 'windows-tar');
  await stageWindowsAgent(join(tree, HOME), build, parts);
  settle(tree, new Set(), build.epoch);
  const name = `gatewarden-agent-${build.version}-windows-${build.platform.arch}`;
  return pack(tree, out, name, { ...build, fast });
}

function pack(
  tree: string,
  out: string,
  name: string,
  { epoch, fast }: { epoch: number; fast: boolean },
): string {
  const file = join(out, `${name}.tar.gz`);
  const gzip = fast ? 'gzip -n1' : 'gzip -n9';
  execFileSync('tar', [
    ...['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${epoch}`],
    ...[`--transform=s,^\\.,${name},`, '-C', tree, '-I', gzip, '-cf', file, '.'],
  ]);
  return file;
}
