// The agent as one archive with a script that installs it: for machines without a package manager of ours.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Build, script, settle } from './stage.ts';

/** Packs the staged tree with `install.sh` on top; gives the file. */
export function packTar(tree: string, out: string, build: Build, fast: boolean): string {
  const name = `gatewarden-agent-${build.version}-linux-${build.platform.arch}`;
  writeFileSync(join(tree, 'install.sh'), script('install.sh', build.version));
  const programs = ['install.sh', 'usr/bin/gatewarden'].map((one) => join(tree, one));
  const inside = ['bin/node', 'configure'].map((one) =>
    join(tree, 'usr/lib/gatewarden-agent', one),
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
