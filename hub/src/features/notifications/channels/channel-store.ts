// All SQL of channels. The health that deliveries record never changes the version that If-Match compares.
import type { ChatFormat } from '@gatewarden/shared/wire/chat-formats.ts';
import type { ChannelKind } from '@gatewarden/shared/wire/console/notification-channels.ts';
import type { Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY, newestFirst } from '../../../platform/http/lists/console-lists.ts';

/** The settings of a channel; its URL and secrets are sealed. */
export interface ChannelConfig {
  kind: ChannelKind;
  /** Of a chat channel as an administrator chose it; null: the URL names it. */
  format: ChatFormat | null;
  name: string;
  url_sealed: string | null;
  url_hint: string | null;
  recipients: string[] | null;
  secret_sealed: string | null;
  previous_secret_sealed: string | null;
  previous_secret_until: Date | null;
  /** Of the rotation that made the present secret, where who asked for it named it. */
  rotation_id: string | null;
  min_severity: Severity;
  group_id: string | null;
  /** The number of messages per minute; further alerts are sent as a digest. Null: each alert is sent by itself. */
  digest_after: number | null;
  /** Requests for exceptions go this way, too. */
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

/** The columns with the position in the list. Citus allows no text of a time in a RETURNING clause. */
export type ListedChannel = ChannelRecord & { sort_key: string };

const COLUMNS = sql`
  channel_id, version, kind, format, name, url_sealed, url_hint, recipients, secret_sealed,
  previous_secret_sealed, previous_secret_until, rotation_id, min_severity, group_id, digest_after,
  access_requests, enabled, gone, last_attempt_at, last_delivered_at, last_status, last_error, failing_since, gave_up_at,
  created_at, created_by, updated_at, updated_by`;

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

export type ChannelFilter = Pick<
  ChannelRecord,
  'channel_id' | 'kind' | 'min_severity' | 'group_id' | 'digest_after'
>;

/** The fields of a channel that decide whether it takes an alert. */
export function selectChannelFilters(tx: Tx, tenantId: string): Promise<ChannelFilter[]> {
  return rows(
    tx,
    sql<ChannelFilter>`
      SELECT channel_id, kind, min_severity, group_id, digest_after
      FROM notification_channels
      WHERE tenant_id = ${tenantId} AND enabled`,
  );
}

/** Returns the channels that take access requests. */
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

/** Failing channels of all tenants: each has a single attempt at a time, until an attempt succeeds. */
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

/** Null where the version moved on meanwhile. `freshStart` forgets what was wrong with the former target. */
export function updateChannel(
  tx: Tx,
  tenantId: string,
  before: Pick<ChannelRecord, 'channel_id' | 'version'>,
  after: ChannelConfig,
  freshStart: boolean,
): Promise<ChannelRecord | null> {
  const kept = (column: string) => (freshStart ? sql`NULL` : sql.ref(column));
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
        enabled = ${after.enabled}, gone = gone AND NOT ${freshStart}::boolean,
        last_status = ${kept('last_status')}, last_error = ${kept('last_error')},
        failing_since = ${kept('failing_since')}, gave_up_at = ${kept('gave_up_at')},
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
  // The meter before deliveries, as new alerts take their locks.
  await sql`
    DELETE FROM channel_meters
    WHERE tenant_id = ${tenantId} AND channel_id = ${before.channel_id}`.execute(tx);
  // Deliveries before the channel, as an attempt that ends takes its locks: the other way round the two could wait for each other.
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

/** The state of the channel before an attempt was recorded: since when it fails, and whether it gave something up since. */
export interface PreviousState {
  failing_since: Date | null;
  gave_up_at: Date | null;
}

/** Null where the channel is gone. */
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

/** `at` is a parameter, because Citus rejects now() in a CASE. Returns null if the channel is deleted. */
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
 * Locked, so that of attempts that end at once, in whatever hub process, one sees the channel turn; as an update would,
 * which keeps no new delivery of the channel waiting.
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

/** The names of the channels that take only the alerts of this group's devices. */
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
  return records.map((item) => item.name);
}
