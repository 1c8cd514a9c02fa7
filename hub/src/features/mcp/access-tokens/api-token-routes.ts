// C/mcp/backends/{id}/api-tokens: direct tokens for clients without OAuth. C/mcp/api-tokens: those of all backends.

import { hashSecret, makeSecret } from '@gatewarden/shared/secrets.ts';
import { JustPaged } from '@gatewarden/shared/wire/console/common.ts';
import { BackendParams } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import {
  type ApiToken,
  ApiTokenAnswer,
  ApiTokenInput,
  ApiTokenIssued,
  ApiTokenList,
  ApiTokenParams,
  ApiTokensQuery,
} from '@gatewarden/shared/wire/console/mcp-tokens.ts';
import type { FastifyRequest } from 'fastify';
import { actorOf, hasRole, personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { createWithId } from '../../../platform/http/server/client-chosen-id.ts';
import { backendWith } from '../backends/index.ts';
import type { TokenCheck } from './authenticate.ts';
import {
  type ApiToken as ApiTokenRow,
  insertApiToken,
  revokeApiToken,
  selectApiTokens,
  selectLiveApiTokens,
} from './store.ts';

export interface TokenRouteDeps {
  db: Db;
  cursors: CursorSealer;
  check: TokenCheck;
}

/** Registers the routes of direct API tokens in the console's API. */
export function registerApiTokens(app: App, deps: TokenRouteDeps): void {
  registerCreation(app, deps);
  registerBackendList(app, deps);
  registerRevocation(app, deps);
  registerTenantList(app, deps);
}

function registerCreation(app: App, { db }: TokenRouteDeps): void {
  app.post(
    '/mcp/backends/:backend_id/api-tokens',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: 'Create a direct API token',
        params: BackendParams,
        body: ApiTokenInput,
        response: { 201: ApiTokenIssued },
      },
    },
    async (request, reply) => {
      const settings = validateSettings(request.body);
      const secret = makeSecret('directApi');
      const token = await createWithId(request.body.token_id, (tokenId) =>
        transact(db, (tx) => createApiToken(tx, request, { ...settings, tokenId, secret })),
      );
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ token: { ...wireApiToken(token), secret }, request_id: request.id });
    },
  );
}

type TokenSettings = Pick<ApiTokenRow, 'name' | 'agent' | 'whole_header' | 'expires_at'>;

/** Returns the settings of a new token. Throws `invalid_request`. */
function validateSettings(input: ApiTokenInput): TokenSettings {
  const { agent, whole_header: isWholeHeader = false } = input;
  const name = input.name.trim();
  if (name === '') throw new HubError('invalid_request', '/name must not be blank');
  if (!isWholeHeader && !PRODUCT.test(agent)) {
    throw new HubError('invalid_request', '/agent must be a product name without / and spaces');
  }
  const expiresAt = input.expires_at == null ? null : new Date(input.expires_at);
  if (expiresAt !== null && !(expiresAt.getTime() > Date.now())) {
    throw new HubError('invalid_request', '/expires_at must be in the future');
  }
  return { name, agent, whole_header: isWholeHeader, expires_at: expiresAt };
}

/** Stores a token for the backend of the path, with its audit event. Throws `not_found`. */
async function createApiToken(
  tx: Tx,
  request: FastifyRequest<{ Params: { backend_id: string } }>,
  { tokenId, secret, ...settings }: TokenSettings & { tokenId: string; secret: string },
): Promise<ApiTokenRow> {
  const person = personOf(request);
  const { tenantId } = person;
  const backend = await backendWith(tx, tenantId, request.params.backend_id);
  if (backend === null) throw new HubError('not_found');
  const hash = hashSecret(secret);
  const token = await insertApiToken(tx, hash, {
    ...settings,
    tenant_id: tenantId,
    token_id: tokenId,
    backend_id: backend.backend_id,
    fingerprint: hash.toString('hex').slice(0, 8),
    creator: actorOf(person),
  });
  await recordByPerson(tx, request, {
    operation: 'mcp_api_token.create',
    resource: { kind: 'mcp_api_token', id: token.token_id },
    detail: { name: token.name, agent: token.agent, backend_id: backend.backend_id },
  });
  await notify(tx, { kind: 'page', tenant: tenantId, topic: 'mcp' });
  return token;
}

/** Lists the tokens of a backend, also those that are revoked. */
function registerBackendList(app: App, { db, cursors }: TokenRouteDeps): void {
  app.get(
    '/mcp/backends/:backend_id/api-tokens',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: 'List the direct API tokens of an MCP server',
        params: BackendParams,
        querystring: JustPaged,
        response: { 200: ApiTokenList },
      },
    },
    (request) =>
      loadPage(request, {
        cursors,
        list: `mcp-api-tokens/${request.params.backend_id}`,
        fetch: (tenantId, after, limit) =>
          selectApiTokens(db, tenantId, request.params.backend_id, after, limit),
        keyOf: (row) => [row.token_id],
        item: wireApiToken,
      }),
  );
}

function registerRevocation(app: App, { db, check }: TokenRouteDeps): void {
  app.delete(
    '/mcp/backends/:backend_id/api-tokens/:token_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: 'Revoke a direct API token',
        params: ApiTokenParams,
        response: { 200: ApiTokenAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const { backend_id: backendId, token_id: tokenId } = request.params;
      const revoked = await transact(db, async (tx) => {
        const found = await revokeApiToken(tx, { tenantId, backendId, tokenId });
        if (found === null) throw new HubError('not_found');
        await recordByPerson(tx, request, {
          operation: 'mcp_api_token.revoke',
          resource: { kind: 'mcp_api_token', id: tokenId },
          detail: {
            name: found.token.name,
          },
        });
        await check.invalidateEverywhere(tx, found.hash);
        await notify(tx, { kind: 'page', tenant: tenantId, topic: 'mcp' });
        return found;
      });
      check.invalidate(revoked.hash);
      return { token: wireApiToken(revoked.token), request_id: request.id };
    },
  );
}

/** Lists the tokens of all backends that are not revoked. */
function registerTenantList(app: App, { db, cursors }: TokenRouteDeps): void {
  app.get(
    '/mcp/api-tokens',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['mcp'],
        summary: 'List all direct API tokens',
        querystring: ApiTokensQuery,
        response: { 200: ApiTokenList },
      },
    },
    (request) => {
      const person = personOf(request);
      // A person with fewer rights gets the tokens that the person created.
      const isAll = request.query.of === 'all';
      if (isAll && !hasRole(person.role, 'Admin')) throw new HubError('forbidden');
      const creator = isAll ? null : actorOf(person).id;
      const backendId = request.query.backend_id ?? null;
      return loadPage(request, {
        cursors,
        list: `mcp-api-tokens-of/${creator ?? '*'}`,
        by: [backendId],
        fetch: (tenantId, after, limit) =>
          selectLiveApiTokens(db, tenantId, { creator, backendId }, after, limit),
        keyOf: (row) => [row.token_id],
        item: wireApiToken,
      });
    },
  );
}

const PRODUCT = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function wireApiToken(row: ApiTokenRow): ApiToken {
  return {
    id: row.token_id,
    backend_id: row.backend_id,
    name: row.name,
    agent: row.agent,
    whole_header: row.whole_header,
    fingerprint: row.fingerprint,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}
