// Options of a package build are checked early: agents and hubs would reject wrong values only after installation.
import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { readOptions } from '../../installers/src/options.ts';
import { publicKeyText } from '../../installers/src/sign.ts';

const KEY = publicKeyText(generateKeyPairSync('ed25519').privateKey);
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;

test('accepts usual build options', () => {
  const words = ['--version', '1.20.3', '--only', 'deb,tar', '--update-key', KEY, '--days', '30'];
  expect(readOptions(words)).toMatchObject({
    ...{ version: '1.20.3', kinds: ['deb', 'tar'], updateKey: KEY, days: 30, channel: 'stable' },
  });
  expect(readOptions([])).toMatchObject({ kinds: ['deb', 'rpm', 'tar'], updateKey: null });
});

test.each([
  ['--version', '1.0'],
  ['--version', '0.2.0-rc1'],
  ['--version', '1.0/../x'],
  ['--minimum-version', 'any'],
  ['--arch', 'mips'],
  ['--only', 'deb,zip'],
  ['--update-key', 'garbage'],
  ['--update-key', RSA.export({ type: 'spki', format: 'der' }).toString('base64')],
  ['--channel', ''],
  ['--channel', 'Stable'],
  ['--days', 'x'],
  ['--days', '0'],
])('%s %j is refused, and named', (option, value) => {
  expect(() => readOptions([option, value])).toThrow(option);
});

test('signs a release as an archive', () => {
  expect(() => readOptions(['--only', 'deb', '--sign', 'key.pem'])).toThrow(
    'add tar or windows-tar to --only',
  );
  expect(() => readOptions(['--only', 'tar,windows-tar', '--sign', 'key.pem'])).toThrow(
    'signs a single archive',
  );
});
