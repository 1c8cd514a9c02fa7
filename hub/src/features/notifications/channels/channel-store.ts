// All SQL of channels. The health that deliveries record never changes the version that If-Match compares.
import type { ChatFormat } from '@gatewarden/shared/wire/chat-formats.ts';
import type { ChannelKind } from '@gatewarden/shared/wire/console/notification-channels.ts';
import type { Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY, newestFirst } from '../../../platform/db/list-conditions.ts';

/** The settings of a channel; its URL and secrets are sealed. */
export interface ChannelConfig {
  kind: ChannelKind;
  /** The format of a chat channel; null: derived from the URL. */
  format: ChatFormat | null;
  name: string;
  url_sealed: string | null;
  url_hint: string | null;
  recipients: string[] | null;
  secret_sealed: string | null;
  previous_secret_sealed: string | null;
  previous_secret_until: Date | null;
  /** The id of the last rotation, if its request had one. */
  rotation_id: string | null;
  min_severity: Severity;
  group_id: string | null;
  /** The number of messages per minute; further alerts are sent as a digest. Null: each alert is sent by itself. */
  digest_after: number | null;
  /** Whether access requests are sent, too. */
  access_requests: boolean;
  enabled: boolean;
  updated_at: Date;
  updated_by: string;
}

export interface NewChannel extends ChannelConfig {
  channel_id: string;
  created_at: Date;
  created_by: string;
}

export interface ChannelRecord extends NewChannel {
  version: number;
  gone: boolean;
  last_attempt_at: Date | null;
  last_delivered_at: Date | null;
  last_status: number | null;
  last_error: string | null;
  failing_since: Date | null;
  gave_up_at: Date | null;
}

/** A channel with its position in the list. Citus allows no text of a time in a RETURNING clause. */
export type ListedChannel = ChannelRecord & { sort_key: string };

const COLUMNS = sql`
  channel_id, version, kind, format, name, url_sealed, url_hint, recipients, secret_sealed,
  previous_secret_sealed, previous_secret_until, rotation_id, min_severity, group_id, digest_after,
  access_requests, enabled, gone, last_attempt_at, last_delivered_at, last_status, last_error, failing_since, gave_up_at,
  created_at, created_by, updated_at, updated_by`;

/** Stores a new channel with version 1. */
export async function insertChannel(
  tx: Tx,
  tenantId: string,
  channel: NewChannel,
): Promise<ChannelRecord> {
  const stored = await row(
    tx,
    sql<ChannelRecord>`
      INSERT INTO notification_channels
        (tenant_id, channel_id, version, kind, format, name, url_sealed, url_hint, recipients, secret_sealed,
         previous_secret_sealed, previous_secret_until, min_severity, group_id, digest_after,
         access_requests, enabled, created_at, created_by, updated_at, updated_by)
      VALUES (${tenantId}, ${channel.channel_id}, 1, ${channel.kind}, ${channel.format}, ${channel.name}, ${channel.url_sealed},
        ${channel.url_hint}, ${jsonOrNull(channel.recipients)}::jsonb, ${channel.secret_sealed},
        ${channel.previous_secret_sealed}, ${channel.previous_secret_until}, ${channel.min_severity},
        ${channel.group_id}, ${channel.digest_after}, ${channel.access_requests}, ${channel.enabled},
        ${channel.created_at}, ${channel.created_by}, ${channel.updated_at}, ${channel.updated_by})
      RETURNING ${COLUMNS}`,
  );
  if (stored === null) throw new Error('an insert gave no row');
  return stored;
}

/** Returns a channel, or null. */
export function selectChannel(
  db: Db,
  tenantId: string,
  channelId: string,
): Promise<ChannelRecord | null> {
  return row(
    db,
    sql<ChannelRecord>`
      SELECT ${COLUMNS} FROM notification_channels
      WHERE tenant_id = ${tenantId} AND channel_id = ${channelId}`,
  );
}

/** Returns the channels of a tenant, the newest first. */
export function selectChannels(
  db: Db,
  tenantId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<ListedChannel[]> {
  return rows(
    db,
    sql<ListedChannel>`
      SELECT ${COLUMNS}, created_at::text AS sort_key FROM notification_channels
      WHERE tenant_id = ${tenantId}
        AND ${newestFirst(after, 'created_at', 'channel_id')}
      ORDER BY created_at DESC, channel_id LIMIT ${limit}`,
  );
}

/** The fields of a channel that select its alerts. */
export type ChannelFilter = Pick<
  ChannelRecord,
  'channel_id' | 'kind' | 'min_severity' | 'group_id' | 'digest_after'
>;

/** Returns the enabled channels of a tenant. */
export function selectChannelFilters(tx: Tx, tenantId: string): Promise<ChannelFilter[]> {
  return rows(
    tx,
    sql<ChannelFilter>`
      SELECT channel_id, kind, min_severity, group_id, digest_after
      FROM notification_channels
      WHERE tenant_id = ${tenantId} AND enabled`,
  );
}

/** Returns the enabled channels that include access requests. */
export function selectAccessRequestChannels(
  tx: Tx,
  tenantId: string,
): Promise<Pick<ChannelRecord, 'channel_id' | 'group_id'>[]> {
  return rows(
    tx,
    sql<Pick<ChannelRecord, 'channel_id' | 'group_id'>>`
      SELECT channel_id, group_id FROM notification_channels
      WHERE tenant_id = ${tenantId} AND enabled AND access_requests`,
  );
}

/** Returns the ids of the failing channels of all tenants. */
export async function selectFailingChannels(db: Db): Promise<string[]> {
  const records = await rows(
    db,
    sql<{ channel_id: string }>`
      SELECT channel_id FROM notification_channels WHERE failing_since IS NOT NULL AND enabled`,
  );
  return records.map((record) => record.channel_id);
}

export type EnabledChannel = Pick<ChannelRecord, 'channel_id' | 'kind' | 'name'> & {
  tenant_id: string;
};

/** Returns the enabled channels of a tenant, or of all tenants. */
export function selectEnabledChannels(db: Db, tenantId: string | null): Promise<EnabledChannel[]> {
  return rows(
    db,
    sql<EnabledChannel>`
      SELECT tenant_id, channel_id, kind, name FROM notification_channels
      WHERE enabled AND ${tenantId === null ? ANY : sql`tenant_id = ${tenantId}`}
      ORDER BY tenant_id, created_at, channel_id`,
  );
}

/**
 * Updates a channel. Returns null if its version changed meanwhile. `resetHealth` clears the failure of a previous
 * target.
 */
export function updateChannel(
  tx: Tx,
  tenantId: string,
  before: Pick<ChannelRecord, 'channel_id' | 'version'>,
  after: ChannelConfig,
  resetHealth: boolean,
): Promise<ChannelRecord | null> {
  const keep = (column: string) => (resetHealth ? sql`NULL` : sql.ref(column));
  return row(
    tx,
    sql<ChannelRecord>`
      UPDATE notification_channels SET version = version + 1, name = ${after.name}, format = ${after.format},
        url_sealed = ${after.url_sealed}, url_hint = ${after.url_hint},
        recipients = ${jsonOrNull(after.recipients)}::jsonb, secret_sealed = ${after.secret_sealed},
        previous_secret_sealed = ${after.previous_secret_sealed},
        previous_secret_until = ${after.previous_secret_until}, rotation_id = ${after.rotation_id},
        min_severity = ${after.min_severity}, group_id = ${after.group_id},
        digest_after = ${after.digest_after}, access_requests = ${after.access_requests},
        enabled = ${after.enabled}, gone = gone AND NOT ${resetHealth}::boolean,
        last_status = ${keep('last_status')}, last_error = ${keep('last_error')},
        failing_since = ${keep('failing_since')}, gave_up_at = ${keep('gave_up_at')},
        updated_at = ${after.updated_at}, updated_by = ${after.updated_by}
      WHERE tenant_id = ${tenantId} AND channel_id = ${before.channel_id}
        AND version = ${before.version}
      RETURNING ${COLUMNS}`,
  );
}

/** Deletes a channel with its deliveries. Returns null if its version changed meanwhile. */
export async function deleteChannel(
  tx: Tx,
  tenantId: string,
  before: ChannelRecord,
): Promise<ChannelRecord | null> {
  // Meter, deliveries, channel: the order in which new alerts and finished attempts take their locks.
  await sql`
    DELETE FROM channel_meters
    WHERE tenant_id = ${tenantId} AND channel_id = ${before.channel_id}`.execute(tx);
  await sql`
    DELETE FROM notification_deliveries
    WHERE tenant_id = ${tenantId} AND channel_id = ${before.channel_id}`.execute(tx);
  return row(
    tx,
    sql<ChannelRecord>`
      DELETE FROM notification_channels
      WHERE tenant_id = ${tenantId} AND channel_id = ${before.channel_id}
        AND version = ${before.version}
      RETURNING ${COLUMNS}`,
  );
}

/** The state of a channel before an attempt: the begin of its failure, and its first abandoned delivery. */
export interface PreviousState {
  failing_since: Date | null;
  gave_up_at: Date | null;
}

/** Records a successful attempt. Returns the previous state; null if the channel is deleted. */
export async function recordSuccess(
  tx: Tx,
  tenantId: string,
  channelId: string,
  status: number | null,
): Promise<PreviousState | null> {
  const before = await lockState(tx, tenantId, channelId);
  await sql`
    UPDATE notification_channels SET last_attempt_at = now(), last_delivered_at = now(),
      last_status = ${status}, last_error = NULL, failing_since = NULL, gave_up_at = NULL
    WHERE tenant_id = ${tenantId} AND channel_id = ${channelId}`.execute(tx);
  return before;
}

/**
 * Records a failed attempt. Returns the previous state; null if the channel is deleted. `at` is a parameter, because Citus
 * rejects now() in a CASE.
 */
export async function recordFailure(
  tx: Tx,
  tenantId: string,
  channelId: string,
  failure: { status: number | null; error: string; gaveUp: boolean; at: Date },
): Promise<PreviousState | null> {
  const before = await lockState(tx, tenantId, channelId);
  await sql`
    UPDATE notification_channels SET last_attempt_at = now(), last_status = ${failure.status},
      last_error = ${failure.error}, failing_since = coalesce(failing_since, ${failure.at}),
      gave_up_at = CASE WHEN ${failure.gaveUp}::boolean THEN ${failure.at} ELSE gave_up_at END
    WHERE tenant_id = ${tenantId} AND channel_id = ${channelId}`.execute(tx);
  return before;
}

/**
 * Returns and locks the state, so that a single attempt observes a change although several end at the same time. The lock
 * is that of an update, so that new deliveries of the channel do not wait.
 */
function lockState(tx: Tx, tenantId: string, channelId: string): Promise<PreviousState | null> {
  return row(
    tx,
    sql<PreviousState>`
      SELECT failing_since, gave_up_at FROM notification_channels
      WHERE tenant_id = ${tenantId} AND channel_id = ${channelId} FOR NO KEY UPDATE`,
  );
}

/** Disables a channel whose target answered 410. Returns false if it is disabled already. */
export async function disableGoneChannel(
  tx: Tx,
  tenantId: string,
  channelId: string,
): Promise<boolean> {
  const disabled = await row(
    tx,
    sql<{ channel_id: string }>`
      UPDATE notification_channels SET enabled = false, gone = true, version = version + 1,
        updated_at = now(), updated_by = 'gatewarden'
      WHERE tenant_id = ${tenantId} AND channel_id = ${channelId} AND enabled
      RETURNING channel_id`,
  );
  return disabled !== null;
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Returns the names of the channels that are limited to a device group. */
export async function selectChannelNamesOfGroup(
  db: Db,
  tenantId: string,
  groupId: string,
): Promise<string[]> {
  const records = await rows(
    db,
    sql<{ name: string }>`
      SELECT name FROM notification_channels WHERE tenant_id = ${tenantId} AND group_id = ${groupId}
      ORDER BY name`,
  );
  return records.map(({ name }) => name);
}
