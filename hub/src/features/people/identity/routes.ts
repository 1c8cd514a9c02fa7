// Sign-in, sign-out, the session, and the embedded provider under /auth.
import { randomBytes } from 'node:crypto';
import formbody from '@fastify/formbody';
import { foldName } from '@gatewarden/shared/names.ts';
import { PASSWORD_LENGTH } from '@gatewarden/shared/wire/console/limits.ts';
import { SessionAnswer } from '@gatewarden/shared/wire/console/session.ts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/app.ts';
import { HubError } from '../../../platform/http/errors.ts';
import { openBodies } from '../../../platform/http/held-bodies.ts';
import { hashSession, type SessionCookie, sessionOf } from './gate.ts';
import { beginSignIn, confirmPerson, leadsTo, takePending } from './gateway-sign-in.ts';
import { type LoginProvider, MOUNT } from './login-provider.ts';
import { sendLoginPage, sendProblemPage } from './pages.ts';
import { verifyPassword } from './passwords.ts';
import { tellSessionsChanged } from './session-routes.ts';
import { deleteSession, insertSession } from './session-store.ts';
import { type SignIn, SignInError } from './sign-in.ts';
import { clearAttempts, countAttempt, selectAccountByEmail, selectMemberships } from './store.ts';

export const SESSION_LIFE_MS = 12 * 3_600_000;
export const ATTEMPTS_PER_MINUTE = 10;
const BROWSER_MAX = 200;

export interface IdentityRoutes {
  db: Db;
  cookie: SessionCookie;
  signIn: SignIn;
  sealer: Sealer;
}

export function registerSignIn(app: App, deps: IdentityRoutes): void {
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
    const url = new URL(request.url, 'http://localhost');
    const pending = takePending(request, reply, deps, url.searchParams.get('state') ?? '');
    try {
      const done = await deps.signIn.complete(url, pending);
      const { email, gatewayRequest } = done;
      if (gatewayRequest !== null) {
        return confirmPerson(request, reply, deps, { email, gatewayRequest });
      }
      const memberships = await selectMemberships(deps.db, foldName(done.email));
      if (memberships.length === 0) {
        return sendProblemPage(reply, 403, `${done.email} has no access to this console.`);
      }
      const token = randomBytes(32).toString('base64url');
      const emailFolded = foldName(done.email);
      await transact(deps.db, async (tx) => {
        await insertSession(tx, {
          sessionHash: hashSession(token),
          email: done.email,
          emailFolded,
          csrfToken: randomBytes(24).toString('base64url'),
          userAgent: browserOf(request),
          expiresAt: new Date(Date.now() + SESSION_LIFE_MS),
        });
        await tellSessionsChanged(tx, emailFolded);
      });
      return reply
        .setCookie(deps.cookie.name, token, {
          ...deps.cookie.options,
          maxAge: SESSION_LIFE_MS / 1000,
        })
        .redirect(done.returnTo, 303);
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      request.log.info({ err: error.cause ?? error }, 'a sign-in was refused');
      return sendProblemPage(reply, 400, error.message);
    }
  });

  app.get(
    '/console/api/v1/session',
    {
      schema: {
        tags: ['session'],
        summary: 'Who is signed in, and their tenants',
        response: { 200: SessionAnswer },
      },
      config: { caller: 'session' },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const session = await sessionOf(deps.db, deps.cookie, request);
      if (session === null) throw new HubError('unauthenticated');
      const memberships = await selectMemberships(deps.db, session.email_folded);
      return {
        email: session.email,
        csrf_token: session.csrf_token,
        tenants: memberships,
        has_password: await hasPassword(deps, session.email_folded),
        expires_at: session.expires_at.toISOString(),
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
        const gone = await deleteSession(tx, hashSession(request.cookies[deps.cookie.name] ?? ''));
        if (gone !== null) await tellSessionsChanged(tx, gone.email_folded);
      });
      reply.clearCookie(deps.cookie.name, deps.cookie.options);
      return { request_id: request.id };
    },
  );
}

/** Of the embedded login provider, which alone keeps any. */
const hasPassword = async ({ db, signIn }: IdentityRoutes, emailFolded: string): Promise<boolean> =>
  signIn.providerOrigin === null && (await selectAccountByEmail(db, emailFolded)) !== null;

/** What the browser calls itself, as text that can be stored and shown. */
function browserOf(request: FastifyRequest): string {
  return (request.headers['user-agent'] ?? '').replace(/\p{Cc}/gu, ' ').slice(0, BROWSER_MAX);
}

/** Mounts the embedded provider and its sign-in form. */
export async function registerLoginProvider(
  app: App,
  deps: { db: Db; loginProvider: LoginProvider; sealer: Sealer },
): Promise<void> {
  const { provider, canonicalize, handle } = deps.loginProvider;

  await app.register(async (scope: App) => {
    scope.addHook('onRoute', openBodies(16_384));
    await scope.register(formbody, { bodyLimit: 16_384 });
    scope.get(`${MOUNT}/interaction/:uid`, { schema: { hide: true } }, async (request, reply) => {
      canonicalize(request.raw);
      await interactionOf(provider.interactionDetails(request.raw, reply.raw));
      return sendLoginPage(reply, {
        status: 200,
        email: '',
        problem: null,
        leadsTo: leadsTo(request, deps.sealer),
      });
    });
    scope.post(
      `${MOUNT}/interaction/:uid`,
      {
        schema: {
          hide: true,
          body: Type.Object({
            email: Type.String({ maxLength: 320 }),
            password: Type.String({ maxLength: PASSWORD_LENGTH.most }),
          }),
        },
      },
      async (request, reply) => {
        canonicalize(request.raw);
        await interactionOf(provider.interactionDetails(request.raw, reply.raw));
        const { email, password } = request.body;
        const targets = leadsTo(request, deps.sealer);
        const folded = foldName(email);
        if ((await countAttempt(deps.db, folded)) > ATTEMPTS_PER_MINUTE) {
          reply.header('retry-after', 60);
          const problem = 'Too many attempts: wait a minute and try again.';
          return sendLoginPage(reply, { status: 429, email, problem, leadsTo: targets });
        }
        const account = await selectAccountByEmail(deps.db, folded);
        if (!(await verifyPassword(password, account?.password_hash ?? null)) || account === null) {
          const problem = 'E-mail or password is wrong.';
          return sendLoginPage(reply, { status: 401, email, problem, leadsTo: targets });
        }
        await clearAttempts(deps.db, folded);
        const next = await provider.interactionResult(
          request.raw,
          reply.raw,
          { login: { accountId: account.account_id, remember: false } },
          { mergeWithLastSubmission: false },
        );
        return reply.redirect(next, 303);
      },
    );
  });

  await app.register(async (scope: App) => {
    // oidc-provider reads the body itself, 56 kB at most.
    scope.addHook('onRoute', openBodies(65_536));
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.all(`${MOUNT}/*`, { schema: { hide: true } }, (request, reply) => {
      reply.hijack();
      handle(request.raw, reply.raw);
    });
  });
}

/** An interaction that is unknown or over is the person's to begin anew, not an error of ours. */
async function interactionOf<T>(details: Promise<T>): Promise<T> {
  try {
    return await details;
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 400) {
      throw new HubError(
        'not_found',
        'This sign-in is over: go back to the console and begin again.',
      );
    }
    throw error;
  }
}
