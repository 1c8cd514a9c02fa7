// The copy of the configuration can be read with the node token only.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSecret } from '@gatewarden/shared/secrets.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SealedCopy } from './sealed-copy.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-copy-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const token = makeSecret('node');
const copy = {
  items: [
    {
      kind: 'provider' as const,
      tenant_id: 't',
      id: 'p',
      deleted: false,
      doc: { api_key: 'sk-secret' },
    },
  ],
  cursor: 'c1',
  liveNodes: 2,
};
const file = () => join(folder, 'configuration.sealed');

it('returns the written items, and stores no credential in clear', async () => {
  await new SealedCopy(folder, token).write(copy);
  expect(await new SealedCopy(folder, token).read()).toEqual(copy);
  expect(readFileSync(file()).includes('sk-secret')).toBe(false);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

it('returns null for another token, a damaged copy and a missing copy', async () => {
  const sealed = new SealedCopy(folder, token);
  expect(await sealed.read()).toBe(null);
  await sealed.write(copy);
  expect(await new SealedCopy(folder, makeSecret('node')).read()).toBe(null);
  const bytes = readFileSync(file());
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  writeFileSync(file(), bytes);
  expect(await sealed.read()).toBe(null);
});
