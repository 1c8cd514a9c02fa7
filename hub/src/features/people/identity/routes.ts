// Routes of sign-in, sign-out and the session.
import { randomBytes } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { SessionAnswer } from '@gatewarden/shared/wire/console/session.ts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { ERRORS } from '../../../platform/http/errors/error-list.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { clientAddressOf } from '../../../platform/http/server/client-address.ts';
import { hashSession, sessionOf } from './console-auth.ts';
import { beginSignIn, confirmPerson, takePending } from './gateway-sign-in.ts';
import { sendProblemPage } from './html-pages.ts';
import { pageAfterSignIn } from './invitations.ts';
import { LOGIN_COOKIES } from './login-provider.ts';
import type { SessionCookie } from './session-cookie.ts';
import { notifySessionsChanged, sessionKeyOf } from './session-routes.ts';
import { deleteSession, insertSession, selectSessionTenants } from './session-store.ts';
import { type SignIn, SignInError } from './sign-in.ts';
import {
  acceptOnlyMembership,
  endSignIns,
  isInSuspended,
  selectAccountByEmail,
  selectInvitations,
  selectMemberships,
  selectSuspendedTenants,
} from './store.ts';
import { isInvited } from './user-invitation-store.ts';

export const SESSION_LIFE_MS = 12 * 3_600_000;
const BROWSER_MAX = 200;

export interface IdentityRoutes {
  db: Db;
  cookie: SessionCookie;
  signIn: SignIn;
  sealer: Sealer;
  /** The installation's names of provider vendors, by letter. */
  providerNames: Readonly<Record<string, string>>;
}

/** Registers the redirect to the login provider, its callback, and the session of the console. */
export function registerSignIn(app: App, deps: IdentityRoutes): void {
  registerSignInPages(app, deps);
  registerSession(app, deps);
}

function registerSignInPages(app: App, deps: IdentityRoutes): void {
  app.get(
    '/console/sign-in',
    {
      schema: {
        hide: true,
        querystring: Type.Object({ return_to: Type.Optional(Type.String({ maxLength: 2000 })) }),
      },
    },
    (request, reply) =>
      beginSignIn(request, reply, deps, { console: request.query.return_to ?? '/console/' }),
  );

  app.get('/console/sign-in/callback', { schema: { hide: true } }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    for (const name of LOGIN_COOKIES) reply.clearCookie(name, deps.cookie.options);
    const url = new URL(request.url, 'http://localhost');
    const pending = takePending(request, reply, deps, url.searchParams.get('state') ?? '');
    try {
      const { email, gatewayRequest, returnTo } = await deps.signIn.complete(url, pending);
      const emailFolded = foldName(email);
      await acceptOnlyMembership(deps.db, emailFolded);
      if (gatewayRequest !== null) {
        return confirmPerson(request, reply, deps, { email, gatewayRequest });
      }
      if (!(await hasMembershipOrInvitation(deps.db, emailFolded))) {
        return sendProblemPage(reply, 403, await noAccessText(deps.db, email, emailFolded));
      }
      const token = await startSession(deps.db, request, { email, emailFolded });
      const page = await pageAfterSignIn(deps.db, emailFolded, returnTo);
      return reply
        .setCookie(deps.cookie.name, token, {
          ...deps.cookie.options,
          maxAge: SESSION_LIFE_MS / 1000,
        })
        .redirect(page, 303);
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      request.log.info({ err: error.cause ?? error }, 'a sign-in was refused');
      return sendProblemPage(reply, 400, error.message);
    }
  });
}

function registerSession(app: App, deps: IdentityRoutes): void {
  app.get(
    '/console/api/v1/session',
    {
      schema: {
        tags: ['session'],
        summary: 'Get the signed-in user and their tenants',
        response: { 200: SessionAnswer },
      },
      config: { caller: 'session' },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const session = await sessionOf(deps.db, deps.cookie, request);
      if (session === null) throw new HubError('unauthenticated');
      const tenants = await selectSessionTenants(deps.db, session);
      return {
        email: session.email,
        csrf_token: session.csrf_token,
        tenants,
        suspended: await selectSuspendedTenants(deps.db, session.email_folded),
        has_password: await hasPassword(deps, session.email_folded),
        expires_at: session.expires_at.toISOString(),
        provider_names: deps.providerNames,
        request_id: request.id,
      };
    },
  );

  app.delete(
    '/console/api/v1/session',
    {
      schema: {
        tags: ['session'],
        summary: 'Sign out',
        response: { 200: Type.Object({ request_id: Type.String() }) },
      },
      config: { caller: 'session' },
    },
    async (request, reply) => {
      const session = await sessionOf(deps.db, deps.cookie, request);
      if (session === null) throw new HubError('unauthenticated');
      await transact(deps.db, async (tx) => {
        const deleted = await deleteSession(
          tx,
          hashSession(request.cookies[deps.cookie.name] ?? ''),
        );
        if (deleted === null) return;
        const { session_id: sessionId, email_folded: emailFolded } = deleted;
        await endSignIns(tx, emailFolded);
        await notify(tx, {
          kind: 'forget',
          cache: 'session',
          keys: [sessionKeyOf(sessionId, null)],
        });
        await notifySessionsChanged(tx, emailFolded);
      });
      reply.clearCookie(deps.cookie.name, deps.cookie.options);
      return { request_id: request.id };
    },
  );
}

/** Returns whether the user has a password, which only the embedded login provider stores. */
const hasPassword = async ({ db, signIn }: IdentityRoutes, emailFolded: string): Promise<boolean> =>
  signIn.providerOrigin === null && (await selectAccountByEmail(db, emailFolded)) !== null;

/** Returns the User-Agent as text that can be stored and shown. */
function browserOf(request: FastifyRequest): string {
  return (request.headers['user-agent'] ?? '').replace(/\p{Cc}/gu, ' ').slice(0, BROWSER_MAX);
}

async function noAccessText(db: Db, email: string, emailFolded: string): Promise<string> {
  return (await isInSuspended(db, emailFolded))
    ? ERRORS.tenant_suspended.message
    : `${email} has no access to this console.`;
}

/** Returns whether the e-mail address is a member of a tenant, or is invited. */
async function hasMembershipOrInvitation(db: Db, emailFolded: string): Promise<boolean> {
  const memberships = await selectMemberships(db, emailFolded);
  if (memberships.length > 0 || (await selectInvitations(db, emailFolded)).length > 0) return true;
  return isInvited(db, emailFolded);
}

/** Stores a session and returns its token, which only the browser has: the database stores its hash. */
async function startSession(
  db: Db,
  request: FastifyRequest,
  { email, emailFolded }: { email: string; emailFolded: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await transact(db, async (tx) => {
    await insertSession(tx, {
      sessionHash: hashSession(token),
      email,
      emailFolded,
      csrfToken: randomBytes(24).toString('base64url'),
      userAgent: browserOf(request),
      sourceAddress: clientAddressOf(request),
      expiresAt: new Date(Date.now() + SESSION_LIFE_MS),
    });
    await notifySessionsChanged(tx, emailFolded);
  });
  return token;
}
