// C/mcp/backends/{id}/api-tokens: tokens for clients without OAuth. C/mcp/tokens: what people let in by signing in.
import { foldName } from '@gatewarden/shared/names.ts';
import { hashSecret, makeSecret } from '@gatewarden/shared/secrets.ts';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
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
  type McpToken,
  McpTokenAnswer,
  McpTokenList,
  McpTokenQuery,
} from '@gatewarden/shared/wire/console/mcp-tokens.ts';
import { Type } from 'typebox';
import { actorOf, hasRole, personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
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
  type OAuthToken,
  revokeApiToken,
  revokeOAuthToken,
  selectApiTokens,
  selectLiveApiTokens,
  selectOAuthTokens,
} from './store.ts';

export interface TokenRouteDeps {
  db: Db;
  cursors: CursorSealer;
  check: TokenCheck;
}

export function registerMcpTokens(app: App, deps: TokenRouteDeps): void {
  registerApiTokens(app, deps);
  registerOwnApiTokens(app, deps);
  const { db, cursors, check } = deps;
  app.get(
    '/mcp/tokens',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['mcp'],
        summary: 'List signed-in MCP clients',
        querystring: McpTokenQuery,
        response: { 200: McpTokenList },
      },
    },
    (request) => {
      const person = personOf(request);
      const isAll = request.query.of === 'all';
      if (isAll && !hasRole(person.role, 'Admin')) throw new HubError('forbidden');
      const owner = isAll ? null : foldName(person.email);
      return loadPage(request, {
        cursors,
        list: `mcp-tokens/${owner ?? '*'}`,
        fetch: (tenantId, after, limit) => selectOAuthTokens(db, tenantId, owner, after, limit),
        keyOf: (row) => [row.email_folded, row.token_id],
        item: wireToken,
      });
    },
  );
  app.delete(
    '/mcp/tokens/:token_id',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['mcp'],
        summary: 'Sign out an MCP client',
        params: Type.Object({ tenant_id: Type.String(), token_id: Uuid }),
        response: { 200: McpTokenAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const isAdmin = hasRole(person.role, 'Admin');
      const revoked = await transact(db, async (tx) => {
        const found = await revokeOAuthToken(tx, request.params.token_id, {
          tenantId: person.tenantId,
          ...(isAdmin ? {} : { emailFolded: foldName(person.email) }),
        });
        if (found === null) throw new HubError('not_found');
        await recordByPerson(tx, request, {
          operation: 'mcp_token.revoke',
          resource: { kind: 'mcp_token', id: found.token.token_id },
          detail: {
            email: found.token.email,
            client_name: found.token.client_name,
          },
        });
        await check.forgetEverywhere(tx, found.hash);
        await notify(tx, { kind: 'page', tenant: person.tenantId, topic: 'mcp' });
        return found;
      });
      check.forget(revoked.hash);
      return { token: wireToken(revoked.token), request_id: request.id };
    },
  );
}

/** Direct tokens of all backends; a person without more rights sees those that they made. */
function registerOwnApiTokens(app: App, { db, cursors }: TokenRouteDeps): void {
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

function registerApiTokens(app: App, { db, cursors, check }: TokenRouteDeps): void {
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
      const { tenantId } = personOf(request);
      const { name, agent, whole_header: whole, expires_at: end } = request.body;
      if (name.trim() === '') throw new HubError('invalid_request', '/name must not be blank');
      if (whole !== true && !PRODUCT.test(agent)) {
        throw new HubError('invalid_request', '/agent must be a product name without / and spaces');
      }
      const expiresAt = end == null ? null : new Date(end);
      if (expiresAt !== null && !(expiresAt.getTime() > Date.now())) {
        throw new HubError('invalid_request', '/expires_at must be in the future');
      }
      const secret = makeSecret('directApi');
      const hash = hashSecret(secret);
      const token = await createWithId(request.body.token_id, (tokenId) =>
        transact(db, async (tx) => {
          const backend = await backendWith(tx, tenantId, request.params.backend_id);
          if (backend === null) throw new HubError('not_found');
          const made = await insertApiToken(tx, hash, {
            tenant_id: tenantId,
            token_id: tokenId,
            backend_id: backend.backend_id,
            name: name.trim(),
            agent,
            whole_header: whole === true,
            fingerprint: hash.toString('hex').slice(0, 8),
            creator: actorOf(personOf(request)),
            expires_at: expiresAt,
          });
          await recordByPerson(tx, request, {
            operation: 'mcp_api_token.create',
            resource: { kind: 'mcp_api_token', id: made.token_id },
            detail: {
              name: made.name,
              agent,
              backend_id: backend.backend_id,
            },
          });
          await notify(tx, { kind: 'page', tenant: tenantId, topic: 'mcp' });
          return made;
        }),
      );
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ token: { ...wireApiToken(token), secret }, request_id: request.id });
    },
  );
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
        await check.forgetEverywhere(tx, found.hash);
        await notify(tx, { kind: 'page', tenant: tenantId, topic: 'mcp' });
        return found;
      });
      check.forget(revoked.hash);
      return { token: wireApiToken(revoked.token), request_id: request.id };
    },
  );
}

const PRODUCT = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const iso = (at: Date | null) => at?.toISOString() ?? null;

function wireApiToken(row: ApiTokenRow): ApiToken {
  return {
    id: row.token_id,
    backend_id: row.backend_id,
    name: row.name,
    agent: row.agent,
    whole_header: row.whole_header,
    fingerprint: row.fingerprint,
    created_at: row.created_at.toISOString(),
    expires_at: iso(row.expires_at),
    last_used_at: iso(row.last_used_at),
    revoked_at: iso(row.revoked_at),
  };
}

function wireToken(row: OAuthToken): McpToken {
  return {
    id: row.token_id,
    namespace: row.namespace,
    email: row.email,
    client_name: row.client_name,
    redirect_host: row.redirect_host,
    created_at: row.created_at.toISOString(),
    last_used_at: iso(row.last_used_at),
  };
}
