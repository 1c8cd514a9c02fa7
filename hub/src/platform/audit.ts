// The audit trail: an event for each write, in the transaction of the write, so that neither exists without the other.

import { randomUUID } from 'node:crypto';
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from './db/database.ts';
import { PREPARED } from './db/prepared-statements.ts';

/**
 * The actor of an event: a signed-in user, an administrator's token, a management key, the operator at the command line, a
 * device on behalf of its user, a company directory by its token, or the hub itself.
 */
export interface Actor {
  kind: 'person' | 'admin_token' | 'management_key' | 'operator' | 'device' | 'directory' | 'hub';
  id: string;
  email: string | null;
  /** The client's address, behind trusted proxies; omitted for actions without a request. */
  address?: string;
}

/** The actor of the command line. */
export const OPERATOR: Actor = { kind: 'operator', id: 'command-line', email: null };

export interface By {
  actor: Actor;
  requestId: string | null;
}

export const BY_OPERATOR: By = { actor: OPERATOR, requestId: null };

export interface AuditEvent {
  tenantId: string;
  actor: Actor;
  operation: AuditOperation;
  resource: { kind: string; id: string };
  requestId: string | null;
  /** The change, without secrets. */
  detail: object;
  /** The event is visible in the management API. */
  management?: boolean;
  /** Default: `succeeded`. */
  result?: 'succeeded' | 'failed';
}

/** Records an event with the current time, not the start of the transaction: an event that waited for a lock comes later. */
export async function recordAudit(tx: Tx, event: AuditEvent): Promise<void> {
  await sql`
    ${PREPARED} INSERT INTO audit_events
      (tenant_id, event_id, at, actor, operation, resource, result, request_id, detail, management)
    VALUES (${event.tenantId}, ${randomUUID()}, clock_timestamp(), ${JSON.stringify(event.actor)}::jsonb,
      ${event.operation}, ${JSON.stringify(event.resource)}::jsonb,
      ${event.result ?? 'succeeded'}, ${event.requestId}, ${JSON.stringify(event.detail)}::jsonb,
      ${event.management === true})`.execute(tx);
}

/** Records events of many requests in a single statement. */
export async function recordAudits(tx: Tx, events: readonly AuditEvent[]): Promise<void> {
  if (events.length === 0) return;
  const resources = events.map((event) => JSON.stringify(event.resource));
  await sql`
    ${PREPARED} INSERT INTO audit_events
      (tenant_id, event_id, at, actor, operation, resource, result, request_id, detail, management)
    SELECT tenant_id, event_id, clock_timestamp(), actor, operation, resource, result, request_id, detail,
      management
    FROM unnest(${events.map((event) => event.tenantId)}::uuid[], ${events.map(() => randomUUID())}::uuid[],
      ${events.map((event) => JSON.stringify(event.actor))}::jsonb[], ${events.map((event) => event.operation)}::text[],
      ${resources}::jsonb[],
      ${events.map((event) => event.result ?? 'succeeded')}::text[], ${events.map((event) => event.requestId)}::text[],
      ${events.map((event) => JSON.stringify(event.detail))}::jsonb[],
      ${events.map((event) => event.management === true)}::boolean[])
      AS e (tenant_id, event_id, actor, operation, resource, result, request_id, detail,
        management)`.execute(tx);
}

export interface AuditStep {
  event_id: string;
  at: Date;
  actor: Actor;
  operation: string;
  request_id: string | null;
  /** The changed resource. */
  resource_id: string;
}

/** Returns the newest `limit` events of the resources, oldest first, without details. */
export async function selectAuditOf(
  db: Db,
  tenantId: string,
  ids: readonly string[],
  limit: number,
): Promise<AuditStep[]> {
  const newest = await rows(
    db,
    sql<AuditStep>`
      SELECT event_id, at, actor, operation, request_id, resource ->> 'id' AS resource_id
      FROM audit_events
      WHERE tenant_id = ${tenantId} AND resource ->> 'id' = ANY (${ids}::text[])
      ORDER BY at DESC, event_id DESC LIMIT ${limit}`,
  );
  return newest.reverse();
}

/** Returns the newest event of an operation on a resource, up to an optional time, or null. */
export function selectNewestOf(
  db: Db,
  tenantId: string,
  of: { id: string; operation: AuditOperation; until?: string },
): Promise<AuditStep | null> {
  const until = of.until === undefined ? sql`true` : sql`at <= ${of.until}::timestamptz`;
  return row(
    db,
    sql<AuditStep>`
      SELECT event_id, at, actor, operation, request_id, resource ->> 'id' AS resource_id
      FROM audit_events
      WHERE tenant_id = ${tenantId} AND resource ->> 'id' = ${of.id}
        AND operation = ${of.operation} AND ${until}
      ORDER BY at DESC, event_id DESC LIMIT 1`,
  );
}

/**
 * A location of names in the details of events: a field, in events of an operation or of all operations, and further fields
 * that may describe the user.
 */
export interface NamedInAudit {
  /** Field name; omitted: any complete value, such as a list element. */
  field?: string;
  operation?: AuditOperation;
  without?: readonly (readonly string[])[];
}

/**
 * Overwrites a user's name in the details of events, for the erasure of personal data. Operation and actor stay. Only complete
 * values are replaced, never a part of a text. Returns the changed events, whose checkpoints must be renewed.
 */
export async function eraseFromAudit(
  tx: Tx,
  tenantId: string,
  name: string,
  to: { erased: string; where: readonly NamedInAudit[] },
): Promise<string[]> {
  const changed = new Set<string>();
  for (const { field, operation, without = [] } of to.where) {
    // The pattern is PostgreSQL's text format of a jsonb field. Inside of a text its quotes would be escaped.
    const key = field === undefined ? '' : `"${field}": `;
    const written = (value: string) => `${key}${JSON.stringify(value)}`;
    const updated = await rows(
      tx,
      sql<{ event_id: string }>`
      UPDATE audit_events
      SET detail = replace(detail::text, ${written(name)}, ${written(to.erased)})::jsonb
        ${sql.join(
          without.map((path) => sql`#- ${[...path]}::text[]`),
          sql` `,
        )}
      WHERE tenant_id = ${tenantId} AND strpos(detail::text, ${written(name)}) > 0
        AND ${operation === undefined ? sql`true` : sql`operation = ${operation}`}
      RETURNING event_id`,
    );
    for (const { event_id } of updated) changed.add(event_id);
  }
  return [...changed];
}

/** Erases the details of an operation's events on the resources. Returns the changed events. */
export async function eraseDetails(
  tx: Tx,
  tenantId: string,
  of: { operation: AuditOperation; ids: readonly string[] },
): Promise<string[]> {
  const updated = await rows(
    tx,
    sql<{ event_id: string }>`
    UPDATE audit_events SET detail = '{}'
    WHERE tenant_id = ${tenantId} AND resource ->> 'id' = ANY (${of.ids}::text[])
      AND operation = ${of.operation}
    RETURNING event_id`,
  );
  return updated.map(({ event_id }) => event_id);
}
