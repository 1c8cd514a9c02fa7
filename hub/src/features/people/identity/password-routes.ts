// PUT /console/api/v1/session/password: changes the user's own password at the embedded login provider.
import { PasswordAnswer, PasswordInput } from '@gatewarden/shared/wire/console/session.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { clientAddressOf, sourceKeyOf } from '../../../platform/http/server/client-address.ts';
import { sessionHashOf, sessionOf } from './console-auth.ts';
import { abortOnDisconnect, type PasswordChecks } from './login-routes.ts';
import { hashPassword } from './passwords.ts';
import type { SessionCookie } from './session-cookie.ts';
import { selectSessionTenants } from './session-store.ts';
import { setPassword } from './set-password.ts';
import { lockAccount, selectAccountByEmail } from './store.ts';

/** Requires the current password, within the limits of a sign-in: a session alone must not be enough to change it. */
export function registerOwnPassword(
  app: App,
  deps: { db: Db; cookie: SessionCookie; checks: PasswordChecks },
): void {
  const { limiter, verifier } = deps.checks;
  app.put(
    '/console/api/v1/session/password',
    {
      config: { caller: 'session' },
      schema: {
        tags: ['session'],
        summary: 'Change your password',
        body: PasswordInput,
        response: { 200: PasswordAnswer },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const session = await sessionOf(deps.db, deps.cookie, request);
      // A user who is disabled in every tenant changes nothing any more.
      if (session === null || (await selectSessionTenants(deps.db, session)).length === 0) {
        throw new HubError('unauthenticated');
      }
      const { current_password: current, new_password: next } = request.body;
      const { email, email_folded: emailFolded } = session;
      const source = sourceKeyOf(clientAddressOf(request));
      // The session counts as a browser known for the account.
      const refund = limiter.count({ source, account: emailFolded, browser: session.session_id });
      const account = await selectAccountByEmail(deps.db, emailFolded);
      const stored = account?.password_hash ?? null;
      const isRight = await verifier.verify(
        { password: current, stored, isKnownBrowser: true },
        abortOnDisconnect(reply),
      );
      if (!isRight || account === null) {
        throw new HubError('invalid_request', '/current_password is incorrect.');
      }
      refund();
      const passwordHash = await hashPassword(next);
      await transact(deps.db, async (tx) => {
        const stored = await lockAccount(tx, emailFolded);
        // A concurrent change of the password has ended this session, too.
        if (stored?.password_hash !== account.password_hash) throw new HubError('unauthenticated');
        await setPassword(tx, { email, emailFolded }, passwordHash, {
          requestId: request.id,
          keptSession: sessionHashOf(deps.cookie, request),
          actorIn: ({ user_id: id }) => ({ kind: 'person', id, email }),
        });
      });
      return { request_id: request.id };
    },
  );
}
