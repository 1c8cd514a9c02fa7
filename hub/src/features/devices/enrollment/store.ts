// All SQL of agent tokens and of the devices' own rows.

import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { PREPARED } from '../../../platform/db/prepared-statements.ts';

export interface AgentToken {
  token_id: string;
  tenant_id: string;
  name: string;
  enrol_only: boolean;
  device_id: string | null;
  subscriber_id: string | null;
  expires_at: Date | null;
}

/** Returns a token that was not revoked and has not expired, and whether its tenant is suspended. */
export function selectActiveToken(
  db: Db,
  tokenHash: Buffer,
): Promise<(AgentToken & { is_suspended: boolean }) | null> {
  return row(
    db,
    sql<AgentToken & { is_suspended: boolean }>`
      SELECT a.token_id, a.tenant_id, a.name, a.enrol_only, a.device_id, a.subscriber_id,
        a.expires_at, t.suspended_at IS NOT NULL AS is_suspended
      FROM agent_tokens a JOIN tenants t ON t.tenant_id = a.tenant_id
      WHERE a.token_hash = ${tokenHash} AND a.revoked_at IS NULL
        AND (a.expires_at IS NULL OR a.expires_at > now())`,
  );
}

export async function insertToken(
  tx: Tx,
  token: Omit<AgentToken, 'token_id'> & { token_id: string; token_hash: Buffer },
): Promise<void> {
  await sql`
    INSERT INTO agent_tokens
      (token_id, token_hash, tenant_id, name, enrol_only, device_id, subscriber_id, expires_at)
    VALUES (${token.token_id}, ${token.token_hash}, ${token.tenant_id}, ${token.name},
      ${token.enrol_only}, ${token.device_id}, ${token.subscriber_id}, ${token.expires_at})`.execute(
    tx,
  );
}

/** Older tokens of a device stay valid for a while after a new token, because the device may not have received it. */
export function expireOlderTokens(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  keep: string,
): Promise<{ token_hash: Buffer }[]> {
  return rows(
    tx,
    sql<{ token_hash: Buffer }>`
      UPDATE agent_tokens SET expires_at = least(expires_at, now() + interval '1 day')
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} AND token_id <> ${keep}
        AND revoked_at IS NULL RETURNING token_hash`,
  );
}

export function revokeToken(
  tx: Tx,
  tokenId: string,
): Promise<{ token_hash: Buffer; tenant_id: string } | null> {
  return row(
    tx,
    sql<{ token_hash: Buffer; tenant_id: string }>`
      UPDATE agent_tokens SET revoked_at = coalesce(revoked_at, ${new Date()}::timestamptz)
      WHERE token_id = ${tokenId} RETURNING token_hash, tenant_id`,
  );
}

export interface DeviceState {
  device_id: string;
  /** An administrator retired it: it may do nothing until it is admitted again. */
  retired: boolean;
  subscriber_id: string;
  token_bound: boolean;
  inventory_epoch: number;
  inventory_hash: Buffer;
  entity_count: number;
}

/** The state of a device that a poll needs. */
export interface PolledDevice extends DeviceState {
  /** Start of the current mismatch between the reported and the stored inventory hash; null while they are equal. */
  inventory_unequal_since: Date | null;
  /** Start of the last inventory epoch that a mismatch caused. */
  inventory_doubted_at: Date | null;
  /** Time of the last reset, after which the device pulled every override again. */
  governance_reset_at: Date | null;
}

export function selectDeviceState(
  db: Db,
  tenantId: string,
  deviceId: string,
): Promise<PolledDevice | null> {
  return row(
    db,
    sql<PolledDevice>`
      SELECT device_id, subscriber_id, token_bound, inventory_epoch, inventory_hash, entity_count,
        retired_at IS NOT NULL AS retired, inventory_unequal_since, inventory_doubted_at,
        governance_reset_at
      FROM devices WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`,
  );
}

const DAY_MS = 86_400_000;
/** The highest scan number: larger integers are not exact in JavaScript. */
export const MAX_SCAN = Number.MAX_SAFE_INTEGER;

/** The domain suffix and letter case of a host name come from the network and do not identify the machine. */
const label = (hostname: RawBuilder<unknown>) => sql`lower(split_part(${hostname}, '.', 1))`;

/**
 * A device that changes its host name and changes it back within a day is two machines with the same id; so is a device that
 * changes its platform. A renamed machine keeps its new name and is a single machine.
 */
function claims(sent: RawBuilder<unknown>, now: Date): RawBuilder<unknown> {
  const [previous, reported] = [label(sql`d.hostname`), label(sql`${sent}.hostname`)];
  return sql`
  duplicate_since = CASE
    WHEN d.duplicate_since IS NULL AND (d.platform <> ${sent}.platform
      OR (${previous} <> ${reported} AND ${label(sql`d.other_hostname`)} = ${reported}
        AND d.other_hostname_at > ${new Date(now.getTime() - DAY_MS)}::timestamptz))
    THEN ${now}::timestamptz ELSE d.duplicate_since END,
  other_hostname = CASE WHEN ${previous} <> ${reported} THEN d.hostname ELSE d.other_hostname END,
  other_hostname_at = CASE WHEN ${previous} <> ${reported}
    THEN ${now}::timestamptz ELSE d.other_hostname_at END`;
}

/** Who comes under the approvals of another person brings what nobody has looked at: a job asks when that was. */
function movedAt(sent: RawBuilder<unknown>, now: Date): RawBuilder<unknown> {
  return sql`
  subscriber_changed_at = CASE WHEN NOT d.token_bound AND d.subscriber_id <> ${sent}.subscriber_id
    THEN ${now}::timestamptz ELSE d.subscriber_changed_at END`;
}

/**
 * Enrols the device or brings its facts up to date, and locks its row: the batches of one device are merged one
 * after the other. A device that is bound to a token keeps its subscriber, regardless of the request.
 */
export async function upsertDevice(
  tx: Tx,
  device: { tenantId: string; subscriberId: string; facts: WireDevice; now: Date },
): Promise<DeviceState & { is_new: boolean; has_moved: boolean }> {
  const { facts } = device;
  const stored = await row(
    tx,
    sql<DeviceState & { is_new: boolean; has_moved: boolean }>`
      INSERT INTO devices AS d
        (tenant_id, device_id, subscriber_id, hostname, platform, os_version, arch, agent_version,
         first_seen_at, last_seen_at, inventory_hash)
      VALUES (${device.tenantId}, ${facts.device_id.toLowerCase()}, ${device.subscriberId},
        ${facts.hostname}, ${facts.platform}, ${facts.os_version}, ${facts.arch},
        ${facts.agent_version}, ${device.now}, ${device.now}, ${Buffer.alloc(32)})
      ON CONFLICT (tenant_id, device_id) DO UPDATE SET
        subscriber_id = CASE WHEN d.token_bound THEN d.subscriber_id ELSE excluded.subscriber_id END,
        ${movedAt(sql`excluded`, device.now)},
        ${claims(sql`excluded`, device.now)},
        hostname = excluded.hostname,
        platform = excluded.platform, os_version = excluded.os_version, arch = excluded.arch,
        agent_version = excluded.agent_version,
        last_seen_at = greatest(d.last_seen_at, excluded.last_seen_at)
      RETURNING device_id, subscriber_id, token_bound, inventory_epoch, inventory_hash,
        entity_count, retired_at IS NOT NULL AS retired, (xmax = 0) AS is_new,
        subscriber_changed_at IS NOT DISTINCT FROM ${device.now}::timestamptz AS has_moved`,
  );
  if (stored === null) throw new Error('an upsert gave no row');
  return stored;
}

/** A device's row, locked until the transaction ends. */
export interface LockedDevice extends DeviceState {
  inventory_version: number;
  /** The highest scan number so far; -1 before the first. */
  highest_scan: number;
  /** Of scans up to this number it is forgotten what they named; -1: of none. */
  forgotten_scan: number;
  /** To be added to the numbers of its scans. */
  scan_base: number;
  hostname: string;
  platform: string;
  os_version: string;
  arch: string;
  agent_version: string;
}

/** Locks the rows of these devices in a fixed order, so that commit groups never deadlock. */
export function lockDevices(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
): Promise<Map<string, LockedDevice>> {
  return lockWhere(tx, tenantId, deviceIds, sql`true`);
}

/**
 * Locks these devices, and enrolls unknown devices first, before any
 * lock: another transaction that waits for the new row could own a lock that this transaction needs next. `isAtOnce` if the first statement
 * locked all of them, so that what was begun right after it has seen them locked.
 */
export async function lockOrEnrol(
  tx: Tx,
  tenantId: string,
  devices: readonly { subscriberId: string; facts: WireDevice }[],
): Promise<{ locked: Map<string, LockedDevice>; made: Set<string>; isAtOnce: boolean }> {
  const ids = devices.map(({ facts }) => facts.device_id.toLowerCase());
  const known = await lockWhere(
    tx,
    tenantId,
    ids,
    sql`(SELECT count(*) FROM devices WHERE tenant_id = ${tenantId}
      AND device_id = ANY (${ids}::uuid[])) = ${ids.length}::integer`,
  );
  if (known.size === ids.length) return { locked: known, made: new Set(), isAtOnce: true };
  const result = new Set(await insertDevices(tx, tenantId, devices));
  return { locked: await lockDevices(tx, tenantId, ids), made: result, isAtOnce: false };
}

async function lockWhere(
  tx: Tx,
  tenantId: string,
  deviceIds: readonly string[],
  condition: RawBuilder<unknown>,
): Promise<Map<string, LockedDevice>> {
  const records = await rows(
    tx,
    sql<LockedDevice>`
      ${PREPARED} SELECT device_id, subscriber_id, token_bound, inventory_epoch, inventory_hash, entity_count,
        retired_at IS NOT NULL AS retired, inventory_version, highest_scan, forgotten_scan, scan_base,
        hostname, platform, os_version, arch, agent_version
      FROM devices WHERE tenant_id = ${tenantId} AND device_id = ANY (${deviceIds}::uuid[])
        AND ${condition}
      ORDER BY device_id FOR UPDATE`,
  );
  return new Map(records.map((device) => [device.device_id, device]));
}

/** Enrols devices; those that another request enrolled meanwhile are left as they are. Gives the ids that are new. */
export async function insertDevices(
  tx: Tx,
  tenantId: string,
  devices: readonly { subscriberId: string; facts: WireDevice }[],
): Promise<string[]> {
  const records = devices.map(({ subscriberId, facts }) => ({
    ...facts,
    device_id: facts.device_id.toLowerCase(),
    subscriber_id: subscriberId,
  }));
  const results = await rows(
    tx,
    sql<{ device_id: string }>`
      INSERT INTO devices
        (tenant_id, device_id, subscriber_id, hostname, platform, os_version, arch, agent_version,
         first_seen_at, last_seen_at, inventory_hash)
      SELECT ${tenantId}::uuid, r.device_id, r.subscriber_id, r.hostname, r.platform, r.os_version,
        r.arch, r.agent_version, now(), now(), ${Buffer.alloc(32)}::bytea
      FROM json_to_recordset(${JSON.stringify(records)}::json) AS r(device_id uuid,
        subscriber_id text, hostname text, platform text, os_version text, arch text,
        agent_version text)
      ORDER BY r.device_id
      ON CONFLICT (tenant_id, device_id) DO NOTHING RETURNING device_id`,
  );
  return results.map((record) => record.device_id);
}

/** The update of a device after a commit group. */
export interface DeviceUpdate {
  device_id: string;
  subscriber_id: string;
  hostname: string;
  platform: string;
  os_version: string;
  arch: string;
  agent_version: string;
  inventory_hash: string;
  inventory_version: number;
  entity_count: number;
  scan_ended: boolean;
}

/** Writes locked rows back. A device bound to a token keeps its subscriber. When it was seen, sightings write: that is indexed. */
export async function updateDevices(
  tx: Tx,
  tenantId: string,
  updates: readonly DeviceUpdate[],
): Promise<void> {
  if (updates.length === 0) return;
  // A parameter: a sharded database takes no now() in CASE.
  const now = new Date();
  await sql`
    ${PREPARED} UPDATE devices d SET
      subscriber_id = CASE WHEN d.token_bound THEN d.subscriber_id ELSE r.subscriber_id END,
      ${movedAt(sql`r`, now)},
      ${claims(sql`r`, now)},
      hostname = r.hostname, platform = r.platform, os_version = r.os_version, arch = r.arch,
      agent_version = r.agent_version, inventory_hash = decode(r.inventory_hash, 'hex'),
      inventory_version = r.inventory_version, entity_count = r.entity_count,
      last_scan_at = CASE WHEN r.scan_ended THEN ${now}::timestamptz ELSE d.last_scan_at END
    FROM json_to_recordset(${JSON.stringify(updates)}::json) AS r(device_id uuid,
      subscriber_id text, hostname text, platform text, os_version text, arch text,
      agent_version text, inventory_hash text, inventory_version bigint, entity_count integer,
      scan_ended boolean)
    WHERE d.tenant_id = ${tenantId} AND d.device_id = r.device_id`.execute(tx);
}

/**
 * SQL assignments that begin a new epoch of the device's inventory. What it scans from then on comes after everything
 * before, whatever its number: a device that lost its store starts its numbers again at 1.
 */
export const NEW_EPOCH = sql`
  inventory_epoch = inventory_epoch + 1,
  scan_base = least(greatest(scan_base, highest_scan + 1), ${MAX_SCAN}::bigint)`;

/** The properties that a machine reports about itself. */
export interface Claim {
  hostname: string;
  platform: string;
  os_version: string;
  arch: string;
  agent_version: string;
  subscriber_id: string;
}

/**
 * Notes that a machine without the device's token has its id, so two seem to use it. True where that is news: the same
 * once an hour, others once a minute.
 */
export async function storeClaim(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  claim: Claim,
  now: Date,
): Promise<boolean> {
  const claimText = JSON.stringify(claim);
  const record = await row(
    tx,
    sql`
      UPDATE devices SET duplicate_since = coalesce(duplicate_since, ${now}::timestamptz),
        claim = ${claimText}::jsonb, claimed_at = ${now}::timestamptz
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} AND token_bound
        AND retired_at IS NULL AND (claimed_at IS NULL
          OR claimed_at < ${now}::timestamptz - interval '1 hour'
          OR (claim <> ${claimText}::jsonb AND claimed_at < ${now}::timestamptz - interval '1 minute'))
      RETURNING device_id`,
  );
  return record !== null;
}

/**
 * Lets a bound device be named once more by a token that is not its own: it sends the key of the enrolment that bound
 * it, so nobody else read that answer. For the same subscriber only.
 */
export async function unbindUnanswered(
  tx: Tx,
  device: { tenantId: string; deviceId: string; subscriberId: string; keyHash: Buffer },
): Promise<void> {
  await sql`
    UPDATE devices SET token_bound = false
    WHERE tenant_id = ${device.tenantId} AND device_id = ${device.deviceId} AND token_bound
      AND retired_at IS NULL AND subscriber_id = ${device.subscriberId}
      AND enrolment_key_hash = ${device.keyHash}`.execute(tx);
}

/** `keyHash`: of the enrolment that binds it; null where its agent knows none. */
export async function bindDevice(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  keyHash: Buffer | null,
): Promise<void> {
  await sql`
    UPDATE devices SET token_bound = true, enrolment_key_hash = ${keyHash}
    WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`.execute(tx);
}

export async function hasDevice(db: Db, tenantId: string, deviceId: string): Promise<boolean> {
  const record = await row(
    db,
    sql`SELECT 1 FROM devices WHERE tenant_id = ${tenantId} AND device_id = ${deviceId}`,
  );
  return record !== null;
}
