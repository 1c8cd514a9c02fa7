// A launcher starts the newest version that did not fail, and gives up a version on trial that never becomes healthy.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/agent-process.ts';
import { put } from '../../test/trees.ts';
import { chooseVersion, countTry, giveUpVersion, MAX_TRIES } from './version-choice.ts';

function makeVersions(installed: string, ...versions: string[]) {
  const folder = makeFolder();
  const folders = { installed: join(folder, 'installed'), versions: join(folder, 'versions') };
  mkdirSync(folders.versions);
  put(folders.installed, 'version', `${installed}\n`);
  for (const version of versions) put(folders.versions, `${version}/version`, `${version}\r\n`);
  const point = (name: string, version: string) =>
    writeFileSync(join(folders.versions, name), `${version}\n`);
  return { folders, point };
}

test('prefers a newer version from the hub over the installed version', () => {
  const { folders, point } = makeVersions('0.3.0', '0.2.0', '0.10.0');
  expect(chooseVersion(folders)).toMatchObject({ version: null, folder: folders.installed });
  point('current', '0.2.0');
  expect(chooseVersion(folders).version).toBe(null);
  point('current', '0.10.0');
  expect(chooseVersion(folders)).toMatchObject({ version: '0.10.0', isOnTrial: false });
  point('current', '../0.10.0');
  expect(chooseVersion(folders).version).toBe(null);
});

test('runs the previous version for commands during a trial, and after a failed trial', () => {
  const { folders, point } = makeVersions('0.1.0', '0.2.0', '0.3.0');
  point('previous', '0.2.0');
  point('current', '0.3.0');
  point('trial', '0.3.0');
  expect(chooseVersion(folders)).toMatchObject({ version: '0.3.0', isOnTrial: true });
  expect(chooseVersion(folders, '0.3.0')).toMatchObject({ version: '0.2.0', isOnTrial: false });
  giveUpVersion(folders, '0.3.0', 'it ended by itself with 3');
  expect(chooseVersion(folders)).toMatchObject({ version: '0.2.0', isOnTrial: false });
  const reason = readFileSync(join(folders.versions, 'bad/0.3.0'), 'utf8');
  expect(reason).toBe('it ended by itself with 3\n');
});

test('counts the starts of a version on trial, also after a damaged count', () => {
  const { folders, point } = makeVersions('0.1.0');
  point('tries', '1e999x');
  const tries = Array.from({ length: MAX_TRIES + 1 }, () => countTry(folders));
  expect(tries).toEqual([...Array.from({ length: MAX_TRIES }, () => true), false]);
});
