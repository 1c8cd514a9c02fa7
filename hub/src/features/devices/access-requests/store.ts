// All SQL of access requests.
import type { AccessState } from '@gatewarden/shared/wire/console/access-requests.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY, newestFirst } from '../../../platform/db/list-conditions.ts';

export interface RequestRecord {
  access_request_id: string;
  device_id: string;
  hostname: string;
  platform: Platform | null;
  /** Returns the device's current user; null if the device is retired or deleted. */
  owner: string | null;
  subscriber_id: string;
  via: 'console' | 'agent';
  entity_id: string | null;
  process_name: string | null;
  application_name: string | null;
  activity_id: string | null;
  blocked_by: string | null;
  reason: string;
  asked: number;
  state: AccessState;
  created_at: Date;
  asked_at: Date;
  decided_at: Date | null;
  decided_by: string | null;
  answer: string | null;
  override_id: string | null;
  ends_at: Date | null;
  version: number;
  sort_key: string;
}

const COLUMNS = sql`
  r.access_request_id, r.device_id, coalesce(d.hostname, '') AS hostname, d.platform,
  CASE WHEN d.retired_at IS NULL THEN d.subscriber_id END AS owner, r.subscriber_id, r.via,
  r.entity_id, r.process_name, r.application_name, r.activity_id, r.blocked_by, r.reason, r.asked,
  r.state, r.created_at, r.asked_at, r.decided_at, r.decided_by, r.answer, r.override_id,
  r.ends_at, r.version, r.created_at::text AS sort_key`;

const TABLES = sql`
  access_requests r LEFT JOIN devices d
    ON d.tenant_id = r.tenant_id AND d.device_id = r.device_id`;

/** Newest first: the requests of the tenant, or of a person. */
export function selectRequests(
  db: Db,
  tenantId: string,
  filter: { state?: AccessState; device_id?: string; person?: string },
  after: readonly string[] | undefined,
  limit: number,
): Promise<RequestRecord[]> {
  return rows(
    db,
    sql<RequestRecord>`
      SELECT ${COLUMNS} FROM ${TABLES}
      WHERE r.tenant_id = ${tenantId}
        AND ${filter.state === undefined ? ANY : sql`r.state = ${filter.state}`}
        AND ${filter.device_id === undefined ? ANY : sql`r.device_id = ${filter.device_id}::uuid`}
        AND ${filter.person === undefined ? ANY : sql`r.person = ${filter.person}`}
        AND ${newestFirst(after, 'r.created_at', 'r.access_request_id')}
      ORDER BY r.created_at DESC, r.access_request_id LIMIT ${limit}`,
  );
}

export function selectRequest(
  db: Db,
  tenantId: string,
  requestId: string,
): Promise<RequestRecord | null> {
  return row(
    db,
    sql<RequestRecord>`
      SELECT ${COLUMNS} FROM ${TABLES}
      WHERE r.tenant_id = ${tenantId} AND r.access_request_id = ${requestId}`,
  );
}

/** The request that an exception was made for. */
export function selectRequestOf(
  db: Db,
  tenantId: string,
  overrideId: string,
): Promise<RequestRecord | null> {
  return row(
    db,
    sql<RequestRecord>`
      SELECT ${COLUMNS} FROM ${TABLES}
      WHERE r.tenant_id = ${tenantId} AND r.override_id = ${overrideId} LIMIT 1`,
  );
}

/** Who asks twice in the same moment is counted once: the second waits until this transaction ends. */
export async function lockPerson(tx: Tx, tenantId: string, person: string): Promise<void> {
  const key = `access-requests/${tenantId}/${person}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx);
}

export interface Asked {
  open: number;
  lately: number;
}

/** How many of a person's wait, and how often they asked since then. */
export async function countAsked(
  tx: Tx,
  tenantId: string,
  person: string,
  since: Date,
): Promise<Asked> {
  const record = await row(
    tx,
    sql<Asked>`
      SELECT count(*) FILTER (WHERE state = 'open')::integer AS open,
        coalesce(sum(asked) FILTER (WHERE asked_at > ${since}), 0)::integer AS lately
      FROM access_requests WHERE tenant_id = ${tenantId} AND person = ${person}`,
  );
  return record ?? { open: 0, lately: 0 };
}

export interface NewRequest {
  access_request_id: string;
  device_id: string;
  subscriber_id: string;
  person: string;
  via: 'console' | 'agent';
  subject: string;
  entity_id: string | null;
  process_name: string | null;
  application_name: string | null;
  activity_id: string | null;
  blocked_by: string | null;
  reason: string;
  at: Date;
}

/** The open request about the same thing on the same device. */
export function selectSame(
  tx: Tx,
  tenantId: string,
  of: { device_id: string; subject: string },
): Promise<{ access_request_id: string } | null> {
  return row(
    tx,
    sql<{ access_request_id: string }>`
      SELECT access_request_id FROM access_requests
      WHERE tenant_id = ${tenantId} AND device_id = ${of.device_id} AND subject = ${of.subject}
        AND state = 'open' FOR UPDATE`,
  );
}

/** The request that this very asking made or repeated, whatever became of it. */
export function selectAsked(
  tx: Tx,
  tenantId: string,
  of: { person: string; device_id: string; askId: string },
): Promise<{ access_request_id: string } | null> {
  return row(
    tx,
    sql<{ access_request_id: string }>`
      SELECT access_request_id FROM access_requests
      WHERE tenant_id = ${tenantId} AND person = ${of.person} AND device_id = ${of.device_id}
        AND (${of.askId}::uuid IN (access_request_id, last_ask_id)
          OR ${of.askId}::uuid = ANY (ask_ids)) LIMIT 1`,
  );
}

/** Per request: more than a person creates in a day. A device repeats what it sent recently. */
const ASK_IDS_MAX = 100;

/** False where the id is taken. `askId`: what it was asked with. */
export async function insertRequest(
  tx: Tx,
  tenantId: string,
  request: NewRequest,
  askId: string,
): Promise<boolean> {
  const stored = await row(
    tx,
    sql`
      INSERT INTO access_requests (tenant_id, access_request_id, device_id, subscriber_id, person,
        via, subject, entity_id, process_name, application_name, activity_id, blocked_by, reason,
        last_ask_id, ask_ids, created_at, asked_at)
      VALUES (${tenantId}, ${request.access_request_id}, ${request.device_id}, ${request.subscriber_id},
        ${request.person}, ${request.via}, ${request.subject}, ${request.entity_id}, ${request.process_name},
        ${request.application_name}, ${request.activity_id}, ${request.blocked_by}, ${request.reason},
        ${askId}, ARRAY[${askId}::uuid], ${request.at}, ${request.at})
      ON CONFLICT (tenant_id, access_request_id) DO NOTHING RETURNING access_request_id`,
  );
  return stored !== null;
}

/** The device that asked under this id. */
export async function selectDeviceOf(
  tx: Tx,
  tenantId: string,
  requestId: string,
): Promise<string | null> {
  const record = await row(
    tx,
    sql<{ device_id: string }>`
      SELECT device_id FROM access_requests
      WHERE tenant_id = ${tenantId} AND access_request_id = ${requestId}`,
  );
  return record?.device_id ?? null;
}

/** Asked once more: the newest words count, and what stopped it last. */
export async function askAgain(
  tx: Tx,
  tenantId: string,
  requestId: string,
  again: NewRequest,
): Promise<void> {
  await sql`
    UPDATE access_requests SET asked = asked + 1, asked_at = ${again.at}, reason = ${again.reason},
      activity_id = coalesce(${again.activity_id}::uuid, activity_id),
      blocked_by = coalesce(${again.blocked_by}::uuid, blocked_by),
      last_ask_id = ${again.access_request_id},
      ask_ids = ask_ids[greatest(cardinality(ask_ids) - ${ASK_IDS_MAX - 2}::integer, 1):]
        || ${again.access_request_id}::uuid,
      version = version + 1
    WHERE tenant_id = ${tenantId} AND access_request_id = ${requestId}`.execute(tx);
}

/** Null where somebody answered meanwhile. */
export async function answerRequest(
  tx: Tx,
  tenantId: string,
  of: { access_request_id: string; version: number },
  answer: {
    state: 'granted' | 'declined';
    by: string;
    at: Date;
    text: string | null;
    overrideId: string | null;
    endsAt: Date | null;
  },
): Promise<boolean> {
  const stored = await row(
    tx,
    sql`
      UPDATE access_requests SET state = ${answer.state}, decided_at = ${answer.at},
        decided_by = ${answer.by}, answer = ${answer.text}, override_id = ${answer.overrideId},
        ends_at = ${answer.endsAt}, version = version + 1
      WHERE tenant_id = ${tenantId} AND access_request_id = ${of.access_request_id}
        AND version = ${of.version} AND state = 'open'
      RETURNING access_request_id`,
  );
  return stored !== null;
}

/** What waits for an answer about a device that is not that person's any more. Gives how many. */
export async function withdrawRequests(
  tx: Tx,
  tenantId: string,
  deviceId: string,
): Promise<number> {
  const records = await rows(
    tx,
    sql`
      UPDATE access_requests SET state = 'withdrawn', decided_at = ${new Date()}, version = version + 1
      WHERE tenant_id = ${tenantId} AND device_id = ${deviceId} AND state = 'open'
      RETURNING access_request_id`,
  );
  return records.length;
}

/** Everything that a person asked for. Gives how many. */
export async function eraseRequests(
  tx: Tx,
  tenantId: string,
  subscriberId: string,
): Promise<number> {
  const records = await rows(
    tx,
    sql`
      DELETE FROM access_requests
      WHERE tenant_id = ${tenantId} AND subscriber_id = ${subscriberId}
      RETURNING access_request_id`,
  );
  return records.length;
}

/** How many wait, counted up to `most`. */
export async function countOpenRequests(db: Db, tenantId: string, most: number): Promise<number> {
  const record = await row(
    db,
    sql<{ n: number }>`
      SELECT count(*)::integer AS n FROM (
        SELECT 1 FROM access_requests WHERE tenant_id = ${tenantId} AND state = 'open'
        LIMIT ${most}) waiting`,
  );
  return record?.n ?? 0;
}

/** Returns how many access requests this folded e-mail address has made, and how many are open. */
export async function countPersonsRequests(
  db: Db,
  tenantId: string,
  person: string,
): Promise<{ open: number; all: number }> {
  const counted = await row(
    db,
    sql<{ open: number; all: number }>`
      SELECT count(*) FILTER (WHERE state = 'open')::integer AS open, count(*)::integer AS all
      FROM access_requests WHERE tenant_id = ${tenantId} AND person = ${person}`,
  );
  return counted ?? { open: 0, all: 0 };
}
