// Actions of the operator on releases: add, widen, withdraw. Each is in the audit trail of every tenant: it is their devices
// that run it.

import { createHash, createPublicKey, type KeyObject, randomUUID, verify } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { isUuid } from '@gatewarden/shared/wire/common.ts';
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import { ReleaseManifest } from '@gatewarden/shared/wire/sync/updates.ts';
import { Value } from 'typebox/value';
import { OPERATOR, recordAudit } from '../../../platform/audit.ts';
import { ConfigError } from '../../../platform/config/config.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { selectGroup } from '../groups/index.ts';
import {
  insertPiece,
  insertRelease,
  insertReleaseGroup,
  lockReleases,
  PIECE_BYTES,
  selectReleases,
  updateRing,
  withdraw,
} from './store.ts';

/** The maximum number of releases; the bytes of each are in the database. */
const RELEASES_MAX = 20;

export interface NewRelease {
  file: string;
  manifest: string;
  signature: string;
  percent: number;
  /** The vendor's public key, where it is at hand: checked before any device would refuse it. */
  publicKey: string | null;
}

/** Stores a release. Throws ConfigError where file, manifest and signature do not belong together. */
export async function addRelease(
  db: Db,
  wanted: NewRelease,
  tenants: readonly string[],
): Promise<{ release_id: string; version: string }> {
  const manifestText = await readText(wanted.manifest);
  const signature = (await readText(wanted.signature)).trim();
  const manifest = parseManifest(manifestText);
  if (!/^[A-Za-z0-9+/]{86}==$/.test(signature)) {
    throw new ConfigError('the signature is not one of Ed25519 in base64');
  }
  if (wanted.publicKey !== null) {
    const key = readPublicKey(await readText(wanted.publicKey));
    if (!verify(null, Buffer.from(manifestText), key, Buffer.from(signature, 'base64'))) {
      throw new ConfigError('the signature is not of this manifest and key');
    }
  }
  if (Date.parse(manifest.expires_at) <= Date.now()) {
    throw new ConfigError(`the manifest expired at ${manifest.expires_at}`);
  }
  checkPercent(wanted.percent);
  const releaseId = randomUUID();
  await transact(db, async (tx) => {
    await lockReleases(tx);
    const present = (await selectReleases(tx)).filter((release) => release.withdrawn_at === null);
    if (present.length >= RELEASES_MAX) {
      throw new ConfigError(`there are ${RELEASES_MAX} releases already: withdraw an old one`);
    }
    const { version, channel, platform, arch } = manifest;
    const isSame = (release: (typeof present)[number]) =>
      release.version === version &&
      release.channel === channel &&
      release.platform === platform &&
      release.arch === arch;
    if (present.some(isSame)) {
      throw new ConfigError(`${version} for ${platform} ${arch} is there already`);
    }
    const { file, size, sha256, minimum_version, made_at, expires_at } = manifest;
    await insertRelease(tx, {
      ...{ release_id: releaseId, version, channel, platform, arch, minimum_version, size, sha256 },
      ...{ file_name: file, manifest: manifestText, signature, ring_percent: wanted.percent },
      ...{ made_at: new Date(made_at), expires_at: new Date(expires_at) },
    });
    await storeFile(tx, releaseId, wanted.file, manifest);
    await audit(tx, tenants, 'agent_release.add', releaseId, {
      ...{ version, channel, platform, arch, sha256, percent: wanted.percent },
    });
  });
  return { release_id: releaseId, version: manifest.version };
}

function readPublicKey(text: string): KeyObject {
  // Node would take the public half of it, and nobody would notice where the other half lies.
  if (text.includes('PRIVATE KEY')) {
    throw new ConfigError('that is the private key, which must never be where a hub is');
  }
  try {
    const key = createPublicKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below.
  }
  throw new ConfigError('the public key is none of Ed25519 in PEM');
}

/** Widens or narrows a release to a percentage; what was installed stays. */
export async function setRing(
  db: Db,
  releaseId: string,
  percent: number,
  tenants: readonly string[],
): Promise<void> {
  checkPercent(percent);
  await transact(db, async (tx) => {
    const found = isUuid(releaseId) ? await updateRing(tx, releaseId, percent) : null;
    if (found === null) throw new ConfigError(`there is no release ${releaseId}`);
    const detail = { version: found.version, percent };
    await audit(tx, tenants, 'agent_release.ring', releaseId, detail);
  });
}

/** Gives a release to a device group, whatever its percentage. */
export async function giveToGroup(
  db: Db,
  releaseId: string,
  tenantId: string,
  groupId: string,
): Promise<void> {
  await transact(db, async (tx) => {
    const release = (await selectReleases(tx)).find(
      (row) => row.release_id === releaseId && row.withdrawn_at === null,
    );
    if (release === undefined) throw new ConfigError(`there is no release ${releaseId}`);
    const group = isUuid(groupId) ? await selectGroup(tx, tenantId, groupId) : null;
    if (group === null) throw new ConfigError(`the tenant has no device group ${groupId}`);
    await insertReleaseGroup(tx, tenantId, releaseId, groupId);
    const detail = { version: release.version, group: group.name };
    await audit(tx, [tenantId], 'agent_release.group', releaseId, detail);
  });
}

/** Withdraws a release. Devices that run it keep it until they are offered a newer release. */
export async function withdrawRelease(
  db: Db,
  releaseId: string,
  tenants: readonly string[],
): Promise<void> {
  await transact(db, async (tx) => {
    const found = isUuid(releaseId) ? await withdraw(tx, releaseId) : null;
    if (found === null) throw new ConfigError(`there is no release ${releaseId}`);
    await audit(tx, tenants, 'agent_release.withdraw', releaseId, { version: found.version });
  });
}

/** All of them, without what only devices need. */
export async function listReleases(db: Db) {
  return (await selectReleases(db)).map(({ manifest: _manifest, signature: _s, ...row }) => row);
}

async function storeFile(
  tx: Tx,
  releaseId: string,
  path: string,
  manifest: ReleaseManifest,
): Promise<void> {
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${path} cannot be read (${error.code})`);
  });
  try {
    const { size } = await handle.stat();
    if (size !== manifest.size) {
      throw new ConfigError(`${path} has ${size} bytes, the manifest declares ${manifest.size}`);
    }
    const hash = createHash('sha256');
    for (let piece = 0; piece * PIECE_BYTES < size; piece++) {
      const bytes = Buffer.alloc(Math.min(PIECE_BYTES, size - piece * PIECE_BYTES));
      await handle.read(bytes, 0, bytes.length, piece * PIECE_BYTES);
      hash.update(bytes);
      await insertPiece(tx, releaseId, piece, bytes);
    }
    if (hash.digest('hex') !== manifest.sha256) {
      throw new ConfigError(`${path} is not the file that the manifest is of`);
    }
  } finally {
    await handle.close();
  }
}

function parseManifest(text: string): ReleaseManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ConfigError('the manifest is not JSON');
  }
  if (text.length <= 4096 && Value.Check(ReleaseManifest, value)) return value;
  const [first] = Value.Errors(ReleaseManifest, value);
  throw new ConfigError(
    `the manifest: ${first?.instancePath || '/'} ${first?.message ?? 'too long'}`,
  );
}

function checkPercent(percent: number): void {
  if (!Number.isInteger(percent) || percent < 0 || percent > 100) {
    throw new ConfigError('--ring must be a percentage from 0 to 100');
  }
}

function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`${path} cannot be read (${error.code})`);
  });
}

async function audit(
  tx: Tx,
  tenants: readonly string[],
  operation: AuditOperation,
  releaseId: string,
  detail: object,
): Promise<void> {
  for (const tenantId of tenants) {
    await recordAudit(tx, {
      ...{ tenantId, operation, detail, requestId: null },
      actor: OPERATOR,
      resource: { kind: 'agent_release', id: releaseId },
    });
  }
}
