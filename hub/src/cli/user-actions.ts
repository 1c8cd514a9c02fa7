// `user invite|enable|disable`.
import {
  changeUser,
  disableUser,
  inviteUser,
  isEmail,
  listUsers,
  parseRole,
} from '../features/people/identity/index.ts';
import { OPERATOR_PERSON } from '../platform/auth/person.ts';
import { ConfigError, UsageError } from '../platform/config/config.ts';
import type { Db } from '../platform/db/database.ts';
import { HubError } from '../platform/http/errors/errors.ts';
import { resolveOrigin } from '../platform/installation.ts';
import { type CommandRun, withContext } from './operator-commands.ts';
import { findTenantNamed } from './tenants.ts';

export interface InviteOptions {
  tenant?: string;
  email: string;
  role: string;
}

export interface UserSelection {
  tenant?: string;
  /** Id or e-mail address. */
  user: string;
}

/** Invites a user as the console does. Returns the link, which is not stored. Throws UsageError, ConfigError. */
export function runUserInvite(run: CommandRun, options: InviteOptions): Promise<object> {
  return withContext(run, async ({ database: { db } }, { installation }) => {
    const { tenant_id: tenantId } = await findTenantNamed(db, options.tenant);
    const email = options.email.trim();
    if (!isEmail(email)) throw new UsageError('--email is not an e-mail address');
    const origin = resolveOrigin(run.config, installation);
    const { invitation, link, is_mailed } = await inviteUser(
      { db, origin, mail: run.config.mail },
      { ...OPERATOR_PERSON, tenantId },
      { email, role: parseRole(options.role) },
      null,
    ).catch(explainRefusal);
    const { invitation_id, role, expires_at } = invitation;
    return { invitation_id, email, role, link, is_mailed, expires_at };
  });
}

/** Throws ConfigError for an invitation that the hub refuses; other errors as they are. */
function explainRefusal(error: unknown): never {
  throw error instanceof HubError ? new ConfigError(error.message) : error;
}

/** Allows a disabled user to sign in again. */
export function runUserEnable(run: CommandRun, options: UserSelection): Promise<object> {
  return withUser(run, options, async (db, tenantId, userId) => {
    await changeUser(db, tenantId, userId, { enable: true });
    return { user_id: userId, disabled: false };
  });
}

/** Disables a user. */
export function runUserDisable(run: CommandRun, options: UserSelection): Promise<object> {
  return withUser(run, options, async (db, tenantId, userId) => {
    await disableUser(db, tenantId, userId);
    return { user_id: userId, disabled: true };
  });
}

function withUser<T>(
  run: CommandRun,
  { tenant, user }: UserSelection,
  work: (db: Db, tenantId: string, userId: string) => Promise<T>,
): Promise<T> {
  return withContext(run, async ({ database: { db } }) => {
    const { tenant_id: tenantId } = await findTenantNamed(db, tenant);
    const wanted = user.trim().toLowerCase();
    const member = (await listUsers(db, tenantId)).find(
      ({ user_id, email }) => user_id === wanted || email.toLowerCase() === wanted,
    );
    if (member === undefined) throw new ConfigError(`there is no user ${user} in this tenant`);
    return work(db, tenantId, member.user_id);
  });
}
