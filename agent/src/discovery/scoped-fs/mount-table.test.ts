// Paths that may never answer are recognized by the mount table and links, without access to such a mount.
import { mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { parseMounts } from './mount-table.ts';

const line = (point: string, type: string) =>
  `36 35 98:0 / ${point.replaceAll(' ', '\\040')} rw,noatime shared:1 - ${type} server:/x rw`;

test('classifies network file systems, automounts and FUSE as possibly hanging, and disks and memory as safe', () => {
  const folder = makeFolder();
  const mounts = parseMounts(
    [
      line('/', 'ext4'),
      line(join(folder, 'disk'), 'xfs'),
      line(join(folder, 'net'), 'nfs4'),
      line(join(folder, 'auto'), 'autofs'),
      line(join(folder, 'play'), 'fuse.sshfs'),
      line(join(folder, 'a b'), 'cifs'),
    ].join('\n'),
  );
  for (const name of ['net', 'auto', 'play', 'a b']) {
    mkdirSync(join(folder, name));
    expect(mounts.foreignOn(join(folder, name, 'deep/er'))).toBe(join(folder, name));
  }
  mkdirSync(join(folder, 'disk/x'), { recursive: true });
  expect(mounts.foreignOn(join(folder, 'disk/x'))).toBeNull();
  expect(mounts.foreignOn(join(folder, 'network'))).toBeNull();
  const below = mounts.foreignBelow(folder).map(({ point, type }) => `${type} ${basename(point)}`);
  expect(below.sort()).toEqual(['autofs auto', 'cifs a b', 'fuse.sshfs play', 'nfs4 net']);
  expect(mounts.foreignBelow(join(folder, 'disk'))).toEqual([]);
});

test('follows links onto such a mount in any spelling, and stops at link cycles', () => {
  const folder = makeFolder();
  const net = join(folder, 'net');
  mkdirSync(net);
  symlinkSync(net, join(folder, 'whole'));
  symlinkSync('./x/../net', join(folder, 'relative'));
  mkdirSync(join(folder, 'x'));
  symlinkSync('circle', join(folder, 'circle'));
  const mounts = parseMounts([line('/', 'ext4'), line(net, 'nfs')].join('\n'));
  expect(mounts.foreignOn(join(folder, 'whole/file'))).toBe(net);
  expect(mounts.foreignOn(join(folder, 'relative/file'))).toBe(net);
  expect(mounts.foreignOn(join(folder, 'circle/file'))).toBeNull();
});

test("prefers the later of two mounts on a folder, and treats a foreign root as the machine's own", () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'home'));
  const home = join(folder, 'home');
  const both = parseMounts([line('/', 'nfs'), line(home, 'autofs'), line(home, 'ext4')].join('\n'));
  expect(both.foreignOn(join(home, 'x'))).toBeNull();
});

test('uses the innermost nested mount, and each name of an automount separately', () => {
  const folder = makeFolder();
  const home = join(folder, 'home');
  mkdirSync(home);
  symlinkSync(join(home, 'alice/remote'), join(folder, 'short'));
  const remote = join(home, 'alice/remote');
  const mounts = parseMounts(
    [
      line('/', 'ext4'),
      line(home, 'autofs'),
      line(join(home, 'alice'), 'nfs'),
      line(remote, 'fuse.sshfs'),
    ].join('\n'),
  );
  expect(mounts.answererOf(join(home, 'alice/x'))).toBe(join(home, 'alice'));
  expect(mounts.answererOf(join(home, 'bob/x'))).toBe(join(home, 'bob'));
  expect(mounts.answererOf(join(folder, 'short/x'))).toBe(remote);
  expect(mounts.answererOf(join(folder, 'x'))).toBeNull();
  const dead = new Set([remote]);
  expect(mounts.leadsOnto(join(remote, 'x'), dead)).toBe(true);
  expect(mounts.leadsOnto(join(folder, 'short'), dead)).toBe(true);
  expect(mounts.leadsOnto(join(home, 'alice/remote2'), dead)).toBe(false);
  expect(mounts.leadsOnto(join(home, 'alice'), dead)).toBe(false);
});

test('uses the mounts and root of another process for its paths', () => {
  const seen = parseMounts([line('/', 'nfs'), line('/usr', 'ext4')].join('\n'));
  expect(seen.isForeignAt('/usr/bin/x')).toBe(false);
  expect(seen.isForeignAt('/usr2/x')).toBe(true);
  expect(parseMounts(line('/', 'overlay')).isForeignAt('/opt/x')).toBe(false);
});
