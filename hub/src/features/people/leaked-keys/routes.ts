// C/leaked-keys: finds and revokes the keys of the tenant in a text.
import {
  type LeakedKey,
  LeakedKeysAnswer,
  LeakedKeysInput,
} from '@gatewarden/shared/wire/console/leaked-keys.ts';
import { actorOf, personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import type { IssuedKind } from '../../../platform/issued-secrets.ts';
import { findSecrets } from './find-secrets.ts';
import { type LeakedSecret, matchIssuedKeys, revokeLeakedKeys } from './match.ts';

/** The most secrets in a text. */
const SECRETS_MAX = 500;
const BODY_LIMIT = 4 * 1024 * 1024;

const SUMMARIES = {
  find: 'Find the keys of this tenant in a text',
  revoke: 'Revoke the keys of this tenant in a text',
};

/** Registers the search for leaked keys and their revocation. */
export function registerLeakedKeys(
  app: App,
  { db, kinds }: { db: Db; kinds: readonly IssuedKind[] },
): void {
  for (const verb of ['find', 'revoke'] as const) {
    app.post(
      `/leaked-keys/${verb}`,
      {
        config: { access: 'Admin' },
        // A character takes up to six bytes as JSON.
        bodyLimit: BODY_LIMIT,
        schema: {
          tags: ['people'],
          summary: SUMMARIES[verb],
          body: LeakedKeysInput,
          response: { 200: LeakedKeysAnswer },
        },
      },
      async (request, reply) => {
        const person = personOf(request);
        const secrets = findSecrets(request.body.text);
        if (secrets.length > SECRETS_MAX) {
          throw new HubError('invalid_request', `/text has more than ${SECRETS_MAX} keys`);
        }
        const match = () => matchIssuedKeys(db, kinds, person.tenantId, secrets);
        const leaks = await match();
        if (verb === 'revoke') {
          const by = { actor: actorOf(person), requestId: request.id };
          for (const error of await revokeLeakedKeys(db, kinds, by, leaks)) {
            // A key that could not be revoked is still active in the response.
            request.log.error({ err: error }, 'could not revoke a leaked key');
          }
        }
        const items = (verb === 'revoke' ? await match() : leaks).map(wireLeak);
        return reply.header('cache-control', 'no-store').send({ items, request_id: request.id });
      },
    );
  }
}

function wireLeak({ kind, line, fingerprint, issued }: LeakedSecret): LeakedKey {
  return {
    kind: KIND_NAMES[kind],
    line,
    fingerprint,
    status: issued?.status ?? 'unknown',
    key:
      issued === null
        ? null
        : {
            id: issued.id,
            name: issued.name,
            created_at: issued.created_at.toISOString(),
            expires_at: issued.expires_at?.toISOString() ?? null,
            last_used_at: issued.last_used_at?.toISOString() ?? null,
          },
  };
}

/** Names of the kinds for users. */
export const KIND_LABELS: Record<LeakedSecret['kind'], string> = {
  management: 'Management key',
  gatewayApp: 'App key',
  logExport: 'Log-export key',
  agent: 'Enrollment token',
  node: 'Gateway node token',
  scim: 'SCIM token',
  gatewayOAuth: 'MCP client sign-in',
  directApi: 'Direct MCP token',
};

/** Names of the kinds in the audit trail. */
export const KIND_NAMES = {
  management: 'management_key',
  gatewayApp: 'key',
  logExport: 'log_export_key',
  agent: 'agent_token',
  node: 'node_token',
  scim: 'scim_token',
  gatewayOAuth: 'mcp_token',
  directApi: 'mcp_api_token',
} as const satisfies Record<LeakedSecret['kind'], LeakedKey['kind']>;
