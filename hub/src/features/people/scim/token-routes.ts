// C/scim-tokens: lists, creates and revokes SCIM tokens, for administrators.
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  ScimTokenAnswer,
  ScimTokenInput,
  ScimTokenIssued,
  type ScimTokenRow,
  ScimTokensList,
  ScimTokensQuery,
} from '@gatewarden/shared/wire/console/scim-tokens.ts';
import { Type } from 'typebox';
import { actorOf, personOf } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { isoOrNull, loadPage, tokenStatus } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { createWithId } from '../../../platform/http/server/client-chosen-id.ts';
import { type ScimTokenRecord, selectScimToken, selectScimTokens } from './token-store.ts';
import { issueScimToken, revokeScimToken } from './tokens.ts';

const DAY_MS = 86_400_000;

/** Registers the SCIM tokens of a tenant. */
export function registerScimTokens(app: App, { db, cursors }: { db: Db; cursors: CursorSealer }) {
  const requireToken = async (tenantId: string, tokenId: string) => {
    const token = await selectScimToken(db, tenantId, tokenId);
    if (token === null) throw new HubError('not_found');
    return tokenRow(token);
  };
  app.get(
    '/scim-tokens',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['people'],
        summary: 'List SCIM tokens',
        querystring: ScimTokensQuery,
        response: { 200: ScimTokensList },
      },
    },
    (request) =>
      loadPage(request, {
        cursors,
        list: 'scim-tokens',
        fetch: (tenantId, after, limit) => selectScimTokens(db, tenantId, after, limit),
        keyOf: (token) => [token.sort_key, token.token_id],
        item: tokenRow,
      }),
  );

  app.post(
    '/scim-tokens',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['people'],
        summary: 'Create a SCIM token',
        body: ScimTokenInput,
        response: { 201: ScimTokenIssued },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const { token_id: chosenId, name, expires_in_days: days } = request.body;
      const by = { actor: actorOf(person), requestId: request.id };
      const expiresAt = new Date(Date.now() + days * DAY_MS);
      const { tokenId, secret } = await createWithId(chosenId, async (id) => ({
        tokenId: id,
        secret: await issueScimToken(db, by, {
          tenantId,
          tokenId: id,
          name: name.trim(),
          expiresAt,
        }),
      }));
      reply.code(201);
      return { token: await requireToken(tenantId, tokenId), secret, request_id: request.id };
    },
  );

  app.delete(
    '/scim-tokens/:scim_token_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['people'],
        summary: 'Revoke a SCIM token',
        params: Type.Object({ tenant_id: Type.String(), scim_token_id: Uuid }),
        response: { 200: ScimTokenAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const { tenantId } = person;
      const tokenId = request.params.scim_token_id.toLowerCase();
      await requireToken(tenantId, tokenId);
      const by = { actor: actorOf(person), requestId: request.id };
      await transact(db, (tx) => revokeScimToken(tx, by, { tenantId, tokenId }));
      return { token: await requireToken(tenantId, tokenId), request_id: request.id };
    },
  );
}

function tokenRow(token: ScimTokenRecord): ScimTokenRow {
  const { sort_key: _key, expired: _expired, ...row } = token;
  return { ...row, ...tokenStatus(token), last_used_at: isoOrNull(token.last_used_at) };
}
