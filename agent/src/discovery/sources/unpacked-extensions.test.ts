// Browser extensions that a developer loads from a folder are read within the home only.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { plant, scanTree } from '../../../test/trees.ts';
import { CHROMIUM_BROWSERS } from './chromium.ts';

const HOME = 'home/alice';
/** Returns 32 letters from a to p, different for each number. */
const idOf = (at: number) => 'abcdefghijklmnop'.repeat(2).slice(0, 31) + 'abcdefghijklmnop'[at];

test.each([
  ['Secure Preferences', '.config/google-chrome/Default', 4],
  ['Preferences', '.config/chromium/Profile 2', 8],
] as const)('finds extensions through %s of %s', async (file, profile, location) => {
  const root = makeFolder();
  plant(root, {
    [`${HOME}/${profile}/${file}`]: {
      extensions: { settings: { [idOf(0)]: { path: '/home/alice/work/mine/dist', location } } },
    },
    [`${HOME}/work/mine/dist/manifest.json`]: {
      name: '__MSG_name__',
      default_locale: 'en',
      version: 'ghp_AbCdEfGhIjKlMnOpQrStUvWxYz012345',
      host_permissions: ['https://bank.example/*'],
    },
    [`${HOME}/work/mine/dist/_locales/en/messages.json`]: { name: { message: 'Mine' } },
  });
  const result = await scanTree(CHROMIUM_BROWSERS, root, { people: ['alice'] });
  expect(result.problems).toEqual([]);
  expect(result.entities.map((entity) => entity.wire)).toMatchObject([
    {
      name: 'Mine',
      // A manifest may contain anything in this field.
      version: null,
      install_path: '~/work/mine/dist',
      instances: [{ permissions: ['https://bank.example/*'] }],
      details: { unpacked: true },
    },
  ]);
});

test('reports extensions outside of the home or without files, and does not read them', async () => {
  const root = makeFolder();
  const outside = { name: 'planted-outside', version: '1' };
  const paths = [
    '/srv/outside',
    '/home/alice/../../srv/outside',
    '/home/bob/ext',
    '/home/alice/linked',
    '/home/alice/fifo',
    '/home/alice',
    'relative/../../../srv/outside',
    '/home/alice/\0/x',
    5,
    null,
  ];
  plant(root, {
    'srv/outside/manifest.json': outside,
    'home/bob/ext/manifest.json': outside,
    [`${HOME}/manifest.json`]: outside,
    [`${HOME}/.config/google-chrome/Default/Secure Preferences`]: {
      extensions: {
        settings: Object.fromEntries(paths.map((path, at) => [idOf(at), { path, location: 4 }])),
      },
    },
  });
  symlinkSync('../../srv/outside', join(root, HOME, 'linked'));
  mkdirSync(join(root, HOME, 'fifo'));
  execFileSync('mkfifo', [join(root, HOME, 'fifo/manifest.json')]);
  const result = await scanTree(CHROMIUM_BROWSERS, root, { people: ['alice'] });
  expect(JSON.stringify(result)).not.toContain('planted');
  // Loaded extensions are reported nevertheless.
  expect(result.entities).toHaveLength(paths.length);
  expect(result.problems.map((problem) => problem.reason)).toEqual(
    expect.arrayContaining(['an unpacked extension outside of the home', 'not a regular file']),
  );
});
