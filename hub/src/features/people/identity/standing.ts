// What a person is in a tenant, whoever changes it, and what the change is called. Pure.
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';

export interface Standing {
  role: Role;
  /** What they were given, where a group lifts them above it. */
  given_role?: Role;
  disabled: boolean;
}

/** Of a member's row, as the trail shows it. */
export const standingOf = (row: {
  role: Role;
  given_role?: Role;
  disabled_at: Date | null;
}): Standing => ({
  role: row.role,
  ...(row.given_role === undefined || row.given_role === row.role
    ? {}
    : { given_role: row.given_role }),
  disabled: row.disabled_at !== null,
});

/** What the trail calls a change; one of neither role nor state is an update. */
export function operationOf(before: Standing, after: Standing): AuditOperation {
  if (before.disabled !== after.disabled) return after.disabled ? 'user.disable' : 'user.enable';
  const isSame = before.role === after.role && givenOf(before) === givenOf(after);
  return isSame ? 'user.update' : 'user.role';
}

/** What the trail says of somebody who was made with a role; a group that they were put into before may lift them at once. */
export const madeAs = (email: string, given: Role, role: Role) => ({
  email,
  role: given,
  ...(role === given ? {} : { lifted_to: role }),
});

const givenOf = ({ role, given_role: given = role }: Standing): Role => given;
