// C/agent-tokens: tokens that enrol devices, made and revoked by administrators.
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  AgentTokenAnswer,
  AgentTokenInput,
  AgentTokenIssued,
  type AgentTokenRow,
  AgentTokensList,
  AgentTokensQuery,
} from '@gatewarden/shared/wire/console/agent-tokens.ts';
import { Type } from 'typebox';
import { actorOf, personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage, tokenStatus } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { createWithId } from '../../../platform/http/server/client-chosen-id.ts';
import { type AgentTokenRecord, selectAgentToken, selectAgentTokens } from './token-store.ts';
import { endAgentToken, issueAgentToken } from './tokens.ts';

const DAY_MS = 86_400_000;

export function registerAgentTokens(app: App, { db, cursors }: { db: Db; cursors: CursorSealer }) {
  app.get(
    '/agent-tokens',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['devices'],
        summary: 'List enrollment tokens',
        querystring: AgentTokensQuery,
        response: { 200: AgentTokensList },
      },
    },
    (request) =>
      loadPage(request, {
        cursors,
        list: 'agent-tokens',
        fetch: (tenantId, after, limit) => selectAgentTokens(db, tenantId, after, limit),
        keyOf: (token) => [token.sort_key, token.token_id],
        item: tokenRow,
      }),
  );

  app.post(
    '/agent-tokens',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['devices'],
        summary: 'Create an enrollment token',
        body: AgentTokenInput,
        response: { 201: AgentTokenIssued },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { tenantId } = person;
      const { token_id: chosen, name, expires_in_days: days } = request.body;
      const issued = await createWithId(chosen, (tokenId) =>
        issueAgentToken(
          db,
          { actor: actorOf(person), requestId: request.id },
          {
            ...{ tenantId, tokenId, name: name.trim(), enrolOnly: true },
            expiresAt: new Date(Date.now() + days * DAY_MS),
          },
        ),
      );
      const token = await selectAgentToken(db, tenantId, issued.token_id);
      if (token === null) throw new HubError('not_found');
      reply.code(201);
      return { token: tokenRow(token), secret: issued.token, request_id: request.id };
    },
  );

  app.delete(
    '/agent-tokens/:agent_token_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['devices'],
        summary: 'Revoke an enrollment token',
        params: Type.Object({ tenant_id: Type.String(), agent_token_id: Uuid }),
        response: { 200: AgentTokenAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const { tenantId } = person;
      const tokenId = request.params.agent_token_id.toLowerCase();
      // Tokens of devices end with their devices.
      const before = await selectAgentToken(db, tenantId, tokenId);
      if (before === null) throw new HubError('not_found');
      await endAgentToken(db, { actor: actorOf(person), requestId: request.id }, tokenId);
      const token = await selectAgentToken(db, tenantId, tokenId);
      if (token === null) throw new HubError('not_found');
      return { token: tokenRow(token), request_id: request.id };
    },
  );
}

function tokenRow(token: AgentTokenRecord): AgentTokenRow {
  const { sort_key: _key, expired: _expired, ...row } = token;
  return { ...row, ...tokenStatus(token) };
}
