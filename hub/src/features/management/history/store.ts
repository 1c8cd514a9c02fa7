// SQL of configuration versions and of the management API's audit events.
import { sql } from 'kysely';
import type { Actor, AuditStep } from '../../../platform/audit.ts';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { limitPageBytes, type PageRow } from '../../../platform/db/page-byte-limit.ts';
import { PREPARED } from '../../../platform/db/prepared-statements.ts';

export interface VersionRow {
  version_id: string;
  app_version: number;
  created_at: Date;
  actor: Actor;
  operation: string;
  changed: string[];
}
export interface VersionRecord extends VersionRow {
  previous_config: Record<string, unknown>;
  new_config: Record<string, unknown>;
}

export async function insertVersion(
  tx: Tx,
  place: { tenantId: string; appId: string },
  version: Omit<VersionRecord, 'created_at'>,
): Promise<void> {
  await sql`
    ${PREPARED} INSERT INTO app_versions (tenant_id, app_id, app_version, version_id, actor, operation, changed,
      previous_config, new_config)
    VALUES (${place.tenantId}, ${place.appId}, ${version.app_version}, ${version.version_id},
      ${JSON.stringify(version.actor)}::jsonb, ${version.operation}, ${JSON.stringify(version.changed)}::jsonb,
      ${JSON.stringify(version.previous_config)}::jsonb,
      ${JSON.stringify(version.new_config)}::jsonb)`.execute(tx);
}

export interface ConfigurationAt {
  /** Null for the configuration at creation. */
  version_id: string | null;
  app_version: number;
  changed: string[];
  /** Null if the audit trail names no actor. */
  made: Omit<AuditStep, 'resource_id'> | null;
  /** The number of later versions. */
  newer: number;
}

/** Returns the app's configuration at a time: the newest version until then, with its author. */
export async function configurationAt(
  db: Db,
  tenantId: string,
  appId: string,
  at: string,
): Promise<ConfigurationAt> {
  const found = await row(
    db,
    sql<Pick<VersionRow, 'version_id' | 'app_version' | 'changed'>>`
      SELECT version_id, app_version, changed FROM app_versions
      WHERE tenant_id = ${tenantId} AND app_id = ${appId} AND created_at <= ${at}::timestamptz
      ORDER BY app_version DESC LIMIT 1`,
  );
  const app_version = found?.app_version ?? FIRST;
  const counted = await row(
    db,
    sql<{ newer: number }>`
      SELECT count(*)::int AS newer FROM app_versions
      WHERE tenant_id = ${tenantId} AND app_id = ${appId} AND app_version > ${app_version}`,
  );
  const which =
    found === null
      ? sql`operation = 'app.create' ORDER BY at, event_id`
      : sql`detail ->> 'version_id' = ${found.version_id}`;
  const made = await row(
    db,
    sql<ConfigurationAt['made'] & object>`
      SELECT event_id, at, actor, operation, request_id FROM audit_events
      WHERE tenant_id = ${tenantId} AND resource ->> 'id' = ${appId} AND ${which} LIMIT 1`,
  );
  return {
    version_id: found?.version_id ?? null,
    app_version,
    changed: found?.changed ?? [],
    made,
    newer: counted?.newer ?? 0,
  };
}

/** The first version of an app, which has no record of its own. */
const FIRST = 1;

/** Returns versions below this app version, newest first. */
export function selectVersions(
  db: Db,
  tenantId: string,
  appId: string,
  below: string | undefined,
  limit: number,
): Promise<(VersionRow & PageRow)[]> {
  const bound = below === undefined ? sql`true` : sql`app_version < ${below}::int`;
  const found = sql`
    SELECT version_id, app_version, created_at, actor, operation, changed,
      octet_length(changed::text) AS own_bytes
    FROM app_versions
    WHERE tenant_id = ${tenantId} AND app_id = ${appId} AND ${bound}
    ORDER BY app_version DESC LIMIT ${limit}`;
  return rows(db, sql<VersionRow & PageRow>`${limitPageBytes(found, sql`app_version DESC`)}`);
}

export function selectVersion(
  db: Db,
  tenantId: string,
  appId: string,
  versionId: string,
): Promise<VersionRecord | null> {
  return row(
    db,
    sql<VersionRecord>`
      SELECT version_id, app_version, created_at, actor, operation, changed, previous_config,
        new_config
      FROM app_versions
      WHERE tenant_id = ${tenantId} AND app_id = ${appId} AND version_id = ${versionId}`,
  );
}

export interface AuditRow {
  event_id: string;
  actor: Actor;
  operation: string;
  resource: { kind: string; id: string };
  request_id: string | null;
  result: string;
  at: Date;
  at_text: string;
  detail: object;
}

const EVENT = sql`
  event_id, actor, operation, resource, request_id, result, at, at::text AS at_text, detail`;

/** Returns events before this event, newest first. */
export function selectManagementAudit(
  db: Db,
  tenantId: string,
  before: readonly string[] | undefined,
  limit: number,
): Promise<(AuditRow & PageRow)[]> {
  const bound =
    before === undefined
      ? sql`true`
      : sql`(at, event_id) < (${before[0]}::timestamptz, ${before[1]}::uuid)`;
  const found = sql`
    SELECT ${EVENT}, octet_length(detail::text) AS own_bytes FROM audit_events
    WHERE tenant_id = ${tenantId} AND management AND ${bound}
    ORDER BY at DESC, event_id DESC LIMIT ${limit}`;
  return rows(db, sql<AuditRow & PageRow>`${limitPageBytes(found, sql`at DESC, event_id DESC`)}`);
}

export function selectManagementAuditEvent(
  db: Db,
  tenantId: string,
  eventId: string,
): Promise<AuditRow | null> {
  return row(
    db,
    sql<AuditRow>`
      SELECT ${EVENT} FROM audit_events
      WHERE tenant_id = ${tenantId} AND event_id = ${eventId} AND management`,
  );
}
