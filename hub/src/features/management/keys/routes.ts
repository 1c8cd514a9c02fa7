// A/tenants/{tenant_id}/keys: management keys, issued and revoked by the tenant's administrators.

import { randomUUID } from 'node:crypto';
import { hashSecret, makeSecret } from '@gatewarden/shared/secrets.ts';
import { isUuid } from '@gatewarden/shared/wire/common.ts';
import type { AuditVerb } from '@gatewarden/shared/wire/console/audit-operations.ts';
import { PageQuery } from '@gatewarden/shared/wire/management/common.ts';
import {
  type ManagementKey,
  ManagementKeyAnswer,
  ManagementKeyInput,
  ManagementKeyIssuedAnswer,
  ManagementKeyPatch,
  ManagementKeysAnswer,
} from '@gatewarden/shared/wire/management/settings.ts';
import { type AuditEvent, OPERATOR, recordAudit } from '../../../platform/audit.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { touchCollection } from '../../../platform/db/collection-versions.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadCollectionPage } from '../../../platform/http/lists/collections.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { etagOf, requireMatch } from '../../../platform/http/server/etag.ts';
import {
  parseFutureTime,
  unixSeconds,
  unixSecondsOrNull,
} from '../../../platform/http/server/expiry.ts';
import { type Principal, type RouteSpec, route } from '../auth/index.ts';
import { createOnce } from '../operations/index.ts';
import { insertKey, type KeyRow, revokeKey, selectKey, selectKeys, updateKey } from './store.ts';

const COLLECTION = 'management_keys';
const PATH = '/tenants/:tenant_id/keys';

export interface KeyDeps {
  db: Db;
  sealer: Sealer;
  cursors: CursorSealer;
}

/** Returns the routes of management keys. */
export function managementKeyRoutes(deps: KeyDeps): RouteSpec[] {
  return [...collectionRoutes(deps), ...keyRoutes(deps)];
}

function collectionRoutes(deps: KeyDeps): RouteSpec[] {
  const { db, cursors } = deps;
  return [
    route({
      method: 'GET',
      path: PATH,
      summary: 'List management keys',
      scopes: [],
      query: PageQuery,
      answers: { 200: ManagementKeysAnswer },
      async handle({ principal: { tenantId }, query }) {
        const page = await loadCollectionPage(db, {
          cursors,
          tenantId,
          collection: COLLECTION,
          query,
          fetch: (after, limit) => selectKeys(db, tenantId, after, limit),
          keyOf: (key) => [key.sort_key, key.key_id],
          item: (key) => wireKey(key),
        });
        return { body: page };
      },
    }),
    route({
      method: 'POST',
      path: PATH,
      summary: 'Issue a management key',
      scopes: [],
      optIn: true,
      idempotent: true,
      body: ManagementKeyInput,
      answers: { 201: ManagementKeyIssuedAnswer },
      async handle(call) {
        const { principal, body, requestId } = call;
        const name = checkedName(body.name);
        return createOnce(deps, call, { operation: 'management_key.create' }, (tx) =>
          issueKey(tx, principal, requestId, {
            name,
            scopes: body.scopes,
            expiresAt: parseFutureTime(body.expires_at ?? null, '/expires_at', new Date()),
          }),
        );
      },
    }),
  ];
}

function keyRoutes({ db }: KeyDeps): RouteSpec[] {
  return [
    route({
      method: 'PATCH',
      path: `${PATH}/:key_id`,
      summary: 'Update the name, scopes or expiry of a management key',
      scopes: [],
      optIn: true,
      ifMatch: true,
      body: ManagementKeyPatch,
      answers: { 200: ManagementKeyAnswer },
      async handle({ principal, params, body, ifMatch, requestId }) {
        const { tenantId } = principal;
        const name = body.name === undefined ? undefined : checkedName(body.name);
        const expiresAt =
          body.expires_at === undefined
            ? undefined
            : parseFutureTime(body.expires_at, '/expires_at', new Date());
        const after = await transact(db, async (tx) => {
          const before = await existing(tx, tenantId, params.key_id);
          requireMatch(ifMatch, before.version);
          if (statusOf(before) !== 'active') throw new HubError('terminal_key_state');
          const wanted = {
            name: name ?? before.name,
            scopes: body.scopes ?? before.scopes,
            expires_at: expiresAt === undefined ? before.expires_at : expiresAt,
          };
          if (same(before, wanted)) return before;
          const stored = await updateKey(tx, tenantId, before, wanted);
          if (stored === null) throw new HubError('precondition_failed');
          const detail = { before: facts(before), after: facts(stored) };
          await recordAudit(tx, event(principal, 'update', stored.key_id, requestId, detail));
          return stored;
        });
        return { etag: etagOf(after.version), body: { key: wireKey(after) } };
      },
    }),
    route({
      method: 'DELETE',
      path: `${PATH}/:key_id`,
      summary: 'Revoke a management key; works while the tenant is suspended',
      scopes: [],
      ifMatch: true,
      answers: { 200: ManagementKeyAnswer },
      async handle({ principal, params, ifMatch, requestId }) {
        const { tenantId } = principal;
        const after = await transact(db, async (tx) => {
          const before = await existing(tx, tenantId, params.key_id);
          if (ifMatch === undefined) throw new HubError('precondition_required');
          // A repeated revocation succeeds, whatever version was read before.
          if (before.revoked_at !== null) return before;
          requireMatch(ifMatch, before.version);
          const revoked = await revokeKey(tx, tenantId, before);
          if (revoked === null) {
            const now = await existing(tx, tenantId, params.key_id);
            // A concurrent revocation has the same result.
            if (now.revoked_at !== null) return now;
            throw new HubError('precondition_failed');
          }
          const detail = { name: revoked.name };
          await recordAudit(tx, event(principal, 'revoke', revoked.key_id, requestId, detail));
          return revoked;
        });
        return { etag: etagOf(after.version), body: { key: wireKey(after) } };
      },
    }),
  ];
}

async function existing(tx: Tx, tenantId: string, keyId: string | undefined): Promise<KeyRow> {
  const found = isUuid(keyId ?? '') ? await selectKey(tx, tenantId, keyId as string) : null;
  if (found === null) throw new HubError('not_found');
  return found;
}

/** Issues a key with its audit event; the secret is in the response only. */
async function issueKey(
  tx: Tx,
  principal: Pick<Principal, 'tenantId' | 'actor'>,
  requestId: string | null,
  wanted: { name: string; scopes: KeyRow['scopes']; expiresAt: Date | null },
) {
  const secret = makeSecret('management');
  const hash = hashSecret(secret);
  const stored = await insertKey(tx, principal.tenantId, {
    key_id: randomUUID(),
    secret_hash: hash,
    fingerprint: hash.toString('hex').slice(0, 8),
    name: wanted.name,
    scopes: wanted.scopes,
    creator: principal.actor,
    expires_at: wanted.expiresAt,
  });
  await touchCollection(tx, principal.tenantId, COLLECTION);
  await recordAudit(
    tx,
    event(principal, 'create', stored.key_id, requestId, { after: facts(stored) }),
  );
  return {
    status: 201,
    etag: etagOf(stored.version),
    body: { key: { ...wireKey(stored), secret }, secret },
  };
}

/** Issues an operator's key at the command line. */
export function createManagementKey(
  db: Db,
  tenantId: string,
  wanted: { name: string; scopes: KeyRow['scopes']; expiresAt: Date | null },
): Promise<{ key_id: string; key: string }> {
  return transact(db, async (tx) => {
    const { body } = await issueKey(tx, { tenantId, actor: OPERATOR }, null, wanted);
    return { key_id: body.key.key_id, key: body.secret };
  });
}

function checkedName(text: string): string {
  const name = text.trim();
  if (name === '') throw new HubError('invalid_request', '/name must not be blank');
  return name;
}

function statusOf(key: KeyRow): ManagementKey['status'] {
  if (key.revoked_at !== null) return 'revoked';
  return key.is_expired ? 'expired' : 'active';
}

function wireKey(key: KeyRow): ManagementKey {
  return {
    key_id: key.key_id,
    name: key.name,
    scopes: key.scopes,
    status: statusOf(key),
    fingerprint: key.fingerprint,
    creator: key.creator,
    created_at: unixSeconds(key.created_at),
    expires_at: unixSecondsOrNull(key.expires_at),
    revoked_at: unixSecondsOrNull(key.revoked_at),
    last_used_at: unixSecondsOrNull(key.last_used_at),
    last_used_from: key.last_used_from,
    version: etagOf(key.version),
  };
}

function facts({ name, scopes, expires_at }: KeyRow): object {
  return { name, scopes, expires_at };
}

function same(before: KeyRow, after: Pick<KeyRow, 'name' | 'scopes' | 'expires_at'>): boolean {
  return (
    before.name === after.name &&
    before.expires_at?.getTime() === after.expires_at?.getTime() &&
    before.scopes.join() === after.scopes.join()
  );
}

function event(
  { tenantId, actor }: Pick<Principal, 'tenantId' | 'actor'>,
  verb: AuditVerb<'management_key'>,
  keyId: string,
  requestId: string | null,
  detail: object,
): AuditEvent {
  return {
    tenantId,
    actor,
    operation: `management_key.${verb}`,
    resource: { kind: 'management_key', id: keyId },
    requestId,
    detail,
    management: true,
  };
}
