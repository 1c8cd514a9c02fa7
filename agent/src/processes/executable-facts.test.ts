// Files are hashed on demand of an override, once for the same metadata.
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '@gatewarden/shared/identity.ts';
import { expect, test } from 'vitest';
import { makeFolder, makeOverride } from '../../test/agent-process.ts';
import { decideAbout } from '../enforcement/enforcement-pipeline.ts';
import { createFileHasher, createPublisherReader } from './executable-facts.ts';
import type { CorrelatedProcess } from './process-correlator.ts';

/** Replaces a file in place, with the same length and times: only the content differs. */
function writeUnseen(file: string, content: string): void {
  const { atime, mtime } = statSync(file);
  writeFileSync(file, content);
  utimesSync(file, atime, mtime);
}

test('hashes again only when path, inode, time or size differ', async () => {
  const file = join(makeFolder(), 'program');
  const hash = createFileHasher();
  expect(await hash(file)).toBeNull();
  writeFileSync(file, 'old');
  utimesSync(file, 1000, 1000);
  expect(await Promise.all([hash(file), hash(file)])).toEqual([sha256Hex('old'), sha256Hex('old')]);
  writeUnseen(file, 'two');
  expect(await hash(file)).toBe(sha256Hex('old'));
  utimesSync(file, 1000, 2000);
  expect(await hash(file)).toBe(sha256Hex('two'));
  writeUnseen(file, 'three');
  expect(await hash(file)).toBe(sha256Hex('three'));
  rmSync(file);
  expect(await hash(file)).toBeNull();
  expect(await hash(makeFolder())).toBeNull();
});

test('reads a file only for an override with a hash or a publisher', async () => {
  const asked: string[] = [];
  const decideUnder = (match: Parameters<typeof makeOverride>[0]['match']) =>
    decideAbout(
      {
        platform: 'linux',
        overrides: () => [makeOverride({ match })],
        hubNow: () => 0,
        hashFile: async (path) => {
          asked.push(path);
          return sha256Hex('it');
        },
        readPublisher: async (path) => {
          asked.push(`publisher of ${path}`);
          return 'Example Ltd';
        },
      },
      {
        process: { name: 'it', executablePath: '/opt/it' },
        entities: [],
        mapping: null,
      } as unknown as CorrelatedProcess,
    );
  expect((await decideUnder({ name: 'it' })).policy).toBe('block');
  expect(asked).toEqual([]);
  expect((await decideUnder({ executable_sha256: sha256Hex('it') })).policy).toBe('block');
  expect((await decideUnder({ publisher: 'example ltd' })).policy).toBe('block');
  expect(asked).toEqual(['/opt/it', 'publisher of /opt/it']);
});

test('names no publisher of programs on Linux', async () => {
  expect(await createPublisherReader('linux')(process.execPath)).toBeNull();
});
