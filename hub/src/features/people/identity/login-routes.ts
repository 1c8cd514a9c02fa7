// Routes of the embedded login provider under /auth: its sign-in form; oidc-provider handles every other path itself.
import formbody from '@fastify/formbody';
import { foldName } from '@gatewarden/shared/names.ts';
import { PASSWORD_LENGTH } from '@gatewarden/shared/wire/console/limits.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { assignOpenBodyBudget } from '../../../platform/http/limits/in-flight-bodies.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { clientAddressOf, sourceKeyOf } from '../../../platform/http/server/client-address.ts';
import { hijackResponse } from '../../../platform/http/server/security-headers.ts';
import { allowedRedirects } from './gateway-sign-in.ts';
import { sendLoginPage } from './html-pages.ts';
import { knownBrowserOf, rememberBrowser } from './known-browser.ts';
import { type LoginProvider, MOUNT } from './login-provider.ts';
import type { LoginState } from './login-state.ts';
import type { PasswordVerifier } from './passwords.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { SignInLimiter } from './sign-in-limits.ts';
import type { SignInReport } from './sign-in-report.ts';
import { selectAccountByEmail } from './store.ts';

/** Verification of passwords, shared by the sign-in form and the change of a user's own password. */
export interface PasswordChecks {
  limiter: SignInLimiter;
  verifier: PasswordVerifier;
  report: SignInReport;
}

export interface LoginRoutes {
  db: Db;
  loginProvider: LoginProvider;
  state: LoginState;
  sealer: Sealer;
  cookie: SessionCookie;
  checks: PasswordChecks;
}

const FORM_MAX_BYTES = 16_384;
/** oidc-provider reads at most 56 kB itself. */
const PROVIDER_BODY_MAX_BYTES = 65_536;

const Form = Type.Object({
  email: Type.String({ maxLength: 320 }),
  password: Type.String({ maxLength: PASSWORD_LENGTH.most }),
});

/** Mounts the embedded provider and its sign-in form. */
export async function registerLoginProvider(app: App, deps: LoginRoutes): Promise<void> {
  const { loginProvider, state, sealer } = deps;
  await app.register(async (scope: App) => {
    scope.addHook('onRoute', assignOpenBodyBudget(FORM_MAX_BYTES));
    await scope.register(formbody, { bodyLimit: FORM_MAX_BYTES });
    scope.get(`${MOUNT}/interaction/:uid`, { schema: { hide: true } }, async (request, reply) => {
      await requireInteraction(deps, request, reply);
      const redirects = allowedRedirects(request, sealer);
      return sendLoginPage(reply, { status: 200, email: '', problem: null, redirects: redirects });
    });
    scope.post(
      `${MOUNT}/interaction/:uid`,
      { schema: { hide: true, body: Form } },
      async (request, reply) => {
        await requireInteraction(deps, request, reply);
        const { email, password } = request.body;
        const refuse = (status: number, problem: string) =>
          sendLoginPage(reply, {
            status,
            email,
            problem,
            redirects: allowedRedirects(request, sealer),
          });
        const result = await checkPassword(deps, request, reply, { email, password });
        if (result.outcome === 'limited') {
          reply.header('retry-after', result.retryAfterSeconds);
          return refuse(429, 'Too many attempts. Wait a minute, then try again.');
        }
        if (result.outcome === 'failed') return refuse(401, 'Incorrect e-mail or password.');
        rememberBrowser(request, reply, deps, foldName(email));
        const next = await state.within(request, reply, () =>
          loginProvider.provider.interactionResult(
            request.raw,
            reply.raw,
            { login: { accountId: result.accountId, remember: false } },
            { mergeWithLastSubmission: false },
          ),
        );
        return reply.redirect(next, 303);
      },
    );
  });

  await app.register(async (scope: App) => {
    scope.addHook('onRoute', assignOpenBodyBudget(PROVIDER_BODY_MAX_BYTES));
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.all(`${MOUNT}/*`, { schema: { hide: true } }, (request, reply) => {
      const response = hijackResponse(reply);
      state.within(request, reply, () => loginProvider.handle(request.raw, response));
    });
  });
}

type PasswordResult =
  | { outcome: 'succeeded'; accountId: string }
  | { outcome: 'failed' }
  | { outcome: 'limited'; retryAfterSeconds: number };

/** Checks a password within the budgets of source, account and browser; reports the outcome. */
async function checkPassword(
  { db, sealer, checks }: LoginRoutes,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, password }: { email: string; password: string },
): Promise<PasswordResult> {
  const { limiter, verifier, report } = checks;
  const account = foldName(email);
  const address = clientAddressOf(request);
  const browser = knownBrowserOf(request, sealer, account);
  const isKnownBrowser = browser !== null;
  try {
    const refund = limiter.count({ source: sourceKeyOf(address), account, browser });
    verifier.requireCapacity(isKnownBrowser);
    const match = await selectAccountByEmail(db, account);
    const stored = match?.password_hash ?? null;
    const isRight = await verifier.verify(
      { password, stored, isKnownBrowser },
      abortOnDisconnect(reply),
    );
    if (match === null || !isRight) {
      report.failed(request.log, { source: address, accountId: match?.account_id ?? null });
      return { outcome: 'failed' };
    }
    refund();
    report.succeeded();
    return { outcome: 'succeeded', accountId: match.account_id };
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== 'too_many_requests') throw error;
    await report.limited(request.log, { source: address, account, requestId: request.id });
    return { outcome: 'limited', retryAfterSeconds: error.retryAfterSeconds ?? 60 };
  }
}

/** Returns a signal that is aborted when the client closes its connection before it has a response. */
export function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  if (reply.raw.destroyed) left.abort();
  return left.signal;
}

/** Throws `not_found` if the sign-in is unknown or expired: the person starts again from the console. */
async function requireInteraction(
  { loginProvider, state }: LoginRoutes,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { provider, canonicalize } = loginProvider;
  canonicalize(request.raw);
  try {
    await state.within(request, reply, () => provider.interactionDetails(request.raw, reply.raw));
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== 400) throw error;
    throw new HubError(
      'not_found',
      'This sign-in has expired. Go back to the console and start again.',
    );
  }
}
