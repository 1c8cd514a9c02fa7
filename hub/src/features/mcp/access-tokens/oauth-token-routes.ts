// C/mcp/tokens: the OAuth tokens that clients got when their user signed in.
import { foldName } from '@gatewarden/shared/names.ts';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  type McpToken,
  McpTokenAnswer,
  McpTokenList,
  McpTokenQuery,
} from '@gatewarden/shared/wire/console/mcp-tokens.ts';
import { Type } from 'typebox';
import { hasRole, personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { App } from '../../../platform/http/server/app.ts';
import type { TokenRouteDeps } from './api-token-routes.ts';
import { type OAuthToken, revokeOAuthToken, selectOAuthTokens } from './store.ts';

/** Registers the routes of signed-in MCP clients in the console's API. */
export function registerOAuthTokens(app: App, { db, cursors, check }: TokenRouteDeps): void {
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
        await check.invalidateEverywhere(tx, found.hash);
        await notify(tx, { kind: 'page', tenant: person.tenantId, topic: 'mcp' });
        return found;
      });
      check.invalidate(revoked.hash);
      return { token: wireToken(revoked.token), request_id: request.id };
    },
  );
}

function wireToken(row: OAuthToken): McpToken {
  return {
    id: row.token_id,
    namespace: row.namespace,
    email: row.email,
    client_name: row.client_name,
    redirect_host: row.redirect_host,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
