// C/leaked-keys: which keys of the tenant stand in a text that somebody found, and their end.
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
import { behind, endAll, type Leak } from './find.ts';
import { secretsIn } from './rules.ts';

/** Of one text. */
const SECRETS_MAX = 500;
const BODY_LIMIT = 4 * 1024 * 1024;

const SUMMARIES = {
  find: 'Find the keys of this tenant in a text',
  revoke: 'Revoke the keys of this tenant in a text',
};

export function registerLeakedKeys(
  app: App,
  { db, kinds }: { db: Db; kinds: readonly IssuedKind[] },
): void {
  for (const verb of ['find', 'revoke'] as const) {
    app.post(
      `/leaked-keys/${verb}`,
      {
        config: { access: 'Admin' },
        // As JSON a letter takes six bytes at most.
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
        const found = secretsIn(request.body.text);
        if (found.length > SECRETS_MAX) {
          throw new HubError('invalid_request', `/text has more than ${SECRETS_MAX} keys`);
        }
        const look = () => behind(db, kinds, person.tenantId, found);
        const leaks = await look();
        if (verb === 'revoke') {
          const by = { actor: actorOf(person), requestId: request.id };
          for (const error of await endAll(db, kinds, by, leaks)) {
            // What is left stands in the answer, as one that still works.
            request.log.error({ err: error }, 'a leaked key could not be ended');
          }
        }
        const items = (verb === 'revoke' ? await look() : leaks).map(wireLeak);
        return reply.header('cache-control', 'no-store').send({ items, request_id: request.id });
      },
    );
  }
}

function wireLeak({ kind, line, fingerprint, issued }: Leak): LeakedKey {
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

/** As people read of them. */
export const KIND_WORDS: Record<Leak['kind'], string> = {
  management: 'Management key',
  gatewayApp: 'App key',
  logExport: 'Log-export key',
  agent: 'Enrollment token',
  node: 'Gateway node token',
  scim: 'SCIM token',
  gatewayOAuth: 'MCP client sign-in',
  directApi: 'Direct MCP token',
};

/** As the trail names their events. */
export const KIND_NAMES = {
  management: 'management_key',
  gatewayApp: 'key',
  logExport: 'log_export_key',
  agent: 'agent_token',
  node: 'node_token',
  scim: 'scim_token',
  gatewayOAuth: 'mcp_token',
  directApi: 'mcp_api_token',
} as const satisfies Record<Leak['kind'], LeakedKey['kind']>;
