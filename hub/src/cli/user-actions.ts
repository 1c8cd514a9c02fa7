// `user invite|enable|disable`.
import { randomBytes } from 'node:crypto';
import {
  changeUser,
  createUser,
  disableUser,
  listUsers,
  parseRole,
} from '../features/people/identity/index.ts';
import { ConfigError } from '../platform/config/config.ts';
import type { Db } from '../platform/db/database.ts';
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

/** Random bytes of a generated password: 24 characters of base64url. */
const PASSWORD_BYTES = 18;

/** Creates a user with a generated password; without one if users sign in at a login provider. */
export function runUserInvite(run: CommandRun, options: InviteOptions): Promise<object> {
  return withContext(run, async ({ database: { db } }, { installation }) => {
    const { tenant_id: tenantId } = await findTenantNamed(db, options.tenant);
    const isEmbedded = run.config.login === null;
    const password = isEmbedded ? randomBytes(PASSWORD_BYTES).toString('base64url') : null;
    const role = parseRole(options.role);
    const { user_id, email } = await createUser(db, {
      ...{ tenantId, role, password },
      email: options.email,
    });
    const console_url = `${resolveOrigin(run.config, installation)}/console/`;
    return { user_id, email, role, console_url, ...(password === null ? {} : { password }) };
  });
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
