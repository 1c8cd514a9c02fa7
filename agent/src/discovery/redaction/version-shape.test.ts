// Version strings of packages and extensions are reported; other text in their place is not.
import { expect, test } from 'vitest';
import { shownVersion } from './version-shape.ts';

const VERSIONS = [
  '1',
  '10.0.26100.1',
  'v1.2.3',
  '1.0.0-rc.1+build.5',
  '0.0.0-experimental-3fde738b-20240701',
  '1.0.0-canary.20240101t123456.abc1234',
  '0.0.0-20240101123456-abcdef123456',
  '1!2.0rc1.post1.dev3+g1234abc.d20240101',
  '1.5.4.1-signed.1-signed',
  '2024.1.1resigned1',
  '241.14494.240',
  '2.10-EAP',
  'Version 2.3 (1234)',
  '5.0 (build 1234)',
  '2:8.2.0-1ubuntu2~22.04',
  '1.0.0-SNAPSHOT',
  `sha256:${'0123456789abcdef'.repeat(4)}`,
  'latest',
  'main',
];
const SECRETS = [
  'ghp_AbCdEfGhIjKlMnOpQrStUvWxYz012345',
  'sk-proj-abcdefgh12345678',
  ['1.0.0-sk-', 'Ex4mpleQ7z2Lm9Tv3Bn6'].join(''),
  '1.0.0+ghp_AbCdEfGhIjKl',
  '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  '5f4dcc3b5aa765d61d8327deb882cf99',
  '1.0.0-5f4dcc3b5aa765d61d8327deb882cf99',
  '9x7Kq9Pz2mWvB',
  '1.0 x7Kq9Pz2mW',
  'swordfish',
  'hunter2',
  '4111111111111111',
  'https://u:planted@example.org/1.0',
  'postgres://u:planted@db/x',
  '1.0@planted',
  '1.0\nplanted',
  '$(touch /tmp/x)',
  '-----BEGIN PRIVATE KEY-----',
  '1'.repeat(65),
  '',
];

test.each(VERSIONS)('accepts the version %s', (version) => {
  expect(shownVersion(version)).toBe(version);
});

test.each(SECRETS)('never reports %j', (secret) => {
  expect(shownVersion(secret)).toBeNull();
});
