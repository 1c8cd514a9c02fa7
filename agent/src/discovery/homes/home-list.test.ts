// Homes are listed from passwd, a directory service, macOS and the Windows profile list.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { put } from '../../../test/trees.ts';
import {
  discoverHomes,
  type HomeListingRequest,
  planHomeListing,
  shortenHome,
  withoutHomes,
} from './home-list.ts';
import { isUnusedHome } from './unused-home-check.ts';

const listHomes = async (asked: HomeListingRequest) =>
  (await discoverHomes(planHomeListing(asked))).homes;

const folders = (root: string, ...paths: string[]) => {
  for (const path of paths) mkdirSync(join(root, path), { recursive: true });
};

test('lists homes of people and root from passwd, without services, each once', async () => {
  const root = makeFolder();
  folders(root, 'root', 'home/alice', 'home/carol', 'var/lib/svc');
  put(
    root,
    'etc/passwd',
    `root:x:0:0::/root:/bin/sh
svc:x:112:112::/var/lib/svc:/bin/false
alice:x:1000:1001::/home/alice:/bin/sh
again:x:1002:1002::/home/alice:/bin/sh
gone:x:1003:1003::/home/gone:/bin/sh
nobody:x:65534:65534::/:/bin/false
odd:x:abc:0::/home/carol:/bin/sh
`,
  );
  expect(await listHomes({ root, platform: 'linux', isRoot: true })).toEqual([
    { owner: '0', path: join(root, 'root'), uid: 0, gid: 0 },
    { owner: '1000', path: join(root, 'home/alice'), uid: 1000, gid: 1001 },
  ]);
});

test('resolves homes behind a link in passwd, and keeps their names', async () => {
  const root = makeFolder();
  folders(root, 'var/home/alice');
  symlinkSync(join(root, 'var/home'), join(root, 'home'));
  put(root, 'etc/passwd', 'alice:x:1000:1000::/home/alice:/bin/sh\n');
  expect(await listHomes({ root, platform: 'linux', isRoot: true })).toEqual([
    {
      ...{ owner: '1000', uid: 1000, gid: 1000 },
      ...{ path: join(root, 'var/home/alice'), alias: join(root, 'home/alice') },
    },
  ]);
});

test('lists only the own home without root', async () => {
  const root = makeFolder();
  folders(root, 'home/me', 'home/other');
  const own = { owner: '1000', path: join(root, 'home/me'), uid: 1000, gid: 1000 };
  expect(await listHomes({ root, platform: 'linux', isRoot: false, own })).toEqual([own]);
});

test('lists Windows homes by SID, wherever their profile is', async () => {
  const root = makeFolder();
  folders(
    root,
    'Users/Ada',
    'Redirected/bob',
    'Windows/ServiceProfiles/LocalService',
    'Users/Public',
  );
  const profile = (sid: string, path: string) => ({
    path: `HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList\\${sid}`,
    values: new Map([['profileimagepath', path]]),
  });
  const profiles = [
    profile('S-1-5-21-1-2-3-1001', 'C:\\Users\\Ada'),
    profile('S-1-5-21-1-2-3-1002', '%SystemDrive%\\Redirected\\bob'),
    profile('S-1-5-21-1-2-3-1003', 'C:\\Users\\Public'),
    profile('S-1-5-19', 'C:\\Windows\\ServiceProfiles\\LocalService'),
  ];
  expect(
    (await listHomes({ root, platform: 'win32', profiles })).map((home) => [home.owner, home.path]),
  ).toEqual([
    ['S-1-5-21-1-2-3-1001', join(root, 'Users/Ada')],
    ['S-1-5-21-1-2-3-1002', join(root, 'Redirected/bob')],
  ]);
});

test('shortens homes to ~, and no path that only begins alike', () => {
  const homes = [{ path: '/home/al' }, { path: 'C:\\Users\\al' }];
  expect(shortenHome('/home/al/x', homes)).toBe('~/x');
  expect(shortenHome('/home/al/x', [{ path: '/var/home/al', alias: '/home/al' }])).toBe('~/x');
  expect(shortenHome('/home/al', homes)).toBe('~');
  expect(shortenHome('/home/alice/x', homes)).toBe('/home/alice/x');
  expect(shortenHome('C:\\Users\\al\\x', homes)).toBe('~\\x');
});

test('removes homes from any text, with any slashes', () => {
  const plain = (text: string, ...names: string[]) => withoutHomes(text, names, '~7');
  expect(plain('-v/home/al:/x file:///home/al/y', '/home/al')).toBe('-v~7:/x file://~7/y');
  expect(plain('/home/alice /home/al.old /home/al-b', '/home/al')).toBe(
    '/home/alice /home/al.old /home/al-b',
  );
  expect(plain('C:\\Users\\al\\x C:/Users/al/y', 'C:\\Users\\al')).toBe('~7\\x ~7/y');
});

test('lists homes that were never used by name only', () => {
  const root = makeFolder();
  put(root, 'bare/.bashrc');
  put(root, 'used/.config/x');
  expect(isUnusedHome(join(root, 'bare'))).toBe(true);
  expect(isUnusedHome(join(root, 'used'))).toBe(false);
  expect(isUnusedHome(join(root, 'absent'))).toBe(false);
});
