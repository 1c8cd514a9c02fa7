// People: what server.ts, the command line and other features may use.
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
import { type AdminTokenRules, issueAdminToken } from './admin-token.ts';
import { isEmail } from './email.ts';
import { byOperator, givePassword } from './give-password.ts';
import { lockRoles, settleRole } from './lifted-store.ts';
import { MOUNT, makeSigningKey } from './login-provider.ts';
import { newPasswordHash } from './passwords.ts';
import type { SignIn } from './sign-in.ts';
import { madeAs } from './standing.ts';
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
  createAdminTokenJudge,
  createAdminTokenVerifier,
  saidByToken,
} from './admin-token.ts';
export { changeUser } from './change-user.ts';
export { isEmail } from './email.ts';
export { createConsoleGate, requireAccess, sessionHashOf, sessionOf } from './gate.ts';
export { forgetPerson, gatewayPerson, leadToSignIn } from './gateway-sign-in.ts';
export { registerInvitations } from './invitations.ts';
export { keepAnAdministrator, lockRoles, settleRole, settleRoles } from './lifted-store.ts';
export { createLoginProvider } from './login-provider.ts';
export { type PasswordChecks, registerLoginProvider } from './login-routes.ts';
export { createLoginState } from './login-state.ts';
export { registerOwnPassword } from './password-routes.ts';
export { checkPassword, createPasswordVerifier } from './passwords.ts';
export { registerSignIn } from './routes.ts';
export { type SessionCookie, sessionCookie } from './session-cookie.ts';
export { registerSessions } from './session-routes.ts';
export { createSignIn, type SignIn } from './sign-in.ts';
export { createSignInLimiter } from './sign-in-limits.ts';
export { createSignInReport } from './sign-in-report.ts';
export { madeAs, operationOf, standingOf } from './standing.ts';
export {
  deleteExpired,
  forgetProfile,
  selectAddressees,
  selectDeciders,
  selectEmails,
  selectEnabledMembers,
  selectMemberId,
  selectMemberships,
} from './store.ts';
export { loadUsersNamed, registerUsers } from './user-routes.ts';
export {
  SEARCHED_MEMBERS,
  type SignInRecord,
  searchMembers,
  selectSignIn,
} from './user-store.ts';

/** The key that signs sign-ins and administrators' tokens; made on first use, sealed in the database. */
export async function loginSigningKey(db: Db, sealer: Sealer): Promise<JWK> {
  return JSON.parse(
    await installationSecret(db, sealer, 'login-signing-key', makeSigningKey),
  ) as JWK;
}

export function roleNamed(text: string): Role {
  const role = ROLES.find((one) => one.toLowerCase() === text.toLowerCase());
  if (role === undefined) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`);
  return role;
}

/**
 * Makes a person a member of a tenant. With a password, also an account of the embedded login provider; an e-mail
 * known from another tenant gets the new password. Without, the person signs in at the customer's own provider.
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
    // Who was in a group before they could sign in has its role from now on.
    const given = { email_folded: emailFolded, role: user.role };
    const role = await settleRole(tx, user.tenantId, given);
    if (passwordHash !== null) {
      await firstOrNewPassword(tx, member, { email, emailFolded, passwordHash });
    }
    await recordAudit(tx, {
      tenantId: user.tenantId,
      actor: OPERATOR,
      operation: 'user.create',
      resource: { kind: 'user', id: member.user_id },
      requestId: null,
      detail: madeAs(email, user.role, role),
    });
    return { ...member, role };
  });
}

/** Who had one already, for another tenant, has another one there, too: it ends what was signed in with the former. */
async function firstOrNewPassword(
  tx: Tx,
  member: Member,
  account: { email: string; emailFolded: string; passwordHash: string },
): Promise<void> {
  const { email, emailFolded, passwordHash } = account;
  if ((await selectAccountByEmail(tx, emailFolded)) === null) {
    await upsertAccount(tx, account);
    return;
  }
  await givePassword(tx, { email, emailFolded }, passwordHash, byOperator(member));
}

export const listUsers: (db: Db, tenantId: string | null) => Promise<Member[]> = selectMembers;

/** Disables a user: their sessions, sign-ins and tokens open nothing in this tenant any more, also once they are enabled again. */
export async function disableUser(db: Db, tenantId: string, userId: string): Promise<void> {
  await transact(db, async (tx) => {
    const found = await disableMember(tx, tenantId, userId);
    if (found === null) throw new ConfigError(`there is no user ${userId} in this tenant`);
    await notify(tx, { kind: 'forget', cache: 'person', keys: [found.email_folded] });
    await endSignIns(tx, found.email_folded);
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

/** Whose administrators' tokens are taken: those of `login`; of the embedded login provider where that is null. */
export function adminTokenRules(
  origin: string,
  login: LoginConfig | null,
  keys: { signingKey: JWK | null; signIn: SignIn },
): AdminTokenRules {
  const { signingKey, signIn } = keys;
  return {
    issuer: login?.issuer ?? `${origin}${MOUNT}`,
    audience: origin,
    keys: signingKey === null ? { remote: () => signIn.jwksUri() } : { local: signingKey },
    claims: login?.claims ?? CLAIM_NAMES,
  };
}

/** An administrator's JWT of the embedded provider, good for one hour. */
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

/** Ends what the members of a tenant have open there, in every hub: cached memberships and event streams. */
export async function endAccess(tx: Tx, tenantId: string): Promise<void> {
  const keys = await selectMemberKeys(tx, tenantId);
  if (keys.length > 0) await notify(tx, { kind: 'forget', cache: 'person', keys });
}
