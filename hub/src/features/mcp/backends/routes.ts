// C/mcp/backends: each is made with a key by which its logs are read.

import { randomUUID } from 'node:crypto';
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
  IDLE_TIMEOUT_SECONDS,
  TOTAL_TIMEOUT_SECONDS,
} from '@gatewarden/shared/wire/console/mcp-backends.ts';
import type { FastifyRequest } from 'fastify';
import { actorOf, hasRole, personOf, recordByPerson } from '../../../platform/auth/person.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf, IfMatch, requireMatch } from '../../../platform/http/server/etag.ts';
import { issueExportKey, revealExportKey, selectActiveKey } from '../../logs/export-keys/index.ts';
import { sealedAuth } from './auth.ts';
import { type ProductsWith, registerDeviceServers } from './device-servers.ts';
import { type BackendFinder, forgetBackends } from './finder.ts';
import { refuseCredentialHeader, sealedHeaders } from './headers.ts';
import {
  type BackendRow,
  deleteBackend,
  insertBackend,
  isSlugTaken,
  selectBackend,
  selectBackends,
  updateBackend,
} from './store.ts';

export interface BackendDeps {
  db: Db;
  sealer: Sealer;
  cursors: CursorSealer;
  /** Throws what `outbound.check` throws. */
  checkUrl(url: string): void;
  finder: BackendFinder;
  productsWith: ProductsWith;
  /** Deletes the data of other features about the backend. */
  onDeleted(tx: Tx, tenantId: string, backendId: string): Promise<void>;
  /** Deletes the users' credentials after a change of the URL. Returns the number of users. */
  onMoved(tx: Tx, tenantId: string, backendId: string): Promise<number>;
}

/** Paths that the hub itself answers. */
const RESERVED = new Set(
  'gwone oauth mcp api .well-known mcpgateway llmgateway ea node console auth healthz readyz metrics scim'.split(
    ' ',
  ),
);

export function registerBackendPages(app: App, deps: BackendDeps): void {
  const { db, sealer, cursors } = deps;
  registerDeviceServers(app, deps);

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
      const name = nameOf(request.body.name);
      refuseBad(deps, { slug, url });
      const { backend, secret } = await transact(db, async (tx) => {
        const created = newBackend(deps, tenantId, request.body, name);
        const made = await insertBackend(tx, tenantId, created);
        if (made === null) throw taken();
        await record(tx, request, 'create', made, { slug, name, url });
        await forgetBackends(tx, tenantId, [slug, made.backend_id]);
        const issued = await issueExportKey(tx, sealer, byOf(request), {
          tenantId,
          scope: 'backend',
          appId: null,
          backendId: made.backend_id,
          name: `Logs of ${name}`.slice(0, 200),
          expiresAt: null,
        });
        return { backend: made, secret: issued.secret };
      });
      deps.finder.forget(tenantId, [slug, backend.backend_id]);
      reply.header('etag', etagOf(backend.version));
      return reply.code(201).send({
        backend: { ...wireBackend(backend), log_export_key: secret },
        request_id: request.id,
      });
    },
  );

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
      const shown = isShown ? { log_export_key: await reveal(deps, request, backend) } : {};
      return { backend: { ...wireBackend(backend), ...shown }, request_id: request.id };
    },
  );

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
      const { before, after } = await transact(db, async (tx) => {
        const before = await existing(tx, request, request.params.backend_id);
        const next = patched(deps, tenantId, before, request.body);
        refuseBad(deps, next);
        if (await isSlugTaken(tx, tenantId, next.slug, before.backend_id)) throw taken();
        if (isSame(before, next)) return { before, after: before };
        const stored = await updateBackend(tx, tenantId, before, next);
        if (stored === null) throw new HubError('precondition_failed');
        const isMoved = originOf(before) !== originOf(stored);
        const isKept =
          (stored.auth.kind === 'shared' && stored.sealed_auth === before.sealed_auth) ||
          (stored.sealed_headers !== null && stored.sealed_headers === before.sealed_headers);
        const moved = {
          ...(isMoved && isKept ? { endpoint_moved_with_kept_credentials: true } : {}),
          ...(isMoved ? { keys_deleted: await deps.onMoved(tx, tenantId, stored.backend_id) } : {}),
        };
        const detail = { ...withoutSecret(request.body), ...moved };
        await record(tx, request, 'update', stored, detail);
        await forgetBackends(tx, tenantId, [before.slug, stored.slug, stored.backend_id]);
        return { before, after: stored };
      });
      deps.finder.forget(tenantId, [before.slug, after.slug, after.backend_id]);
      reply.header('etag', etagOf(after.version));
      return { backend: wireBackend(after), request_id: request.id };
    },
  );

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
      const gone = await transact(db, async (tx) => {
        const before = await existing(tx, request, request.params.backend_id);
        const deleted = await deleteBackend(tx, tenantId, before);
        if (deleted === null) throw new HubError('precondition_failed');
        await deps.onDeleted(tx, tenantId, deleted.backend_id);
        await record(tx, request, 'delete', deleted, namesOf(deleted));
        await forgetBackends(tx, tenantId, [deleted.slug, deleted.backend_id]);
        return deleted;
      });
      deps.finder.forget(tenantId, [gone.slug, gone.backend_id]);
      return { backend: wireBackend(gone), request_id: request.id };
    },
  );
}

/** Each reveal is an audit event of its own. */
async function reveal(
  { db, sealer }: BackendDeps,
  request: FastifyRequest,
  backend: BackendRow,
): Promise<string | null> {
  const { tenantId } = personOf(request);
  return transact(db, async (tx) => {
    const key = await selectActiveKey(tx, tenantId, 'backend', backend.backend_id);
    return key === null ? null : revealExportKey(tx, sealer, byOf(request), key);
  });
}

async function existing(tx: Tx, request: FastifyRequest, id: string): Promise<BackendRow> {
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

function newBackend(deps: BackendDeps, tenantId: string, input: BackendInput, name: string) {
  const backendId = randomUUID();
  const key = [tenantId, backendId] as const;
  const stored = sealedAuth(deps, key, input.auth, null);
  return {
    backend_id: backendId,
    slug: input.slug,
    name,
    name_folded: foldName(name),
    url: input.url,
    ...stored,
    ...sealedHeaders(deps.sealer, key, input.headers ?? [], { auth: stored.auth, before: null }),
    tools: input.tools ?? null,
    drift: input.drift ?? 'flag',
    same_as: input.same_as ?? [],
    idle_timeout_seconds: input.idle_timeout_seconds ?? IDLE_TIMEOUT_SECONDS,
    total_timeout_seconds: input.total_timeout_seconds ?? TOTAL_TIMEOUT_SECONDS,
  };
}

/** Throws `invalid_request`. */
function patchedHeaders(
  { sealer }: BackendDeps,
  tenantId: string,
  before: BackendRow,
  { headers }: BackendPatch,
  auth: BackendRow['auth'],
): Pick<BackendRow, 'header_names' | 'sealed_headers'> {
  if (headers !== undefined) {
    return sealedHeaders(sealer, [tenantId, before.backend_id], headers, { auth, before });
  }
  refuseCredentialHeader(before.header_names, auth);
  return { header_names: before.header_names, sealed_headers: before.sealed_headers };
}

function patched(deps: BackendDeps, tenantId: string, before: BackendRow, patch: BackendPatch) {
  const name = patch.name === undefined ? before.name : nameOf(patch.name);
  const enabled = patch.enabled ?? before.disabled_at === null;
  const stored =
    patch.auth === undefined
      ? { auth: before.auth, sealed_auth: before.sealed_auth }
      : sealedAuth(deps, [tenantId, before.backend_id], patch.auth, before);
  return {
    slug: patch.slug ?? before.slug,
    name,
    name_folded: foldName(name),
    url: patch.url ?? before.url,
    ...stored,
    ...patchedHeaders(deps, tenantId, before, patch, stored.auth),
    tools: patch.tools === undefined ? before.tools : patch.tools,
    drift: patch.drift ?? before.drift,
    same_as: patch.same_as ?? before.same_as,
    idle_timeout_seconds: patch.idle_timeout_seconds ?? before.idle_timeout_seconds,
    total_timeout_seconds: patch.total_timeout_seconds ?? before.total_timeout_seconds,
    disabled_at: enabled ? null : (before.disabled_at ?? new Date()),
  };
}

function isSame(before: BackendRow, next: ReturnType<typeof patched>): boolean {
  return (
    next.slug === before.slug &&
    next.name === before.name &&
    next.url === before.url &&
    next.sealed_auth === before.sealed_auth &&
    next.drift === before.drift &&
    next.idle_timeout_seconds === before.idle_timeout_seconds &&
    next.total_timeout_seconds === before.total_timeout_seconds &&
    next.sealed_headers === before.sealed_headers &&
    JSON.stringify([next.auth, next.tools, next.same_as]) ===
      JSON.stringify([before.auth, before.tools, before.same_as]) &&
    (next.disabled_at === null) === (before.disabled_at === null)
  );
}

function nameOf(text: string): string {
  const name = text.trim();
  if (name === '') throw new HubError('invalid_request', '/name must not be blank');
  return name;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function refuseBad(deps: BackendDeps, { slug, url }: { slug: string; url: string }): void {
  if (RESERVED.has(slug)) throw new HubError('invalid_request', '/slug is reserved');
  // A slug in the form of an id could be the id of another backend.
  if (UUID.test(slug)) throw new HubError('invalid_request', '/slug must not look like an ID');
  try {
    deps.checkUrl(url);
  } catch (error) {
    throw new HubError('url_not_allowed', `/url ${(error as Error).message}`);
  }
}

const taken = () =>
  new HubError('already_exists', 'Another MCP server has this slug. Choose a different slug.');

function byOf(request: FastifyRequest) {
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
