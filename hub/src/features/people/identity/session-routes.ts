// C/own/sessions and C/sessions: where a person is signed in, and the way to end it; administrators for all their people.
// Ending one ends it everywhere, also where the person belongs to another tenant as well: they sign in again.
import { foldName } from '@gatewarden/shared/names.ts';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  OwnSessionsQuery,
  SessionEndedAnswer,
  type SessionRow,
  SessionsList,
  SessionsQuery,
} from '@gatewarden/shared/wire/console/users.ts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { App } from '../../../platform/http/app.ts';
import { answerList } from '../../../platform/http/console.ts';
import type { CursorSealer } from '../../../platform/http/cursors.ts';
import { HubError } from '../../../platform/http/errors.ts';
import { endSession, type SessionRecord, selectSessions, type Whose } from './session-store.ts';
import { selectMemberships } from './store.ts';

type ListRequest = FastifyRequest & { query: { limit?: string; cursor?: string } };

const Params = Type.Object({ tenant_id: Type.String(), session_id: Uuid });

export function registerSessions(app: App, { db, cursors }: { db: Db; cursors: CursorSealer }) {
  const list = (request: ListRequest, name: string, whose: Whose) =>
    answerList(request, {
      cursors,
      list: name,
      by: [whose.userId ?? whose.emailFolded ?? null],
      fetch: (tenantId, after, limit) => selectSessions(db, tenantId, whose, after, limit),
      keyOf: (session) => [session.sort_key, session.session_id],
      item: (session) => sessionRow(session, personOf(request).sessionId),
    });

  const end = async (request: FastifyRequest, sessionId: string, whose: Whose) => {
    const { tenantId } = personOf(request);
    await transact(db, async (tx) => {
      const ended = await endSession(tx, tenantId, sessionId, whose);
      if (ended === null) throw new HubError('not_found');
      await recordByPerson(tx, request, {
        operation: 'session.end',
        resource: { kind: 'user', id: ended.user_id },
        detail: { session_id: sessionId, email: ended.email },
      });
      // Its event streams end, and cannot be opened again.
      await notify(tx, { kind: 'forget', cache: 'person', keys: [ended.email_folded] });
      await tellSessionsChanged(tx, ended.email_folded);
    });
    return { session_id: sessionId, request_id: request.id };
  };
  const ended = { tags: ['people'], params: Params, response: { 200: SessionEndedAnswer } };
  const own = (request: FastifyRequest): Whose => ({
    emailFolded: foldName(personOf(request).email),
  });

  app.get(
    '/own/sessions',
    {
      config: { access: 'Member', beyondTenant: true },
      schema: {
        tags: ['own'],
        summary: "One's own sessions",
        querystring: OwnSessionsQuery,
        response: { 200: SessionsList },
      },
    },
    (request) => list(request, 'own-sessions', own(request)),
  );
  app.delete(
    '/own/sessions/:session_id',
    {
      config: { access: 'Member', beyondTenant: true },
      schema: { ...ended, tags: ['own'], summary: "End a session of one's own" },
    },
    (request) => end(request, request.params.session_id.toLowerCase(), own(request)),
  );
  app.get(
    '/sessions',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: {
        tags: ['people'],
        summary: 'All sessions of the tenant',
        querystring: SessionsQuery,
        response: { 200: SessionsList },
      },
    },
    (request) => list(request, 'sessions', { userId: request.query.user_id }),
  );
  app.delete(
    '/sessions/:session_id',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: { ...ended, summary: 'End a session' },
    },
    (request) => end(request, request.params.session_id.toLowerCase(), {}),
  );
}

/** Pages that list sessions, in each tenant of the person. */
export async function tellSessionsChanged(tx: Tx, emailFolded: string): Promise<void> {
  for (const { tenant_id: tenant } of await selectMemberships(tx, emailFolded)) {
    await notify(tx, { kind: 'page', tenant, topic: 'people' });
  }
}

function sessionRow(session: SessionRecord, current: string | null): SessionRow {
  const { sort_key: _key, ...row } = session;
  return {
    ...row,
    created_at: session.created_at.toISOString(),
    last_used_at: session.last_used_at.toISOString(),
    expires_at: session.expires_at.toISOString(),
    current: session.session_id === current,
  };
}
