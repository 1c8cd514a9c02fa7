// Packs the agent as an archive with an install script, for machines without a supported package manager.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Build, script, settle } from './stage.ts';

/** Packs the staged tree with `install.sh` at its top. Returns the path of the archive. */
export function packTar(tree: string, out: string, build: Build, fast: boolean): string {
  const name = `gatewarden-agent-${build.version}-linux-${build.platform.arch}`;
  writeFileSync(join(tree, 'install.sh'), script('install.sh', build.version));
  const programs = ['install.sh', 'usr/bin/gatewarden'].map((path) => join(tree, path));
  const inside = ['bin/node', 'configure'].map((path) =>
    join(tree, 'usr/lib/gatewarden-agent', path),
  );
  settle(tree, new Set([...programs, ...inside]), build.epoch);
  const file = join(out, `${name}.tar.gz`);
  const gzip = fast ? 'gzip -n1' : 'gzip -n9';
  execFileSync('tar', [
    ...['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${build.epoch}`],
    ...[`--transform=s,^\\.,${name},`, '-C', tree, '-I', gzip, '-cf', file, '.'],
  ]);
  return file;
}
