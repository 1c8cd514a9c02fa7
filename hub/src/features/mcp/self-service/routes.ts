// C/mcp/own: the MCP servers that the signed-in user may use.
import { OwnAnswer, type OwnServer } from '@gatewarden/shared/wire/console/mcp-own.ts';
import { type Person, personOf } from '../../../platform/auth/person.ts';
import type { App } from '../../../platform/http/server/app.ts';
import type { AccessPolicies } from '../access-policies/index.ts';
import type { BackendFinder, BackendRow } from '../backends/index.ts';
import type { OAuthConnections, UserKeys } from '../upstream-auth/index.ts';
import { addressOf, hasPart } from './reachable.ts';

export interface OwnDeps {
  origin: string;
  finder: BackendFinder;
  accessPolicies: AccessPolicies;
  userKeys: UserKeys;
  oauthConnections: OAuthConnections;
}

export function registerSelfService(app: App, deps: OwnDeps): void {
  app.get(
    '/mcp/own',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['mcp'],
        summary: 'Get your client settings and the MCP servers available to you',
        response: { 200: OwnAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const { tenantId, email } = person;
      const policy = await deps.accessPolicies.of(tenantId);
      const servers: OwnServer[] = [];
      for (const backend of await deps.finder.enabled(tenantId)) {
        if (!hasPart(policy, email, backend)) continue;
        servers.push(await serverOf(deps, person, backend));
      }
      return {
        email,
        mcp_url: `${deps.origin}/gwone/${tenantId}/mcp`,
        servers,
        request_id: request.id,
      };
    },
  );
}

/** Whether the rules leave the person anything of the server. */
export async function isAvailableTo(
  { accessPolicies }: Pick<OwnDeps, 'accessPolicies'>,
  { tenantId, email }: Person,
  backend: Pick<BackendRow, 'backend_id' | 'auth'>,
): Promise<boolean> {
  return hasPart(await accessPolicies.of(tenantId), email, backend);
}

async function serverOf(
  { origin, finder, ...deps }: OwnDeps,
  { tenantId, userId }: Person,
  backend: BackendRow,
): Promise<OwnServer> {
  const { backend_id: backendId, auth } = backend;
  const key = userId === null ? null : { tenantId, backendId, userId };
  return {
    backend_id: backendId,
    name: backend.name,
    url: `${origin}/${await addressOf(finder, backend)}/mcp`,
    auth_kind: auth.kind,
    aggregated: auth.kind !== 'passthrough',
    connection: await connectionOf(deps, key, backend),
  };
}

async function connectionOf(
  { userKeys, oauthConnections }: Pick<OwnDeps, 'userKeys' | 'oauthConnections'>,
  key: { tenantId: string; backendId: string; userId: string } | null,
  { auth, url }: BackendRow,
): Promise<OwnServer['connection']> {
  if (auth.kind !== 'personal_key' && auth.kind !== 'oauth') return 'not_needed';
  if (key === null) return 'missing';
  if (auth.kind === 'oauth') return oauthConnections.stateOf(key, { url });
  return (await userKeys.secretOf(key, url)) === null ? 'missing' : 'connected';
}
