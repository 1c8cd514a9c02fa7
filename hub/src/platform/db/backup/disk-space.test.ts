import { describe, expect, it } from 'vitest';
import { type Disk, requireDiskSpace } from './disk-space.ts';

const GB = 2 ** 30;
const size = { database: 3 * GB, tables: 2 * GB };
const disk = (folder: string, device: number, gigabytes: number): Disk => ({
  folder,
  device,
  freeBytes: gigabytes * GB,
});

describe('room check of a proof', () => {
  it('accepts when backup, copy and log fit with a reserve', () => {
    const shared = disk('/data', 1, 7.25);
    expect(() => requireDiskSpace(size, { backup: shared, server: shared })).not.toThrow();
    const server = disk('/data', 1, 5.25);
    const backup = disk('/tmp', 2, 2.25);
    expect(() => requireDiskSpace(size, { backup, server })).not.toThrow();
  });

  it('adds up all parts on a shared disk', () => {
    const shared = disk('/data', 1, 7);
    expect(() => requireDiskSpace(size, { backup: shared, server: shared })).toThrow(
      'too little room on the disk of /data: 7168 MB are free, a proof needs 7424 MB',
    );
  });

  it('checks each disk separately', () => {
    const backup = disk('/tmp', 2, 2);
    expect(() => requireDiskSpace(size, { backup, server: disk('/data', 1, 9) })).toThrow(
      /disk of \/tmp/,
    );
    expect(() =>
      requireDiskSpace(size, { backup: disk('/tmp', 2, 9), server: disk('/data', 1, 5) }),
    ).toThrow(/disk of \/data/);
  });

  it("checks only the backup's disk when the server's disk is not visible", () => {
    const backup = disk('/tmp', 2, 2.25);
    expect(() => requireDiskSpace(size, { backup, server: null })).not.toThrow();
  });
});
