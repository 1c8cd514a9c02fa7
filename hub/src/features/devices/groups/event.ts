// Shared by the routes of device groups: their tag, and the audit event of an action.
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import type { AuditEvent } from '../../../platform/audit.ts';
import { auditEventOf, type Person } from '../../../platform/auth/person.ts';

export const TAGS = ['device-groups'];

export function event(
  person: Person,
  operation: AuditOperation,
  requestId: string,
  groupId: string,
  detail: object,
): AuditEvent {
  return auditEventOf(person, requestId, {
    operation,
    resource: { kind: 'device_group', id: groupId },
    detail,
  });
}
