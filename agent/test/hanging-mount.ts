// A file system that never answers: a FUSE mount whose program reads nothing. Closing it lets everybody go on, with an error.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { isInOwnNamespace } from './namespace.ts';

/** Tests that need a hanging mount are skipped where the kernel allows none. */
export const canHang = existsSync('/dev/fuse');

/** Mounts it over a folder; returns what ends it. */
export function mountHanging(folder: string): () => void {
  if (!isInOwnNamespace()) throw new Error('only in a namespace of its own');
  const handle = openSync('/dev/fuse', 'r+');
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0,allow_other';
  // Not mount's own helper, which would ask for a program.
  const mounted = spawnSync('mount', ['-i', '-t', 'fuse', '-o', options, 'hanging', folder], {
    stdio: ['ignore', 'ignore', 'pipe', handle],
    encoding: 'utf8',
  });
  if (mounted.status !== 0) throw new Error(`could not mount: ${mounted.stderr}`);
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    closeSync(handle);
    spawnSync('umount', ['--lazy', folder]);
  };
  onTestFinished(end);
  return end;
}
