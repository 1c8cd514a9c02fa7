// Fixture trees: a machine rebuilt in a temporary folder, and the scan of it through the real code.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { Value } from 'typebox/value';
import { expect } from 'vitest';
import type { ScanResult } from '../src/discovery/scan/entity-assembler.ts';
import { scan } from '../src/discovery/scan/in-process-scan.ts';
import type { ScanContext } from '../src/discovery/scan/source-runner.ts';
import type { Source } from '../src/discovery/source-contract.ts';
import { parseRegistryExport } from './registry-export.ts';

export const FIXED_CLOCK = { now: () => new Date(0), monotonicMs: () => 0 };

/** Writes a file and the folders above it. */
export function put(root: string, path: string, content: string | Buffer = '', mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
  chmodSync(join(root, path), mode);
}

/** Writes many: JSON where it is no text. */
export function plant(root: string, files: Record<string, unknown>): void {
  for (const [path, content] of Object.entries(files)) {
    const plain = typeof content === 'string' || Buffer.isBuffer(content);
    put(root, path, plain ? content : JSON.stringify(content));
  }
}

const HOMES: Record<Platform, string> = { linux: 'home', darwin: 'Users', win32: 'Users' };

/** A scan's context on a tree; `people` have homes there and are their own owners. */
export function contextOf(
  root: string,
  options: { platform?: Platform; people?: string[] } & Partial<ScanContext> = {},
): ScanContext {
  const { platform = 'linux', people = [], ...rest } = options;
  const exports = join(root, 'registry');
  const exported = existsSync(exports)
    ? readdirSync(exports).flatMap((name) => parseRegistryExport(readFileSync(join(exports, name))))
    : [];
  return {
    platform,
    root,
    machine: true,
    homes: people.map((owner) => ({
      owner,
      path: join(root, HOMES[platform], owner),
      uid: null,
      gid: null,
    })),
    env: { PATH: '/usr/bin' },
    settings: { personalHomes: true, browserProfiles: true },
    readRegistry: (key) => {
      const below = `${key}\\`.toLowerCase();
      const keys = exported.filter(({ path }) => `${path}\\`.toLowerCase().startsWith(below));
      return keys.length === 0 ? null : keys;
    },
    ...rest,
  };
}

/** Scans the tree with these sources; every entity is what the wire takes, and a second scan finds the same. */
export async function scanTree(
  sources: readonly Source[],
  root: string,
  options: Parameters<typeof contextOf>[1] = {},
): Promise<ScanResult> {
  const context = contextOf(root, options);
  const chosen = sources.filter((source) => source.platforms.includes(context.platform));
  const result = await scan(chosen, context, FIXED_CLOCK);
  for (const { wire } of result.entities) {
    expect([...Value.Errors(WireEntity, wire)]).toEqual([]);
  }
  expect((await scan(chosen, context, FIXED_CLOCK)).entities).toEqual(result.entities);
  return result;
}

/** The wire entities by name. */
export function byName(result: ScanResult): Map<string, WireEntity> {
  return new Map(result.entities.map((entity) => [entity.wire.name, entity.wire]));
}
