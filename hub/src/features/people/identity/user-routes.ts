// C/users and C/login-provider: lists, creates, updates and disables users, for administrators. Accounts of the
// embedded login provider get their password at the command line: a password known to a tenant's administrator would
// give access to other tenants, too.

import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  LoginProviderAnswer,
  UserAnswer,
  UserInput,
  UserPatch,
  type UserRow,
  UsersList,
  UsersQuery,
} from '@gatewarden/shared/wire/console/users.ts';
import { Type } from 'typebox';
import { actorOf, personOf } from '../../../platform/auth/person.ts';
import { CLAIM_NAMES, type LoginConfig } from '../../../platform/config/config.ts';
import type { Db } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  extractFilter,
  filterBinding,
  isoOrNull,
  loadCountedPage,
} from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf, IfMatch } from '../../../platform/http/server/etag.ts';
import { recordedCreation, versionedWrite } from '../../../platform/versioned-write.ts';
import { CALLBACK_PATH, CONSOLE_CLIENT_ID, MOUNT } from './login-provider.ts';
import {
  auditOperationOf,
  creationDetail,
  type MemberState,
  memberStateOf,
} from './member-state.ts';
import { applyGroupRoles, lockRoles, requireAdministrator } from './role-store.ts';
import { SESSION_LIFE_MS } from './routes.ts';
import { endSignIns, insertMember } from './store.ts';
import {
  countUsers,
  selectUser,
  selectUsers,
  selectUsersNamed,
  type UserRecord,
  updateUser,
} from './user-store.ts';

export interface UserRouteDeps {
  db: Db;
  cursors: CursorSealer;
  origin: string;
  /** Null for the embedded provider. */
  login: LoginConfig | null;
}

const Params = Type.Object({ tenant_id: Type.String(), user_id: Uuid });

function registerUserList(app: App, { db, cursors }: Pick<UserRouteDeps, 'db' | 'cursors'>): void {
  app.get(
    '/users',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: {
        tags: ['people'],
        summary: 'List users',
        querystring: UsersQuery,
        response: { 200: UsersList },
      },
    },
    (request) => {
      const { query, ...rest } = extractFilter(request.query);
      const filter = { ...rest, ...(query === undefined ? {} : { query: foldName(query) }) };
      return loadCountedPage(request, {
        cursors,
        list: 'users',
        by: filterBinding(filter),
        fetch: (tenantId, after, limit) => selectUsers(db, tenantId, filter, after, limit),
        count: (tenantId) => countUsers(db, tenantId, filter),
        keyOf: (user) => [user.email_folded],
        item: userRow,
      });
    },
  );
}

/** Registers the users of a tenant and the login provider. */
export function registerUsers(app: App, deps: UserRouteDeps): void {
  registerUserList(app, deps);
  registerUserCreation(app, deps);
  registerUserChange(app, deps);
  registerLoginProviderPage(app, deps);
}

function registerUserCreation(app: App, { db, login }: UserRouteDeps): void {
  app.post(
    '/users',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: {
        tags: ['people'],
        summary: 'Create a user',
        body: UserInput,
        response: { 201: UserAnswer },
      },
    },
    async (request, reply) => {
      if (login === null) throw new HubError('embedded_accounts');
      const person = personOf(request);
      const { tenantId } = person;
      const { email, role } = request.body;
      const user = await recordedCreation(db, {
        tenantId,
        feed: null,
        page: 'people',
        async store(tx) {
          const userId = randomUUID();
          const emailFolded = foldName(email);
          await lockRoles(tx, tenantId);
          const inserted = await insertMember(tx, {
            ...{ tenantId, userId, email, emailFolded, role },
            isAccepted: false,
          });
          await applyGroupRoles(tx, tenantId, [emailFolded]);
          const stored = inserted === null ? null : await selectUser(tx, tenantId, userId);
          if (stored === null) throw new HubError('already_exists', `${email} is already a user.`);
          return stored;
        },
        audit: (stored) => ({
          tenantId,
          actor: actorOf(person),
          operation: 'user.create',
          resource: { kind: 'user', id: stored.user_id },
          requestId: request.id,
          detail: creationDetail(email, role, stored.role),
        }),
      });
      reply.code(201).header('etag', etagOf(user.version));
      return { user: userRow(user), request_id: request.id };
    },
  );

  app.get(
    '/users/:user_id',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: {
        tags: ['people'],
        summary: 'Get a user',
        params: Params,
        response: { 200: UserAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const user = await selectUser(db, tenantId, request.params.user_id);
      if (user === null) throw new HubError('not_found');
      reply.header('etag', etagOf(user.version));
      return { user: userRow(user), request_id: request.id };
    },
  );
}

function registerUserChange(app: App, { db }: UserRouteDeps): void {
  app.patch(
    '/users/:user_id',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: {
        tags: ['people'],
        summary: 'Update the role of a user, or disable the user',
        params: Params,
        headers: IfMatch,
        body: UserPatch,
        response: { 200: UserAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const userId = request.params.user_id.toLowerCase();
      const user = await versionedWrite<UserRecord, MemberState>(db, {
        tenantId,
        feed: null,
        page: 'people',
        ifMatch: request.headers['if-match'],
        load: (tx) => selectUser(tx, tenantId, userId),
        change: (before) => applyPatch(before, request.body),
        async store(tx, before, change) {
          const admins = await lockRoles(tx, tenantId);
          if (!(await updateUser(tx, tenantId, before, change))) return null;
          await applyGroupRoles(tx, tenantId, [before.email_folded]);
          await requireAdministrator(tx, tenantId, admins);
          // Open event streams end: the user may see less now, or nothing.
          await notify(tx, { kind: 'forget', cache: 'person', keys: [before.email_folded] });
          if (change.disabled) await endSignIns(tx, before.email_folded);
          return selectUser(tx, tenantId, userId);
        },
        audit: (before, after) => ({
          tenantId,
          actor: actorOf(person),
          operation: auditOperationOf(memberStateOf(before), memberStateOf(after)),
          resource: { kind: 'user', id: userId },
          requestId: request.id,
          detail: {
            email: before.email,
            before: memberStateOf(before),
            after: memberStateOf(after),
          },
        }),
      });
      reply.header('etag', etagOf(user.version));
      return { user: userRow(user), request_id: request.id };
    },
  );
}

function registerLoginProviderPage(app: App, { origin, login }: UserRouteDeps): void {
  app.get(
    '/login-provider',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: {
        tags: ['people'],
        summary: 'Get the login provider',
        response: { 200: LoginProviderAnswer },
      },
    },
    (request) => ({
      provider: {
        kind: login === null ? ('embedded' as const) : ('openid' as const),
        issuer: login?.issuer ?? `${origin}${MOUNT}`,
        client_id: login?.clientId ?? CONSOLE_CLIENT_ID,
        has_client_secret: login !== null && login.clientSecret !== null,
        redirect_uri: `${origin}${CALLBACK_PATH}`,
        session_hours: SESSION_LIFE_MS / 3_600_000,
        token_claims: Object.entries(login?.claims ?? CLAIM_NAMES).map(([meaning, claim]) => ({
          meaning,
          claim,
        })),
      },
      request_id: request.id,
    }),
  );
}

/** Returns the assigned role and state after the patch; null if nothing changes. */
function applyPatch(before: UserRecord, patch: UserPatch): MemberState | null {
  const current = { role: before.given_role, disabled: before.disabled_at !== null };
  const after = { role: patch.role ?? current.role, disabled: patch.disabled ?? current.disabled };
  return after.role === current.role && after.disabled === current.disabled ? null : after;
}

/** Returns the console users with these folded addresses, by folded address. */
export async function loadUsersNamed(
  db: Db,
  tenantId: string,
  emails: readonly string[],
): Promise<ReadonlyMap<string, UserRow>> {
  const users = await selectUsersNamed(db, tenantId, emails);
  return new Map(users.map((user) => [user.email_folded, userRow(user)]));
}

function userRow(user: UserRecord): UserRow {
  const { email_folded: _key, ...row } = user;
  return {
    ...row,
    state: user.disabled_at === null ? 'enabled' : 'disabled',
    created_at: user.created_at.toISOString(),
    disabled_at: isoOrNull(user.disabled_at),
    last_sign_in_at: isoOrNull(user.last_sign_in_at),
    version: etagOf(user.version),
  };
}
