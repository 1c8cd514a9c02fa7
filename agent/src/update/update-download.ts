// Fetches a release into the data folder: piece by piece, going on where it stopped, and kept only where it is what the vendor
// signed.
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { UPDATE_FILES_PATH } from '@gatewarden/shared/wire/sync/limits.ts';
import type { ReleaseManifest } from '@gatewarden/shared/wire/sync/updates.ts';
import { messageOf } from '../runtime/errors.ts';
import { HubUnreachable, UpdateRefused } from '../sync/backoff.ts';
import type { SyncClient } from '../sync/hub-client.ts';

/** The archive, what it unpacks to, and something to live on. */
const ROOM_FACTOR = 5;

/**
 * Returns the path of the complete, verified file. Throws UpdateRefused where it differs; a partial file stays for
 * the next attempt.
 */
export async function downloadRelease(
  client: Pick<SyncClient, 'download'>,
  manifest: ReleaseManifest,
  folder: string,
): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${manifest.sha256}.part`);
  for (const name of readdirSync(folder)) {
    if (join(folder, name) !== file) rmSync(join(folder, name), { force: true });
  }
  const from = sizeOf(file);
  checkRoom(folder, manifest.size * ROOM_FACTOR - from);
  if (from < manifest.size) await fetchRest(client, manifest, file, from);
  if (sizeOf(file) === manifest.size && (await hashOf(file)) === manifest.sha256) return file;
  rmSync(file, { force: true });
  throw new UpdateRefused(`what came is not the file that the vendor signed`, true);
}

async function fetchRest(
  client: Pick<SyncClient, 'download'>,
  manifest: ReleaseManifest,
  file: string,
  from: number,
): Promise<void> {
  const handle = await open(file, 'a', 0o600);
  try {
    let at = from;
    await client.download(`${UPDATE_FILES_PATH}/${manifest.sha256}`, from, {
      // The hub may send all of it, whatever was asked for.
      async begins(start) {
        if (start !== from) await handle.truncate(start);
        at = start;
      },
      async takes(piece) {
        at += piece.length;
        if (at > manifest.size) {
          await handle.truncate(0);
          throw new UpdateRefused('the file is larger than the vendor signed', true);
        }
        await handle.appendFile(piece).catch(async (error: unknown) => {
          // No fault of the hub's, and what fills the disk is needed for more than this.
          await handle.truncate(0);
          throw new UpdateRefused(`the update cannot be kept here: ${messageOf(error)}`);
        });
      },
    });
    await handle.sync();
  } finally {
    await handle.close();
  }
  const size = sizeOf(file);
  if (size < manifest.size)
    throw new HubUnreachable(`the download stopped at ${size} of ${manifest.size}`);
}

function checkRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= bytes) return;
  throw new UpdateRefused(`there is no room for the update: ${Math.ceil(bytes / 1e6)} MB`);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
