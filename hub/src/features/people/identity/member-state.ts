// The role and state of a member, and the audit operation of a change. Pure.
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';

export interface MemberState {
  role: Role;
  /** The assigned role, where a group gives a higher role. */
  given_role?: Role;
  disabled: boolean;
}

/** Returns the state of a member's row as the audit trail records it. */
export const memberStateOf = (row: {
  role: Role;
  given_role?: Role;
  disabled_at: Date | null;
}): MemberState => ({
  role: row.role,
  ...(row.given_role === undefined || row.given_role === row.role
    ? {}
    : { given_role: row.given_role }),
  disabled: row.disabled_at !== null,
});

/** Returns the audit operation of a change; `user.update` if neither role nor state changed. */
export function auditOperationOf(before: MemberState, after: MemberState): AuditOperation {
  if (before.disabled !== after.disabled) return after.disabled ? 'user.disable' : 'user.enable';
  const isSame = before.role === after.role && assignedRoleOf(before) === assignedRoleOf(after);
  return isSame ? 'user.update' : 'user.role';
}

/**
 * Returns the audit detail of a new member. A group that the person was added to before may give a higher role at once.
 */
export const creationDetail = (email: string, assigned: Role, role: Role) => ({
  email,
  role: assigned,
  ...(role === assigned ? {} : { lifted_to: role }),
});

const assignedRoleOf = ({ role, given_role: assigned = role }: MemberState): Role => assigned;
