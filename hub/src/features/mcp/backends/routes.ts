// C/mcp/backends: administration of MCP servers. A new server gets an export key for its logs.
import { foldName } from '@gatewarden/shared/names.ts';
import type { AuditVerb } from '@gatewarden/shared/wire/console/audit-operations.ts';
import {
  type Backend,
  BackendAnswer,
  BackendInput,
  BackendList,
  BackendOneQuery,
  BackendParams,
  BackendPatch,
  BackendQuery,
} from '@gatewarden/shared/wire/console/mcp-backends.ts';
import type { FastifyRequest } from 'fastify';
import { actorOf, hasRole, personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf, IfMatch, requireMatch } from '../../../platform/http/server/etag.ts';
import { issueExportKey, revealExportKey, selectActiveKey } from '../../logs/export-keys/index.ts';
import {
  type ContentDeps,
  isUnchanged,
  newBackend,
  patchedBackend,
  requireName,
  validateAddress,
} from './content.ts';
import { type ProductsWith, registerDeviceServers } from './device-servers.ts';
import { type BackendFinder, forgetBackends } from './finder.ts';
import {
  type BackendRow,
  deleteBackend,
  insertBackend,
  isSlugTaken,
  selectBackend,
  selectBackends,
  updateBackend,
} from './store.ts';

export interface BackendDeps extends ContentDeps {
  db: Db;
  cursors: CursorSealer;
  finder: BackendFinder;
  productsWith: ProductsWith;
  /** Deletes the data of other features about the backend. */
  onDeleted(tx: Tx, tenantId: string, backendId: string): Promise<void>;
  /** Deletes the users' credentials after a change of the URL. Returns the number of users. */
  onMoved(tx: Tx, tenantId: string, backendId: string): Promise<number>;
}

/** Registers the routes of MCP servers in the console's API. */
export function registerBackendPages(app: App, deps: BackendDeps): void {
  registerDeviceServers(app, deps);
  registerCreation(app, deps);
  registerReads(app, deps);
  registerUpdate(app, deps);
  registerDeletion(app, deps);
}

function registerCreation(app: App, deps: BackendDeps): void {
  app.post(
    '/mcp/backends',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: 'Add an MCP server',
        body: BackendInput,
        response: { 201: BackendAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const { slug, url } = request.body;
      const name = requireName(request.body.name);
      validateAddress(deps, { slug, url });
      const { backend, secret } = await transact(deps.db, async (tx) => {
        const content = newBackend(deps, tenantId, request.body, name);
        const created = await insertBackend(tx, tenantId, content);
        if (created === null) throw slugTaken();
        await record(tx, request, 'create', created, { slug, name, url });
        await forgetBackends(tx, tenantId, [slug, created.backend_id]);
        const issued = await issueExportKey(tx, deps.sealer, requestOrigin(request), {
          tenantId,
          scope: 'backend',
          appId: null,
          backendId: created.backend_id,
          name: `Logs of ${name}`.slice(0, 200),
          expiresAt: null,
        });
        return { backend: created, secret: issued.secret };
      });
      deps.finder.forget(tenantId, [slug, backend.backend_id]);
      reply.header('etag', etagOf(backend.version));
      return reply.code(201).send({
        backend: { ...wireBackend(backend), log_export_key: secret },
        request_id: request.id,
      });
    },
  );
}

function registerReads(app: App, deps: BackendDeps): void {
  const { db, cursors } = deps;
  app.get(
    '/mcp/backends',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['mcp'],
        summary: 'List MCP servers',
        querystring: BackendQuery,
        response: { 200: BackendList },
      },
    },
    (request) =>
      loadPage(request, {
        cursors,
        list: 'mcp-backends',
        fetch: (tenantId, after, limit) => selectBackends(db, tenantId, after, limit),
        keyOf: (row) => [foldName(row.name), row.backend_id],
        item: wireBackend,
      }),
  );

  app.get(
    '/mcp/backends/:backend_id',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['mcp'],
        summary: 'Get an MCP server',
        params: BackendParams,
        querystring: BackendOneQuery,
        response: { 200: BackendAnswer },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const backend = await selectBackend(db, person.tenantId, request.params.backend_id);
      if (backend === null) throw new HubError('not_found');
      reply.header('etag', etagOf(backend.version));
      const isShown = hasRole(person.role, 'Admin') && request.query.reveal !== 'false';
      const shown = isShown ? { log_export_key: await revealLogKey(deps, request, backend) } : {};
      return { backend: { ...wireBackend(backend), ...shown }, request_id: request.id };
    },
  );
}

function registerUpdate(app: App, deps: BackendDeps): void {
  app.patch(
    '/mcp/backends/:backend_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: 'Update an MCP server',
        params: BackendParams,
        headers: IfMatch,
        body: BackendPatch,
        response: { 200: BackendAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const { before, after } = await transact(deps.db, (tx) => changeBackend(deps, tx, request));
      deps.finder.forget(tenantId, [before.slug, after.slug, after.backend_id]);
      reply.header('etag', etagOf(after.version));
      return { backend: wireBackend(after), request_id: request.id };
    },
  );
}

/** Changes the backend that `If-Match` names. Returns it before and after, which are the same row if nothing changed. */
async function changeBackend(
  deps: BackendDeps,
  tx: Tx,
  request: FastifyRequest<{ Params: { backend_id: string }; Body: BackendPatch }>,
): Promise<{ before: BackendRow; after: BackendRow }> {
  const { tenantId } = personOf(request);
  const before = await loadForWrite(tx, request, request.params.backend_id);
  const next = patchedBackend(deps, tenantId, before, request.body);
  validateAddress(deps, next);
  if (await isSlugTaken(tx, tenantId, next.slug, before.backend_id)) throw slugTaken();
  if (isUnchanged(before, next)) return { before, after: before };
  const after = await updateBackend(tx, tenantId, before, next);
  if (after === null) throw new HubError('precondition_failed');
  const move = await recordMove(deps, tx, { tenantId, before, after });
  await record(tx, request, 'update', after, { ...withoutSecret(request.body), ...move });
  await forgetBackends(tx, tenantId, [before.slug, after.slug, after.backend_id]);
  return { before, after };
}

/**
 * Deletes the users' credentials if the backend moved to another origin, because they were given to the previous server.
 * Returns the details for the audit event, which also names shared credentials that stay.
 */
async function recordMove(
  deps: BackendDeps,
  tx: Tx,
  { tenantId, before, after }: { tenantId: string; before: BackendRow; after: BackendRow },
): Promise<object> {
  if (originOf(before) === originOf(after)) return {};
  const keepsCredentials =
    (after.auth.kind === 'shared' && after.sealed_auth === before.sealed_auth) ||
    (after.sealed_headers !== null && after.sealed_headers === before.sealed_headers);
  return {
    ...(keepsCredentials ? { endpoint_moved_with_kept_credentials: true } : {}),
    keys_deleted: await deps.onMoved(tx, tenantId, after.backend_id),
  };
}

function registerDeletion(app: App, deps: BackendDeps): void {
  app.delete(
    '/mcp/backends/:backend_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: 'Delete an MCP server',
        params: BackendParams,
        headers: IfMatch,
        response: { 200: BackendAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const deleted = await transact(deps.db, async (tx) => {
        const before = await loadForWrite(tx, request, request.params.backend_id);
        const row = await deleteBackend(tx, tenantId, before);
        if (row === null) throw new HubError('precondition_failed');
        await deps.onDeleted(tx, tenantId, row.backend_id);
        await record(tx, request, 'delete', row, namesOf(row));
        await forgetBackends(tx, tenantId, [row.slug, row.backend_id]);
        return row;
      });
      deps.finder.forget(tenantId, [deleted.slug, deleted.backend_id]);
      return { backend: wireBackend(deleted), request_id: request.id };
    },
  );
}

/** Each reveal is an audit event of its own. */
async function revealLogKey(
  { db, sealer }: BackendDeps,
  request: FastifyRequest,
  backend: BackendRow,
): Promise<string | null> {
  const { tenantId } = personOf(request);
  return transact(db, async (tx) => {
    const key = await selectActiveKey(tx, tenantId, 'backend', backend.backend_id);
    return key === null ? null : revealExportKey(tx, sealer, requestOrigin(request), key);
  });
}

/** Returns the stored backend. Throws `not_found`, or `precondition_failed` if the caller read another version. */
async function loadForWrite(tx: Tx, request: FastifyRequest, id: string): Promise<BackendRow> {
  const found = await selectBackend(tx, personOf(request).tenantId, id);
  if (found === null) throw new HubError('not_found');
  requireMatch(request.headers['if-match'], found.version);
  return found;
}

const originOf = ({ url }: BackendRow) => new URL(url).origin;

/** An audit event names what changed, never the secret. */
function withoutSecret({ auth, headers, ...rest }: BackendPatch): object {
  return {
    ...rest,
    ...(auth === undefined ? {} : { auth: { kind: auth.kind } }),
    ...(headers === undefined ? {} : { headers: headers.map(({ name }) => ({ name })) }),
  };
}

const slugTaken = () =>
  new HubError('already_exists', 'Another MCP server has this slug. Choose a different slug.');

function requestOrigin(request: FastifyRequest) {
  return { actor: actorOf(personOf(request)), requestId: request.id };
}

const namesOf = ({ slug, name }: BackendRow) => ({ slug, name });

function record(
  tx: Tx,
  request: FastifyRequest,
  verb: AuditVerb<'mcp_backend'>,
  backend: BackendRow,
  detail: object,
): Promise<void> {
  return recordByPerson(tx, request, {
    operation: `mcp_backend.${verb}`,
    resource: { kind: 'mcp_backend', id: backend.backend_id },
    detail,
  });
}

function wireBackend(row: BackendRow): Backend {
  return {
    id: row.backend_id,
    slug: row.slug,
    name: row.name,
    url: row.url,
    auth: { ...row.auth, has_secret: row.sealed_auth !== null },
    tools: row.tools,
    drift: row.drift,
    same_as: row.same_as,
    idle_timeout_seconds: row.idle_timeout_seconds,
    total_timeout_seconds: row.total_timeout_seconds,
    headers: row.header_names.map((name) => ({ name })),
    enabled: row.disabled_at === null,
    version: etagOf(row.version),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
