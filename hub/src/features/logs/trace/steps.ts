// What chains of calls have in common. Pure.
import type { CallStep, SentBy } from '@gatewarden/shared/wire/console/call-why.ts';
import type { AuditStep } from '../../../platform/audit.ts';
import { MICROS, type Micros } from '../events/index.ts';

/** An event of the audit trail, as one who asks about a call at `at` has to know it. */
export function stepOf(event: Omit<AuditStep, 'resource_id'>, at: Micros): CallStep {
  return {
    event_id: event.event_id,
    at: event.at.toISOString(),
    operation: event.operation,
    by: event.actor.email ?? event.actor.kind,
    request_id: event.request_id,
    is_since: event.at.getTime() * MICROS.ms > at,
  };
}

/** Who told of a row. Of a node that serves other tenants too not even its name is told. */
export async function sentBy(
  row: { node_id: string | null; decided?: object | null },
  nodeNamed: (nodeId: string) => Promise<string | null>,
): Promise<SentBy> {
  if (row.node_id !== null) return { kind: 'node', node: await nodeNamed(row.node_id) };
  return row.decided == null ? null : { kind: 'gateway', node: null };
}
