// /console/invitation?token=…: the page of an invitation. A new user of the embedded login provider sets a password; a user
// with an account, or of another login provider, signs in and joins. The token is used once.
import formbody from '@fastify/formbody';
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import { PASSWORD_LENGTH } from '@gatewarden/shared/wire/console/limits.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { recordAudit } from '../../../platform/audit.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { assignOpenBodyBudget } from '../../../platform/http/limits/in-flight-bodies.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { clientAddressOf } from '../../../platform/http/server/client-address.ts';
import { sessionHashOf } from './console-auth.ts';
import { sendInvitationPage, sendProblemPage } from './html-pages.ts';
import { creationDetail } from './member-state.ts';
import { hashPassword } from './passwords.ts';
import { applyGroupRoles, lockRoles } from './role-store.ts';
import type { SessionCookie } from './session-cookie.ts';
import { type Session, useSession } from './session-store.ts';
import {
  acceptInvitations,
  insertInvitedAccount,
  insertMember,
  selectAccountByEmail,
  selectMemberId,
} from './store.ts';
import {
  selectInvitationByToken,
  takeUserInvitation,
  type UserInvitation,
} from './user-invitation-store.ts';

export const INVITATION_PATH = '/console/invitation';
const FORM_MAX_BYTES = 16_384;

const Query = Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) });
const Form = Type.Object({
  csrf: Type.Optional(Type.String({ maxLength: 200 })),
  password: Type.Optional(Type.String({ maxLength: PASSWORD_LENGTH.most })),
});

interface InvitationPagesDeps {
  db: Db;
  cookie: SessionCookie;
  /** Whether users have passwords of this hub. */
  isEmbedded: boolean;
}

type InvitationRequest = FastifyRequest & { query: { token: string } };

/** Registers the page of an invitation and its form. */
export async function registerInvitationPages(app: App, deps: InvitationPagesDeps): Promise<void> {
  await app.register(async (scope: App) => {
    scope.addHook('onRoute', assignOpenBodyBudget(FORM_MAX_BYTES));
    await scope.register(formbody, { bodyLimit: FORM_MAX_BYTES });
    scope.get(INVITATION_PATH, { schema: { hide: true, querystring: Query } }, (request, reply) =>
      showInvitation(deps, request, reply),
    );
    scope.post(
      INVITATION_PATH,
      { schema: { hide: true, querystring: Query, body: Form } },
      (request, reply) => acceptInvitation(deps, request, reply),
    );
  });
}

async function showInvitation(
  deps: InvitationPagesDeps,
  request: InvitationRequest,
  reply: FastifyReply,
  problem: string | null = null,
): Promise<FastifyReply> {
  const invitation = await selectInvitationByToken(deps.db, tokenHashOf(request));
  if (invitation === null) return refuseLink(reply);
  const session = await invitedSession(deps, request, invitation);
  return sendInvitationPage(reply, {
    ...{ email: invitation.email, tenant: invitation.tenant_name, problem },
    role: invitation.role,
    csrf: session?.csrf_token ?? null,
    setsPassword: session === null && (await needsAccount(deps, invitation)),
    returnTo: `${INVITATION_PATH}?token=${request.query.token}`,
  });
}

async function acceptInvitation(
  deps: InvitationPagesDeps,
  request: InvitationRequest & { body: { csrf?: string; password?: string } },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db } = deps;
  const { csrf, password } = request.body;
  const invitation = await selectInvitationByToken(db, tokenHashOf(request));
  if (invitation === null) return refuseLink(reply);
  const session = await invitedSession(deps, request, invitation);
  if (session !== null) {
    // The invitation may be of anybody: without the form, a page elsewhere could make a signed-in user join.
    if (csrf !== session.csrf_token) throw new HubError('csrf_required');
    const isAccepted = await transact(db, (tx) => join(tx, request));
    return isAccepted ? reply.redirect('/console/', 303) : refuseLink(reply);
  }
  if (!(await needsAccount(deps, invitation))) return showInvitation(deps, request, reply);
  const length = [...(password ?? '')].length;
  if (password === undefined || length < PASSWORD_LENGTH.least) {
    const problem = `Choose a password of at least ${PASSWORD_LENGTH.least} characters.`;
    return showInvitation(deps, request, reply, problem);
  }
  const passwordHash = await hashPassword(password);
  const isAccepted = await transact(db, async (tx) => {
    if (!(await join(tx, request))) return false;
    const { email, email_folded: emailFolded, tenant_id: invitedBy } = invitation;
    if (await insertInvitedAccount(tx, { email, emailFolded, passwordHash, invitedBy }))
      return true;
    throw new HubError(
      'already_exists',
      'This account was created meanwhile. Open the link again.',
    );
  });
  return isAccepted ? reply.redirect('/console/sign-in', 303) : refuseLink(reply);
}

/** Uses the link up, and makes its user a member. Returns false where another request was faster. */
async function join(tx: Tx, request: InvitationRequest): Promise<boolean> {
  const invitation = await takeUserInvitation(tx, tokenHashOf(request));
  if (invitation === null) return false;
  const { tenant_id: tenantId, email, email_folded: emailFolded, role } = invitation;
  await lockRoles(tx, tenantId);
  await insertMember(tx, {
    ...{ tenantId, userId: invitation.invitation_id, email, emailFolded, role },
    isAccepted: true,
  });
  // A directory may have added the user meanwhile: then the role of the directory stays.
  await acceptInvitations(tx, emailFolded, [tenantId]);
  await applyGroupRoles(tx, tenantId, [emailFolded]);
  const member = await selectMemberId(tx, tenantId, emailFolded);
  const id = member?.user_id ?? invitation.invitation_id;
  await recordAudit(tx, {
    ...{ tenantId, operation: 'user.accept', requestId: request.id },
    actor: { kind: 'person', id, email, address: clientAddressOf(request) },
    resource: { kind: 'user', id },
    detail: creationDetail(email, role, role),
  });
  await notify(tx, { kind: 'forget', cache: 'person', keys: [emailFolded] });
  await notify(tx, { kind: 'page', tenant: tenantId, topic: 'people' });
  return true;
}

/** Returns the session of the invited user in this browser; null without any, and for another user's. */
async function invitedSession(
  { db, cookie }: InvitationPagesDeps,
  request: FastifyRequest,
  { email_folded: emailFolded }: UserInvitation,
): Promise<Session | null> {
  const hash = sessionHashOf(cookie, request);
  const session = hash === null ? null : await useSession(db, hash);
  return session?.email_folded === emailFolded ? session : null;
}

/** Returns whether the user sets a password: never for an account that exists, whose password gives access to other tenants. */
const needsAccount = async (
  { db, isEmbedded }: InvitationPagesDeps,
  { email_folded: emailFolded }: UserInvitation,
): Promise<boolean> => isEmbedded && (await selectAccountByEmail(db, emailFolded)) === null;

const tokenHashOf = ({ query }: InvitationRequest): Buffer => hashSecret(query.token);

const refuseLink = (reply: FastifyReply): FastifyReply =>
  sendProblemPage(
    reply,
    404,
    'This invitation is used, expired or revoked. Ask your administrator for another invitation.',
  );
