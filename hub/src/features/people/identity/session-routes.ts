// C/own/sessions and C/sessions: lists and ends sessions. A user ends a session of their own everywhere; an
// administrator ends it in the tenant, and it continues in other tenants.
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
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import {
  deleteSessionWithoutTenant,
  endOwnSession,
  endTenantSession,
  type SessionRecord,
  selectOwnSessions,
  selectTenantSessions,
} from './session-store.ts';
import { selectMemberships } from './store.ts';

type Fetch = (
  tenantId: string,
  after: readonly string[] | undefined,
  limit: number,
) => Promise<SessionRecord[]>;
type ListRequest = FastifyRequest & { query: { limit?: string; cursor?: string } };

const Params = Type.Object({ tenant_id: Type.String(), session_id: Uuid });

/** Returns the key under which streams learn that a session ended: everywhere, or in a single tenant. */
export const sessionKeyOf = (sessionId: string, tenantId: string | null): string =>
  tenantId === null ? sessionId : `${sessionId}/${tenantId}`;

/** Registers the sessions of the user and of the tenant. */
export function registerSessions(app: App, { db, cursors }: { db: Db; cursors: CursorSealer }) {
  function list(request: ListRequest, name: string, by: string | null, fetch: Fetch) {
    return loadPage(request, {
      cursors,
      list: name,
      by: [by],
      fetch,
      keyOf: (session) => [session.sort_key, session.session_id],
      item: (session) => sessionRow(session, personOf(request).sessionId),
    });
  }

  const endRoute = { tags: ['people'], params: Params, response: { 200: SessionEndedAnswer } };

  app.get(
    '/own/sessions',
    {
      config: { access: 'Member', beyondTenant: true },
      schema: {
        tags: ['own'],
        summary: 'List your sessions',
        querystring: OwnSessionsQuery,
        response: { 200: SessionsList },
      },
    },
    (request) => {
      const email = foldName(personOf(request).email);
      return list(request, 'own-sessions', email, (tenantId, after, limit) =>
        selectOwnSessions(db, tenantId, email, after, limit),
      );
    },
  );
  app.delete(
    '/own/sessions/:session_id',
    {
      config: { access: 'Member', beyondTenant: true },
      schema: { ...endRoute, tags: ['own'], summary: 'End one of your sessions' },
    },
    (request) => endSession(db, request, request.params.session_id.toLowerCase(), true),
  );
  app.get(
    '/sessions',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: {
        tags: ['people'],
        summary: 'List the sessions of the tenant',
        querystring: SessionsQuery,
        response: { 200: SessionsList },
      },
    },
    (request) => {
      const { user_id: userId } = request.query;
      return list(request, 'sessions', userId ?? null, (tenantId, after, limit) =>
        selectTenantSessions(db, tenantId, userId, after, limit),
      );
    },
  );
  app.delete(
    '/sessions/:session_id',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: { ...endRoute, summary: 'End a session of the tenant' },
    },
    (request) => endSession(db, request, request.params.session_id.toLowerCase(), false),
  );
}

/** Ends a session, with its audit event: the user's own everywhere, another user's in the tenant. Throws `not_found`. */
async function endSession(db: Db, request: FastifyRequest, sessionId: string, isOwn: boolean) {
  const { tenantId, email } = personOf(request);
  await transact(db, async (tx) => {
    const ended = isOwn
      ? await endOwnSession(tx, tenantId, sessionId, foldName(email))
      : await endTenantSession(tx, tenantId, sessionId);
    if (ended === null) throw new HubError('not_found');
    if (!isOwn) await deleteSessionWithoutTenant(tx, sessionId);
    await recordByPerson(tx, request, {
      operation: 'session.end',
      resource: { kind: 'user', id: ended.user_id },
      detail: { session_id: sessionId, email: ended.email },
    });
    const key = sessionKeyOf(sessionId, isOwn ? null : tenantId);
    await notify(tx, { kind: 'forget', cache: 'session', keys: [key] });
    if (isOwn) await notifySessionsChanged(tx, ended.email_folded);
    else await notify(tx, { kind: 'page', tenant: tenantId, topic: 'people' });
  });
  return { session_id: sessionId, request_id: request.id };
}

/** Notifies pages that list sessions, in each tenant of the user. */
export async function notifySessionsChanged(tx: Tx, emailFolded: string): Promise<void> {
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
