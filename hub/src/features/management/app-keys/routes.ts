// R/apps/{app_name}/keys: gateway credentials of an app.

import { isUuid } from '@gatewarden/shared/wire/common.ts';
import type { AuditVerb } from '@gatewarden/shared/wire/console/audit-operations.ts';
import { PageQuery, Strict } from '@gatewarden/shared/wire/management/common.ts';
import {
  AppKeyAnswer,
  AppKeyInput,
  AppKeyIssuedAnswer,
  AppKeyPatch,
  AppKeysAnswer,
} from '@gatewarden/shared/wire/management/keys.ts';
import { type AuditEvent, recordAudit } from '../../../platform/audit.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { announceConfiguration } from '../../../platform/feed/configuration-feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadCollectionPage } from '../../../platform/http/lists/collections.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { etagOf, requireMatch } from '../../../platform/http/server/etag.ts';
import { parseFutureTime } from '../../../platform/http/server/expiry.ts';
import { type Call, type RouteSpec, route } from '../auth/index.ts';
import { createOnce } from '../operations/index.ts';
import {
  checkedKeyName,
  collectionOf,
  issueAppKey,
  revealedSecret,
  statusOf,
  wireAppKey,
} from './issue.ts';
import {
  type AppKeyRow,
  revokeAppKey,
  selectAppKey,
  selectAppKeys,
  updateAppKeyExpiry,
} from './store.ts';

const PATH = '/apps/:app_name/keys';

export interface AppKeyDeps {
  db: Db;
  sealer: Sealer;
  cursors: CursorSealer;
  /** Returns the app with this name. Throws 404 and `ambiguous_app_name`. */
  findApp(db: Db, tenantId: string, name: string | undefined): Promise<{ app_id: string }>;
}

type Place = Pick<Call, 'principal' | 'params'>;

/** Returns the routes of app keys. */
export function appKeyRoutes(deps: AppKeyDeps): RouteSpec[] {
  return [...collectionRoutes(deps), ...keyRoutes(deps), revealRoute(deps)];
}

async function existing(deps: AppKeyDeps, on: Db, { principal, params }: Place) {
  const { app_id: appId } = await deps.findApp(on, principal.tenantId, params.app_name);
  const keyId = params.key_id ?? '';
  const key = isUuid(keyId) ? await selectAppKey(on, principal.tenantId, appId, keyId) : null;
  if (key === null) throw new HubError('not_found');
  return { appId, key };
}

/** Records a change and announces it to gateway nodes. Throws `precondition_failed` if another writer was faster. */
async function recordChange(
  tx: Tx,
  call: Pick<Call, 'principal' | 'requestId'>,
  verb: AuditVerb<'key'>,
  appId: string,
  key: AppKeyRow | null,
) {
  if (key === null) throw new HubError('precondition_failed');
  await recordAudit(tx, event(call, verb, appId, key));
  const deleted = key.revoked_at !== null;
  await announceConfiguration(tx, call.principal.tenantId, [
    { kind: 'key', id: key.key_id, deleted },
  ]);
  return key;
}

const answered = (key: AppKeyRow) => ({
  etag: etagOf(key.version),
  body: { key: wireAppKey(key) },
});

function collectionRoutes(deps: AppKeyDeps): RouteSpec[] {
  const { db, cursors, sealer } = deps;
  return [
    route({
      method: 'GET',
      path: PATH,
      summary: 'List app keys',
      scopes: ['read'],
      query: PageQuery,
      answers: { 200: AppKeysAnswer },
      async handle({ principal: { tenantId }, params, query }) {
        const { app_id: appId } = await deps.findApp(db, tenantId, params.app_name);
        const page = await loadCollectionPage(db, {
          cursors,
          tenantId,
          collection: collectionOf(appId),
          query,
          fetch: (after, limit) => selectAppKeys(db, tenantId, appId, after, limit),
          keyOf: (key) => [key.sort_key, key.key_id],
          item: (key) => wireAppKey(key),
        });
        return { body: page };
      },
    }),
    route({
      method: 'POST',
      path: PATH,
      summary: 'Issue an app key',
      scopes: ['credentials:write'],
      idempotent: true,
      body: AppKeyInput,
      answers: { 201: AppKeyIssuedAnswer },
      handle: (call) =>
        createOnce(deps, call, { operation: 'key.create' }, async (tx) => {
          const { principal, params, body } = call;
          const name = checkedKeyName(body.name, '/name');
          const expiresAt = parseFutureTime(body.expires_at ?? null, '/expires_at', new Date());
          const { app_id: appId } = await deps.findApp(tx, principal.tenantId, params.app_name);
          const key = await issueAppKey(tx, sealer, call, appId, { name, expiresAt });
          await announceConfiguration(tx, principal.tenantId, [{ kind: 'key', id: key.key_id }]);
          return { status: 201, etag: key.version, body: { key } };
        }),
    }),
  ];
}

function keyRoutes(deps: AppKeyDeps): RouteSpec[] {
  const { db } = deps;
  return [
    route({
      method: 'GET',
      path: `${PATH}/:key_id`,
      summary: 'Get an app key without its secret',
      scopes: ['read'],
      answers: { 200: AppKeyAnswer },
      handle: async (call) => answered((await existing(deps, db, call)).key),
    }),
    route({
      method: 'PATCH',
      path: `${PATH}/:key_id`,
      summary: 'Update the expiry of an active key',
      scopes: ['credentials:write'],
      ifMatch: true,
      body: AppKeyPatch,
      answers: { 200: AppKeyAnswer },
      async handle(call) {
        const { tenantId } = call.principal;
        const expiresAt = parseFutureTime(call.body.expires_at, '/expires_at', new Date());
        const after = await transact(db, async (tx) => {
          const { appId, key } = await existing(deps, tx, call);
          requireMatch(call.ifMatch, key.version);
          if (statusOf(key) !== 'active') throw new HubError('terminal_key_state');
          if (key.expires_at?.getTime() === expiresAt?.getTime()) return key;
          const stored = await updateAppKeyExpiry(tx, tenantId, key, expiresAt);
          return recordChange(tx, call, 'update', appId, stored);
        });
        return answered(after);
      },
    }),
    route({
      method: 'DELETE',
      path: `${PATH}/:key_id`,
      summary: 'Revoke a key; its name is free again',
      scopes: ['credentials:write'],
      ifMatch: true,
      answers: { 200: AppKeyAnswer },
      async handle(call) {
        const { tenantId } = call.principal;
        const after = await transact(db, async (tx) => {
          const { appId, key } = await existing(deps, tx, call);
          requireMatch(call.ifMatch, key.version);
          if (key.revoked_at !== null) throw new HubError('terminal_key_state');
          return recordChange(tx, call, 'revoke', appId, await revokeAppKey(tx, tenantId, key));
        });
        return answered(after);
      },
    }),
  ];
}

function revealRoute(deps: AppKeyDeps): RouteSpec {
  const { db, sealer } = deps;
  return route({
    method: 'POST',
    path: `${PATH}/:key_id/reveal`,
    summary: 'Reveal the secret of an active key; audited',
    scopes: ['credentials:read'],
    emptyBody: true,
    body: Strict({}),
    answers: { 200: AppKeyIssuedAnswer },
    async handle(call) {
      const { tenantId } = call.principal;
      const { key } = await transact(db, async (tx) => {
        const found = await existing(deps, tx, call);
        if (statusOf(found.key) !== 'active') throw new HubError('terminal_key_state');
        await recordAudit(tx, event(call, 'reveal', found.appId, found.key));
        return found;
      });
      const secret = revealedSecret(sealer, tenantId, key);
      return { etag: etagOf(key.version), body: { key: { ...wireAppKey(key), secret } } };
    },
  });
}

function event(
  { principal, requestId }: Pick<Call, 'principal' | 'requestId'>,
  verb: AuditVerb<'key'>,
  appId: string,
  key: AppKeyRow,
): AuditEvent {
  return {
    tenantId: principal.tenantId,
    actor: principal.actor,
    operation: `key.${verb}`,
    resource: { kind: 'key', id: key.key_id },
    requestId,
    detail: { app_id: appId, name: key.name, expires_at: key.expires_at },
    management: true,
  };
}
