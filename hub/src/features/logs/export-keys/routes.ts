// C/log-export-keys, and the tenant-wide MCP key of C/mcp/settings/reveal-tenant-log-export-key.
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  ExportKeyAnswer,
  ExportKeyInput,
  ExportKeyIssued,
  ExportKeyList,
  ExportKeyQuery,
  TenantExportKeyAnswer,
} from '@gatewarden/shared/wire/console/log-export-keys.ts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { By } from '../../../platform/audit.ts';
import { actorOf, personOf } from '../../../platform/auth/person.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { createWithId } from '../../../platform/http/server/client-chosen-id.ts';
import { etagOf, IfMatch, requireMatch } from '../../../platform/http/server/etag.ts';
import { defaultName, issueExportKey, revealExportKey, revokeKey, wireExportKey } from './keys.ts';
import { selectActiveKey, selectExportKey, selectExportKeys } from './store.ts';

const Params = Type.Object({ tenant_id: Type.String(), export_key_id: Uuid });

export interface ExportKeyRouteDeps {
  db: Db;
  sealer: Sealer;
  cursors: CursorSealer;
  /** Throws `not_found` if there is no such app. */
  appNamed(tenantId: string, name: string): Promise<{ app_id: string }>;
  backendWith(tenantId: string, backendId: string): Promise<{ backend_id: string } | null>;
}

/** Registers the log export keys of a tenant. */
export function registerExportKeys(app: App, deps: ExportKeyRouteDeps): void {
  registerKeyList(app, deps);
  registerKeyRevocation(app, deps);
  registerKeyReveal(app, deps);
}

function registerKeyList(app: App, deps: ExportKeyRouteDeps): void {
  const { db, sealer, cursors } = deps;

  app.get(
    '/log-export-keys',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['logs'],
        summary: 'List log export keys',
        querystring: ExportKeyQuery,
        response: { 200: ExportKeyList },
      },
    },
    (request) =>
      loadPage(request, {
        cursors,
        list: 'log-export-keys',
        fetch: (tenantId, after, limit) => selectExportKeys(db, tenantId, after, limit),
        keyOf: (key) => [key.sort_key, key.key_id],
        item: (key) => wireExportKey(key),
      }),
  );

  app.post(
    '/log-export-keys',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['logs'],
        summary: 'Create a log export key',
        body: ExportKeyInput,
        response: { 201: ExportKeyIssued },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const { scope, name, expires_at: expires } = request.body;
      const target = await resolveTarget(deps, tenantId, request.body);
      const expiresAt = expires === undefined || expires === null ? null : new Date(expires);
      if (expiresAt !== null && !(expiresAt.getTime() > Date.now())) {
        throw new HubError('invalid_request', '/expires_at must be in the future');
      }
      const input = { tenantId, scope, ...target, name: nameOf(name, scope), expiresAt };
      const { key, secret } = await createWithId(request.body.key_id, (keyId) =>
        transact(db, (tx) => issueExportKey(tx, sealer, byOf(request), { ...input, keyId })),
      );
      reply.header('etag', etagOf(key.version));
      return reply.code(201).send({ key: wireExportKey(key), secret, request_id: request.id });
    },
  );
}

function registerKeyRevocation(app: App, { db }: ExportKeyRouteDeps): void {
  app.delete(
    '/log-export-keys/:export_key_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['logs'],
        summary: 'Revoke a log export key',
        params: Params,
        headers: IfMatch,
        response: { 200: ExportKeyAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const after = await transact(db, async (tx) => {
        const key = await selectExportKey(tx, tenantId, request.params.export_key_id);
        if (key === null) throw new HubError('not_found');
        requireMatch(request.headers['if-match'], key.version);
        return revokeKey(tx, byOf(request), key);
      });
      reply.header('etag', etagOf(after.version));
      return { key: wireExportKey(after), request_id: request.id };
    },
  );
}

function registerKeyReveal(app: App, { db, sealer }: ExportKeyRouteDeps): void {
  app.post(
    '/log-export-keys/:export_key_id/reveal',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['logs'],
        summary: 'Reveal a log export key',
        params: Params,
        response: { 200: ExportKeyIssued },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      return transact(db, async (tx) => {
        const key = await selectExportKey(tx, tenantId, request.params.export_key_id);
        if (key === null) throw new HubError('not_found');
        const secret = await revealExportKey(tx, sealer, byOf(request), key);
        return { key: wireExportKey(key), secret, request_id: request.id };
      });
    },
  );

  app.post(
    '/mcp/settings/reveal-tenant-log-export-key',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: "Reveal the tenant's MCP log export key, created if absent",
        response: { 200: TenantExportKeyAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      return transact(db, async (tx) => {
        const by = byOf(request);
        const existing = await selectActiveKey(tx, tenantId, 'all_backends', null);
        const { key, secret } =
          existing === null
            ? await issueExportKey(tx, sealer, by, {
                tenantId,
                scope: 'all_backends',
                appId: null,
                backendId: null,
                name: defaultName('all_backends'),
                expiresAt: null,
              })
            : { key: existing, secret: await revealExportKey(tx, sealer, by, existing) };
        return {
          tenant_log_export_key: secret,
          key: wireExportKey(key),
          request_id: request.id,
        };
      });
    },
  );
}

function byOf(request: FastifyRequest): By {
  return { actor: actorOf(personOf(request)), requestId: request.id };
}

function nameOf(sent: string | undefined, scope: ExportKeyInput['scope']): string {
  const name = (sent ?? defaultName(scope)).trim();
  if (name === '') throw new HubError('invalid_request', '/name must have 1-200 characters');
  return name;
}

async function resolveTarget(
  deps: ExportKeyRouteDeps,
  tenantId: string,
  input: ExportKeyInput,
): Promise<{ appId: string | null; backendId: string | null }> {
  const { scope, app_name: appName, backend_id: backendId } = input;
  const refuse = (pointer: string, fault: string) =>
    new HubError('invalid_request', `${pointer} ${fault}`);
  if ((scope === 'app') !== (appName !== undefined)) {
    throw refuse('/app_name', 'belongs to the scope app, and to no other');
  }
  if ((scope === 'backend') !== (backendId !== undefined)) {
    throw refuse('/backend_id', 'belongs to the scope backend, and to no other');
  }
  if (appName !== undefined) {
    return { appId: (await deps.appNamed(tenantId, appName)).app_id, backendId: null };
  }
  if (backendId === undefined) return { appId: null, backendId: null };
  const backend = await deps.backendWith(tenantId, backendId.toLowerCase());
  if (backend === null) throw new HubError('not_found');
  return { appId: null, backendId: backend.backend_id };
}
