// PUT /console/api/v1/session/password: a person's own new password, where the embedded login provider keeps it.
import { PasswordAnswer, PasswordInput } from '@gatewarden/shared/wire/console/session.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { clientAddressOf, sourceKeyOf } from '../../../platform/http/server/client-address.ts';
import { sessionHashOf, sessionOf } from './gate.ts';
import { givePassword } from './give-password.ts';
import { type PasswordChecks, whenClientLeaves } from './login-routes.ts';
import { hashPassword } from './passwords.ts';
import type { SessionCookie } from './session-cookie.ts';
import { selectSessionTenants } from './session-store.ts';
import { lockAccount, selectAccountByEmail } from './store.ts';

/** The current password is required, within the limits of a sign-in: a session alone must not be enough to change it. */
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
      // Whoever is disabled in every tenant changes nothing any more.
      if (session === null || (await selectSessionTenants(deps.db, session)).length === 0) {
        throw new HubError('unauthenticated');
      }
      const { current_password: current, new_password: wanted } = request.body;
      const { email, email_folded: emailFolded } = session;
      const source = sourceKeyOf(clientAddressOf(request));
      // The session counts as a browser known for the account.
      const takeBack = limiter.count({ source, account: emailFolded, browser: session.session_id });
      const account = await selectAccountByEmail(deps.db, emailFolded);
      const stored = account?.password_hash ?? null;
      const isRight = await verifier.verify(
        { password: current, stored, isKnownBrowser: true },
        whenClientLeaves(reply),
      );
      if (!isRight || account === null) {
        throw new HubError('invalid_request', '/current_password is incorrect.');
      }
      takeBack();
      const passwordHash = await hashPassword(wanted);
      await transact(deps.db, async (tx) => {
        const stands = await lockAccount(tx, emailFolded);
        // Whoever was faster has ended this session, too.
        if (stands?.password_hash !== account.password_hash) throw new HubError('unauthenticated');
        await givePassword(tx, { email, emailFolded }, passwordHash, {
          requestId: request.id,
          kept: sessionHashOf(deps.cookie, request),
          actorIn: ({ user_id: id }) => ({ kind: 'person', id, email }),
        });
      });
      return { request_id: request.id };
    },
  );
}
