// Master keys: read from what the operator gave, or made once beside an embedded database.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../config/config.ts';
import { loadMasterKeys } from './master-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'gw-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fromText = (text: string) => loadMasterKeys({ masterKey: { text }, dataDir: folder });

test('a key is read as hex and as base64, and has the same id in both', () => {
  const bytes = randomBytes(32);
  const [hex] = fromText(bytes.toString('hex'));
  const [base64] = fromText(bytes.toString('base64'));
  expect(hex).toEqual(base64);
  expect(hex?.bytes.equals(bytes)).toBe(true);
  expect(hex?.id).toMatch(/^[0-9a-f]{8}$/);
});

test('a ring keeps its order', () => {
  const keys = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const ring = fromText(keys.map((key) => key.toString('base64')).join(',\n '));
  expect(ring.map((one) => one.bytes)).toEqual(keys);
});

test.each([
  ['too short', randomBytes(31).toString('base64')],
  ['too long', randomBytes(33).toString('hex')],
  ['a pass phrase', 'correct horse battery staple'],
  ['nothing', ' , '],
])('a key that is %s is refused, and not shown', (_what, text) => {
  expect(() => fromText(text)).toThrow(ConfigError);
  expect(() => fromText(text)).toThrow(/^HUB_MASTER_KEY(: a master key is 32 bytes| holds no key)/);
});

test('a key file is read; one that is not there is named', () => {
  const file = join(folder, 'given.key');
  writeFileSync(file, `${randomBytes(32).toString('hex')}\n`);
  expect(loadMasterKeys({ masterKey: { file }, dataDir: folder })).toHaveLength(1);
  const missing = join(folder, 'missing.key');
  expect(() => loadMasterKeys({ masterKey: { file: missing }, dataDir: folder })).toThrow(
    `HUB_MASTER_KEY_FILE: ${missing} does not exist`,
  );
});

test('beside an embedded database a key is made once, for its owner only', () => {
  const dataDir = join(folder, 'data');
  const first = loadMasterKeys({ masterKey: null, dataDir });
  expect(loadMasterKeys({ masterKey: null, dataDir })).toEqual(first);
  const file = join(dataDir, 'master.key');
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(Buffer.from(readFileSync(file, 'utf8'), 'base64')).toHaveLength(32);
});

test('a made key that was damaged is refused, never replaced', () => {
  const dataDir = join(folder, 'damaged');
  loadMasterKeys({ masterKey: null, dataDir });
  writeFileSync(join(dataDir, 'master.key'), '');
  expect(() => loadMasterKeys({ masterKey: null, dataDir })).toThrow('master.key holds no key');
});
