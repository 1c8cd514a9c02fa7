// The audit trail: one event for each write, in the write's own transaction, so that neither exists alone.

import { randomUUID } from 'node:crypto';
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from './db/database.ts';
import { PREPARED } from './db/prepared.ts';

/**
 * Who did it: a signed-in person, an administrator's token, a management key, the operator at the command line, a device
 * in its person's name, a company's directory by its token, or the hub by itself.
 */
export interface Actor {
  kind: 'person' | 'admin_token' | 'management_key' | 'operator' | 'device' | 'directory' | 'hub';
  id: string;
  email: string | null;
  /** The client's address, behind trusted proxies; left out for what came by no request of a person or program. */
  address?: string;
}

/** Who works at the command line. */
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
  /** What changed; never a secret. */
  detail: object;
  /** The management API shows it as its own. */
  management?: boolean;
  /** `succeeded` where it is left out. */
  result?: 'succeeded' | 'failed';
}

/** At the time of now, not of the transaction's beginning: one that waited for a lock comes after what it waited for. */
export async function recordAudit(tx: Tx, event: AuditEvent): Promise<void> {
  await sql`
    ${PREPARED} INSERT INTO audit_events
      (tenant_id, event_id, at, actor, operation, resource, result, request_id, detail, management)
    VALUES (${event.tenantId}, ${randomUUID()}, clock_timestamp(), ${JSON.stringify(event.actor)}::jsonb,
      ${event.operation}, ${JSON.stringify(event.resource)}::jsonb,
      ${event.result ?? 'succeeded'}, ${event.requestId}, ${JSON.stringify(event.detail)}::jsonb,
      ${event.management === true})`.execute(tx);
}

/** Many at once: one statement for what many requests did in one transaction. */
export async function recordAudits(tx: Tx, events: readonly AuditEvent[]): Promise<void> {
  if (events.length === 0) return;
  const each = (text: (event: AuditEvent) => string | null) => events.map(text);
  await sql`
    ${PREPARED} INSERT INTO audit_events
      (tenant_id, event_id, at, actor, operation, resource, result, request_id, detail, management)
    SELECT tenant_id, event_id, clock_timestamp(), actor, operation, resource, result, request_id, detail,
      management
    FROM unnest(${each((one) => one.tenantId)}::uuid[], ${each(() => randomUUID())}::uuid[],
      ${each((one) => JSON.stringify(one.actor))}::jsonb[], ${each((one) => one.operation)}::text[],
      ${each((one) => JSON.stringify(one.resource))}::jsonb[],
      ${each((one) => one.result ?? 'succeeded')}::text[], ${each((one) => one.requestId)}::text[],
      ${each((one) => JSON.stringify(one.detail))}::jsonb[],
      ${events.map((one) => one.management === true)}::boolean[])
      AS e (tenant_id, event_id, actor, operation, resource, result, request_id, detail,
        management)`.execute(tx);
}

export interface AuditStep {
  event_id: string;
  at: Date;
  actor: Actor;
  operation: string;
  request_id: string | null;
  /** What it was done to. */
  resource_id: string;
}

/** What was done to these things, oldest first; of more than `limit` events the newest. Without details. */
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

/** The newest event of one kind about a thing, until a time or of all; null where there is none. */
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
 * Where a name stands in the details of events: the field that holds it, in those of one operation or of all, and what
 * else in such details may speak of the person.
 */
export interface NamedInAudit {
  /** Left out: wherever it is a whole value, as in lists. */
  field?: string;
  operation?: AuditOperation;
  without?: readonly (readonly string[])[];
}

/**
 * Overwrites a person's name in the details of events, for who has to be forgotten: what was done stays, and by whom.
 * Only whole values of these fields, never a part of a text. Gives the events that changed, whose checkpoints must be told.
 */
export async function eraseFromAudit(
  tx: Tx,
  tenantId: string,
  name: string,
  to: { erased: string; where: readonly NamedInAudit[] },
): Promise<string[]> {
  const changed = new Set<string>();
  for (const { field, operation, without = [] } of to.where) {
    // As PostgreSQL writes a field of a jsonb as text; inside of a text its quotes would be escaped.
    const key = field === undefined ? '' : `"${field}": `;
    const written = (value: string) => `${key}${JSON.stringify(value)}`;
    const found = await rows(
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
    for (const { event_id } of found) changed.add(event_id);
  }
  return [...changed];
}

/** Takes the details from the events of one kind about these things. Gives the events that changed. */
export async function eraseDetails(
  tx: Tx,
  tenantId: string,
  of: { operation: AuditOperation; ids: readonly string[] },
): Promise<string[]> {
  const found = await rows(
    tx,
    sql<{ event_id: string }>`
    UPDATE audit_events SET detail = '{}'
    WHERE tenant_id = ${tenantId} AND resource ->> 'id' = ANY (${of.ids}::text[])
      AND operation = ${of.operation}
    RETURNING event_id`,
  );
  return found.map((one) => one.event_id);
}
