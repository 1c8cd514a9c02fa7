// Identity: accounts, members of tenants, sessions, sign-in by OpenID Connect, and administrators' tokens.
// Main types: `Member`, `Session`, `Person` (of platform/auth), `SignIn`, `AdminTokenVerifier`.
// Invariants: a session has access to a tenant only where the member accepted and was not disabled since; a role is the
// higher of the assigned role and the roles of the groups; a tenant with an administrator never loses the last one.
// Depends on tenants and on platform/auth.
// Start reading at sign-in.ts, then routes.ts and console-auth.ts.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import type { JWK } from 'jose';
import { OPERATOR, recordAudit } from '../../../platform/audit.ts';
import {
  CLAIM_NAMES,
  ConfigError,
  type LoginConfig,
  UsageError,
} from '../../../platform/config/config.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { installationSecret } from '../../../platform/installation.ts';
import { type AdminTokenPolicy, issueAdminToken } from './admin-token.ts';
import { isEmail } from './email.ts';
import { generateSigningKey, MOUNT } from './login-provider.ts';
import { creationDetail } from './member-state.ts';
import { newPasswordHash } from './passwords.ts';
import { applyGroupRole, lockRoles } from './role-store.ts';
import { byOperator, setPassword } from './set-password.ts';
import type { SignIn } from './sign-in.ts';
import {
  disableMember,
  endSignIns,
  insertMember,
  type Member,
  selectAccountByEmail,
  selectMemberKeys,
  selectMembers,
  upsertAccount,
} from './store.ts';

export {
  type AdminTokenVerifier,
  createAdminTokenEvaluator,
  createAdminTokenVerifier,
  describeTokenClaims,
} from './admin-token.ts';
export { changeUser } from './change-user.ts';
export { createConsoleAuth, requireAccess, sessionHashOf, sessionOf } from './console-auth.ts';
export { isEmail } from './email.ts';
export { clearGatewayPerson, readGatewayPerson, redirectToSignIn } from './gateway-sign-in.ts';
export { registerInvitations } from './invitations.ts';
export { inviteUser } from './invite-user.ts';
export { createLoginProvider } from './login-provider.ts';
export { type PasswordChecks, registerLoginProvider } from './login-routes.ts';
export { createLoginState } from './login-state.ts';
export { auditOperationOf, creationDetail, memberStateOf } from './member-state.ts';
export { registerOwnPassword } from './password-routes.ts';
export { checkPassword, createPasswordVerifier } from './passwords.ts';
export { applyGroupRole, applyGroupRoles, lockRoles, requireAdministrator } from './role-store.ts';
export { registerSignIn } from './routes.ts';
export { type SessionCookie, sessionCookie } from './session-cookie.ts';
export { registerSessions } from './session-routes.ts';
export { createSignIn, type SignIn } from './sign-in.ts';
export { createSignInLimiter } from './sign-in-limits.ts';
export { createSignInReport } from './sign-in-report.ts';
export {
  deleteExpired,
  deleteProfile,
  selectAddressees,
  selectDeciders,
  selectEmails,
  selectEnabledMembers,
  selectMemberId,
  selectMemberships,
} from './store.ts';
export { registerInvitationPages } from './user-invitation-pages.ts';
export { registerUserInvitations } from './user-invitation-routes.ts';
export { eraseUserInvitations } from './user-invitation-store.ts';
export { loadUsersNamed, registerUsers } from './user-routes.ts';
export {
  SEARCHED_MEMBERS,
  type SignInRecord,
  searchMembers,
  selectSignIn,
} from './user-store.ts';

/** Returns the key that signs sign-ins and administrators' tokens: generated on first use, sealed in the database. */
export async function loginSigningKey(db: Db, sealer: Sealer): Promise<JWK> {
  return JSON.parse(
    await installationSecret(db, sealer, 'login-signing-key', generateSigningKey),
  ) as JWK;
}

/** Returns the role with this name in any letter case. Throws UsageError. */
export function parseRole(text: string): Role {
  const role = ROLES.find((name) => name.toLowerCase() === text.toLowerCase());
  if (role === undefined) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`);
  return role;
}

/**
 * Makes a person a member of a tenant. With a password, the account of the embedded login provider is created or gets
 * the new password. Without a password, the person signs in at the customer's own provider.
 */
export async function createUser(
  db: Db,
  user: { tenantId: string; email: string; role: Role; password: string | null },
): Promise<Member> {
  const email = user.email.trim();
  if (!isEmail(email)) throw new UsageError('--email is not an e-mail address');
  const passwordHash = user.password === null ? null : await newPasswordHash(user.password);
  return transact(db, async (tx) => {
    const emailFolded = foldName(email);
    await lockRoles(tx, user.tenantId);
    const member = await insertMember(tx, {
      tenantId: user.tenantId,
      userId: randomUUID(),
      email,
      emailFolded,
      role: user.role,
      isAccepted: true,
    });
    if (member === null) throw new ConfigError(`${email} is a user of this tenant already`);
    // A person may be in groups before they are a member; their roles apply from now on.
    const assigned = { email_folded: emailFolded, role: user.role };
    const role = await applyGroupRole(tx, user.tenantId, assigned);
    if (passwordHash !== null) {
      await createOrUpdateAccount(tx, member, { email, emailFolded, passwordHash });
    }
    await recordAudit(tx, {
      tenantId: user.tenantId,
      actor: OPERATOR,
      operation: 'user.create',
      resource: { kind: 'user', id: member.user_id },
      requestId: null,
      detail: creationDetail(email, user.role, role),
    });
    return { ...member, role };
  });
}

/**
 * Creates the account. An account that exists, because of another tenant, gets the new password there, too, and its
 * sessions end.
 */
async function createOrUpdateAccount(
  tx: Tx,
  member: Member,
  account: { email: string; emailFolded: string; passwordHash: string },
): Promise<void> {
  const { email, emailFolded, passwordHash } = account;
  if ((await selectAccountByEmail(tx, emailFolded)) === null) {
    await upsertAccount(tx, account);
    return;
  }
  await setPassword(tx, { email, emailFolded }, passwordHash, byOperator(member));
}

/** Returns the members of a tenant, or of all tenants. */
export const listUsers: (db: Db, tenantId: string | null) => Promise<Member[]> = selectMembers;

/**
 * Disables a user: sessions, sign-ins and tokens from before have no access to the tenant any more, even after the user
 * is enabled again.
 */
export async function disableUser(db: Db, tenantId: string, userId: string): Promise<void> {
  await transact(db, async (tx) => {
    const disabled = await disableMember(tx, tenantId, userId);
    if (disabled === null) throw new ConfigError(`there is no user ${userId} in this tenant`);
    await notify(tx, { kind: 'forget', cache: 'person', keys: [disabled.email_folded] });
    await endSignIns(tx, disabled.email_folded);
    await recordAudit(tx, {
      tenantId,
      actor: OPERATOR,
      operation: 'user.disable',
      resource: { kind: 'user', id: userId },
      requestId: null,
      detail: {},
    });
  });
}

/**
 * Returns whose administrators' tokens are accepted: those of the configured provider, else of the embedded login
 * provider.
 */
export function adminTokenPolicy(
  origin: string,
  login: LoginConfig | null,
  keys: { signingKey: JWK | null; signIn: SignIn },
): AdminTokenPolicy {
  const { signingKey, signIn } = keys;
  return {
    issuer: login?.issuer ?? `${origin}${MOUNT}`,
    audience: origin,
    keys: signingKey === null ? { remote: () => signIn.jwksUri() } : { local: signingKey },
    claims: login?.claims ?? CLAIM_NAMES,
  };
}

/** Returns an administrator's JWT of the embedded provider, valid for an hour. */
export async function createAdminToken(
  db: Db,
  sealer: Sealer,
  token: { origin: string; tenantId: string; email: string; role: Role },
): Promise<string> {
  const email = token.email.trim();
  if (!isEmail(email)) throw new UsageError('--email is not an e-mail address');
  return issueAdminToken(
    {
      key: await loginSigningKey(db, sealer),
      issuer: `${token.origin}${MOUNT}`,
      audience: token.origin,
    },
    { subject: foldName(email), email, tenantId: token.tenantId, role: token.role },
  );
}

/** Ends the access of all members of a tenant in every hub process: cached memberships and event streams. */
export async function endAccess(tx: Tx, tenantId: string): Promise<void> {
  const keys = await selectMemberKeys(tx, tenantId);
  if (keys.length > 0) await notify(tx, { kind: 'forget', cache: 'person', keys });
}
