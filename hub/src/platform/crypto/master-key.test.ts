// Master keys are read from the operator's configuration, or created once beside an embedded database.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../config/config.ts';
import { addMasterKey, loadMasterKeys, removeOldKeys } from './master-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'gw-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fromText = async (text: string) =>
  (await loadMasterKeys({ masterKey: { text }, dataDir: folder }, async () => true))();

test('reads a key as hex and base64 with the same id', async () => {
  const bytes = randomBytes(32);
  const [hex] = await fromText(bytes.toString('hex'));
  const [base64] = await fromText(bytes.toString('base64'));
  expect(hex).toEqual(base64);
  expect(hex?.bytes.equals(bytes)).toBe(true);
  expect(hex?.id).toMatch(/^[0-9a-f]{8}$/);
});

test('keeps the order of a key ring', async () => {
  const keys = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const ring = await fromText(keys.map((key) => key.toString('base64')).join(',\n '));
  expect(ring.map(({ bytes }) => bytes)).toEqual(keys);
});

test.each([
  ['too short', randomBytes(31).toString('base64')],
  ['too long', randomBytes(33).toString('hex')],
  ['a pass phrase', 'correct horse battery staple'],
  ['nothing', ' , '],
])('rejects a key that is %s, without showing it', async (_what, text) => {
  await expect(fromText(text)).rejects.toThrow(ConfigError);
  await expect(fromText(text)).rejects.toThrow(
    /^HUB_MASTER_KEY(: a master key is 32 bytes| contains no key)/,
  );
});

test('reads a key file, and names a missing or unreadable file', async () => {
  const file = join(folder, 'given.key');
  writeFileSync(file, `${randomBytes(32).toString('hex')}\n`);
  const from = async (path: string) =>
    (await loadMasterKeys({ masterKey: { file: path }, dataDir: folder }, async () => true))();
  expect(await from(file)).toHaveLength(1);
  const missing = join(folder, 'missing.key');
  await expect(from(missing)).rejects.toThrow(`HUB_MASTER_KEY_FILE: ${missing} does not exist`);
  const refused = `HUB_MASTER_KEY_FILE: ${folder} cannot be read (EISDIR)`;
  await expect(from(folder)).rejects.toThrow(refused);
});

const generated = async (name: string, isNew = true) =>
  (await loadMasterKeys({ masterKey: null, dataDir: join(folder, name) }, async () => isNew))();

test('creates a key once beside an embedded database, readable by its owner only', async () => {
  const first = await generated('data');
  expect(await generated('data', false)).toEqual(first);
  const file = join(folder, 'data/master.key');
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(Buffer.from(readFileSync(file, 'utf8'), 'base64')).toHaveLength(32);
});

test('rejects a damaged created key, and never replaces it', async () => {
  await generated('damaged');
  writeFileSync(join(folder, 'damaged/master.key'), '');
  await expect(generated('damaged')).rejects.toThrow('master.key contains no key');
});

test('requests a key that is missing beside sealed secrets, and creates none', async () => {
  await expect(generated('lost', false)).rejects.toThrow(
    /master\.key is missing.*restore the file$/,
  );
  expect(existsSync(join(folder, 'lost/master.key'))).toBe(false);
});

test('follows changes of a key ring file, and keeps its keys over a broken file', async () => {
  const config = { masterKey: null, dataDir: join(folder, 'rotated') };
  const ring = await loadMasterKeys(config, async () => true);
  const [first] = ring();
  const file = addMasterKey(config) ?? '';
  expect(ring().map((key) => key.id)).toEqual([
    expect.not.stringMatching(first?.id ?? ''),
    first?.id,
  ]);
  expect(statSync(file).mode & 0o077).toBe(0);
  const both = ring();
  writeFileSync(file, 'cut sho');
  expect(ring()).toEqual(both);
  writeFileSync(file, both.map((key) => key.bytes.toString('base64')).join('\n'));
  removeOldKeys(config);
  expect(ring()).toEqual(both.slice(0, 1));
});

test('never changes keys of the operator', () => {
  const config = { masterKey: { text: 'x' }, dataDir: folder };
  expect([addMasterKey(config), removeOldKeys(config)]).toEqual([null, null]);
});
