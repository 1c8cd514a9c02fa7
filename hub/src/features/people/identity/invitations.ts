// /console/sign-in/invitations: a person who belongs to a tenant already accepts to belong to another tenant that added
// them. Without this, a directory could make anybody a member, and its administrators would see where they are signed
// in.
import formbody from '@fastify/formbody';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { recordAudit } from '../../../platform/audit.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { assignOpenBodyBudget } from '../../../platform/http/limits/in-flight-bodies.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { clientAddressOf } from '../../../platform/http/server/client-address.ts';
import { sessionHashOf } from './console-auth.ts';
import { sendInvitationsPage } from './html-pages.ts';
import type { SessionCookie } from './session-cookie.ts';
import { type Session, useSession } from './session-store.ts';
import { sanitizeReturnPath } from './sign-in.ts';
import { acceptInvitations, selectInvitations } from './store.ts';

const PATH = '/console/sign-in/invitations';
const FORM_MAX_BYTES = 16_384;

const ReturnTo = Type.String({ maxLength: 2_000 });
const Form = Type.Object({
  csrf: Type.String({ maxLength: 200 }),
  answer: Type.Union([Type.Literal('join'), Type.Literal('later')]),
  tenant: Type.Optional(Type.Union([Uuid, Type.Array(Uuid, { maxItems: 100 })])),
  return_to: Type.Optional(ReturnTo),
});

/** Returns the page to open after a sign-in: the invitations if there are any, else the requested page. */
export async function pageAfterSignIn(
  db: Db,
  emailFolded: string,
  returnTo: string,
): Promise<string> {
  const invitations = await selectInvitations(db, emailFolded);
  return invitations.length === 0 ? returnTo : `${PATH}?return_to=${encodeURIComponent(returnTo)}`;
}

/** Registers the page that lists invitations and its form. */
export async function registerInvitations(
  app: App,
  deps: { db: Db; cookie: SessionCookie },
): Promise<void> {
  await app.register(async (scope: App) => {
    scope.addHook('onRoute', assignOpenBodyBudget(FORM_MAX_BYTES));
    await scope.register(formbody, { bodyLimit: FORM_MAX_BYTES });
    scope.get(
      PATH,
      {
        schema: { hide: true, querystring: Type.Object({ return_to: Type.Optional(ReturnTo) }) },
      },
      async (request, reply) => {
        const session = await sessionOfPage(deps, request);
        const returnTo = sanitizeReturnPath(request.query.return_to ?? '/console/');
        if (session === null) return redirectTo(reply, returnTo);
        const invitations = await selectInvitations(deps.db, session.email_folded);
        if (invitations.length === 0) return redirectTo(reply, returnTo);
        return sendInvitationsPage(reply, { csrf: session.csrf_token, returnTo, invitations });
      },
    );
    scope.post(PATH, { schema: { hide: true, body: Form } }, async (request, reply) => {
      const { csrf, answer, tenant, return_to: returnTo = '/console/' } = request.body;
      const session = await sessionOfPage(deps, request);
      if (session === null) throw new HubError('unauthenticated');
      if (csrf !== session.csrf_token) throw new HubError('csrf_required');
      const chosen = [tenant ?? []].flat();
      if (answer === 'join' && chosen.length > 0) await accept(deps.db, session, chosen, request);
      return redirectTo(reply, sanitizeReturnPath(returnTo));
    });
  });
}

async function sessionOfPage(
  { db, cookie }: { db: Db; cookie: SessionCookie },
  request: FastifyRequest,
): Promise<Session | null> {
  const hash = sessionHashOf(cookie, request);
  return hash === null ? null : useSession(db, hash);
}

function redirectTo(reply: FastifyReply, returnTo: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(returnTo, 303);
}

async function accept(
  db: Db,
  session: Session,
  tenantIds: readonly string[],
  request: FastifyRequest,
): Promise<void> {
  await transact(db, async (tx) => {
    for (const accepted of await acceptInvitations(tx, session.email_folded, tenantIds)) {
      const { tenant_id: tenantId, user_id: id } = accepted;
      await notify(tx, { kind: 'page', tenant: tenantId, topic: 'people' });
      await recordAudit(tx, {
        tenantId,
        actor: { kind: 'person', id, email: session.email, address: clientAddressOf(request) },
        operation: 'user.accept',
        resource: { kind: 'user', id },
        requestId: request.id,
        detail: { email: session.email },
      });
    }
    await notify(tx, { kind: 'forget', cache: 'person', keys: [session.email_folded] });
  });
}
