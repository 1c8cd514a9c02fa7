// What a person is in a tenant, whoever changes it: what the change is called, and that an administrator is left. Pure.
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { HubError } from '../../../platform/http/errors.ts';

export interface Standing {
  role: Role;
  disabled: boolean;
}

/** Of a member's row, as the trail shows it. */
export const standingOf = (row: { role: Role; disabled_at: Date | null }): Standing => ({
  role: row.role,
  disabled: row.disabled_at !== null,
});

/** What the trail calls a change; one of neither role nor state is an update. */
export function operationOf(before: Standing, after: Standing): AuditOperation {
  if (before.disabled !== after.disabled) return after.disabled ? 'user.disable' : 'user.enable';
  return before.role === after.role ? 'user.update' : 'user.role';
}

/** `admins` are held until the transaction ends. Throws `last_administrator` where `wanted` would leave none. */
export function keepAnAdministrator(
  admins: readonly { user_id: string }[],
  userId: string,
  wanted: Standing,
): void {
  const stays = wanted.role === 'Admin' && !wanted.disabled;
  if (!stays && admins.length === 1 && admins[0]?.user_id === userId) {
    throw new HubError('last_administrator');
  }
}
