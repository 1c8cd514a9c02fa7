// The audit trail: one event for each write, in the write's own transaction, so that neither exists alone.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from './db/database.ts';
import { PREPARED } from './db/prepared.ts';

/**
 * Who did it: a signed-in person, an administrator's token, a management key, the operator at the command line, or the
 * hub by itself.
 */
export interface Actor {
  kind: 'person' | 'admin_token' | 'management_key' | 'operator' | 'hub';
  id: string;
  email: string | null;
}

export interface AuditEvent {
  tenantId: string;
  actor: Actor;
  /** `<resource>.<verb>`, such as `override.create`. */
  operation: string;
  resource: { kind: string; id: string };
  requestId: string | null;
  /** What changed; never a secret. */
  detail: object;
  /** The management API shows it as its own. */
  management?: boolean;
  /** `succeeded` where it is left out. */
  result?: 'succeeded' | 'failed';
}

export async function recordAudit(tx: Tx, event: AuditEvent): Promise<void> {
  await sql`
    ${PREPARED} INSERT INTO audit_events
      (tenant_id, event_id, at, actor, operation, resource, result, request_id, detail, management)
    VALUES (${event.tenantId}, ${randomUUID()}, now(), ${JSON.stringify(event.actor)}::jsonb,
      ${event.operation}, ${JSON.stringify(event.resource)}::jsonb,
      ${event.result ?? 'succeeded'}, ${event.requestId}, ${JSON.stringify(event.detail)}::jsonb,
      ${event.management === true})`.execute(tx);
}
