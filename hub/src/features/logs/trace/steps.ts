// Parts that all traces of calls share. Pure.
import type { CallStep, SentBy } from '@gatewarden/shared/wire/console/call-why.ts';
import type { AuditStep } from '../../../platform/audit.ts';
import { MICROS, type Micros } from '../events/index.ts';

/** Returns an audit event as a step of the trace of a call at `at`. */
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

/** Returns the sender of a row. The name of a node that serves other tenants, too, is not disclosed. */
export async function sentBy(
  row: { node_id: string | null; decided?: object | null },
  nodeNamed: (nodeId: string) => Promise<string | null>,
): Promise<SentBy> {
  if (row.node_id !== null) return { kind: 'node', node: await nodeNamed(row.node_id) };
  return row.decided == null ? null : { kind: 'gateway', node: null };
}
