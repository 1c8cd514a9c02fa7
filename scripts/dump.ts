// Writes the files that are derived from the code and stored in the repository: database schema, OpenAPI document, and
// the agent's response checks. With --check, it writes nothing and exits with 1 if a stored file is outdated.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import { ReleaseManifest } from '@gatewarden/shared/wire/sync/updates.ts';
import { clientTypes } from '../client/generate/types.ts';
import { startHub } from '../hub/src/app/server.ts';
import { readConfig } from '../hub/src/platform/config/config.ts';
import { openDatabase } from '../hub/src/platform/db/database.ts';
import { openEmbedded } from '../hub/src/platform/db/embedded/server.ts';
import { createLog } from '../hub/src/platform/telemetry/log.ts';
import { describeSchema } from './database-schema.ts';
import type { Derived } from './docs/markdown.ts';

const ROOT = join(import.meta.dirname, '..');

/** Starts a hub on an empty database and reads its schema and its OpenAPI document. */
async function derive(): Promise<Derived[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gw-dump-'));
  const closers: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];
  try {
    const embedded = await openEmbedded(dataDir);
    closers.push(() => embedded.release());
    const config = readConfig({ HUB_PORT: '0', HUB_DATA_DIR: dataDir, HUB_LOG_LEVEL: 'silent' });
    const hub = await startHub(config, createLog('silent'));
    closers.push(() => hub.stop());
    const database = openDatabase(embedded.connection, {
      size: 1,
      counter: { count: 0 },
      onIdleError: () => undefined,
    });
    closers.push(() => database.close());
    const document = hub.openApi();
    return [
      { path: 'hub/schema.txt', text: await describeSchema(database.pool) },
      { path: 'hub/openapi.json', text: `${JSON.stringify(document, null, 2)}\n` },
      {
        path: 'client/src/openapi.d.ts',
        text: await clientTypes(document, '/llmgateway/management'),
      },
      deriveAnswers(),
    ];
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** Returns the agent's checks of hub responses, which need no schema library. */
export function deriveAnswers(): Derived {
  const answers = Object.fromEntries(
    Object.entries(SYNC_ENDPOINTS).map(([name, { answer }]) => [name, answer]),
  );
  return {
    path: 'agent/src/sync/hub-responses.json',
    text: `${JSON.stringify({ ...answers, releaseManifest: ReleaseManifest }, null, 2)}\n`,
  };
}

/** Returns a line about the first stored file that differs, or null. `command`: the command that writes the files. */
export function firstDifference(
  derived: readonly Derived[],
  root: string,
  command = 'npm run dump',
): string | null {
  const remedy = `run "${command}" and commit it`;
  for (const { path, text } of derived) {
    const stored = readStored(join(root, path));
    if (stored === text) continue;
    if (stored === null) return `${path} is missing: ${remedy}`;
    const was = stored.split('\n');
    const is = text.split('\n');
    const at = is.findIndex((line, i) => line !== was[i]);
    const line = at === -1 ? is.length : at;
    return `${path} differs from the code in line ${line + 1} (stored: ${quoted(was[line])}, now: ${quoted(is[line])}): ${remedy}`;
  }
  return null;
}

function readStored(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function quoted(line: string | undefined): string {
  return line === undefined ? 'nothing' : JSON.stringify(line.trim().slice(0, 80));
}

if (import.meta.main) {
  const derived = await derive();
  if (process.argv.includes('--check')) {
    const difference = firstDifference(derived, ROOT);
    process.stdout.write(`${difference ?? 'derived files match the code'}\n`);
    if (difference !== null) process.exitCode = 1;
  } else {
    for (const { path, text } of derived) {
      writeFileSync(join(ROOT, path), text);
      process.stdout.write(`${path}: ${text.split('\n').length - 1} lines\n`);
    }
  }
}
