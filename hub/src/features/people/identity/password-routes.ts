// PUT /console/api/v1/session/password: a person's own new password, where the embedded login provider keeps it.
import { PasswordAnswer, PasswordInput } from '@gatewarden/shared/wire/console/session.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/app.ts';
import { HubError } from '../../../platform/http/errors.ts';
import { type SessionCookie, sessionHashOf, sessionOf } from './gate.ts';
import { givePassword } from './give-password.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { ATTEMPTS_PER_MINUTE } from './routes.ts';
import { clearAttempts, countAttempt, lockAccount, selectAccountByEmail } from './store.ts';

/** Who has the session alone has no password: the one that stands is asked for, and no oftener than at the sign-in. */
export function registerOwnPassword(app: App, deps: { db: Db; cookie: SessionCookie }): void {
  app.put(
    '/console/api/v1/session/password',
    {
      config: { caller: 'session' },
      schema: {
        tags: ['session'],
        summary: "Change one's own password",
        body: PasswordInput,
        response: { 200: PasswordAnswer },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const session = await sessionOf(deps.db, deps.cookie, request);
      if (session === null) throw new HubError('unauthenticated');
      const { current_password: current, new_password: wanted } = request.body;
      const { email, email_folded: emailFolded } = session;
      if ((await countAttempt(deps.db, emailFolded)) > ATTEMPTS_PER_MINUTE) {
        throw new HubError('too_many_requests', undefined, { retryAfterSeconds: 60 });
      }
      const account = await selectAccountByEmail(deps.db, emailFolded);
      if (!(await verifyPassword(current, account?.password_hash ?? null)) || account === null) {
        throw new HubError('invalid_request', '/current_password is not the password that stands.');
      }
      await clearAttempts(deps.db, emailFolded);
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
