// C/mcp/own: the person's own side of the gateway. Only servers that they may use are named.
import { foldName } from '@gatewarden/shared/names.ts';
import { OwnAnswer, type OwnServer } from '@gatewarden/shared/wire/console/mcp-own.ts';
import { type Person, personOf } from '../../../platform/auth/person.ts';
import type { App } from '../../../platform/http/app.ts';
import type { BackendFinder, BackendRow } from '../backends/index.ts';
import type { Connections } from '../connections/index.ts';
import type { Grants } from '../grants/index.ts';
import type { ToolPins } from '../pins/index.ts';
import type { McpRules, Policy } from '../rules/index.ts';

export interface OwnDeps {
  origin: string;
  finder: BackendFinder;
  rules: McpRules;
  pins: ToolPins;
  connections: Connections;
  grants: Grants;
}

export function registerMcpOwn(app: App, deps: OwnDeps): void {
  app.get(
    '/mcp/own',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['mcp'],
        summary: 'What the person who asks needs to connect a client, and the servers they may use',
        response: { 200: OwnAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const { tenantId, email } = person;
      const policy = await deps.rules.of(tenantId);
      const servers: OwnServer[] = [];
      for (const backend of await deps.finder.enabled(tenantId)) {
        if (!(await hasPart(deps, policy, person, backend.backend_id))) continue;
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
export async function isForThem(
  deps: Pick<OwnDeps, 'pins' | 'rules'>,
  person: Person,
  backendId: string,
): Promise<boolean> {
  return hasPart(deps, await deps.rules.of(person.tenantId), person, backendId);
}

/** The server as a whole, or one of its tools at least. */
async function hasPart(
  { pins }: Pick<OwnDeps, 'pins'>,
  policy: Policy,
  { tenantId, email }: Person,
  backendId: string,
): Promise<boolean> {
  const folded = foldName(email);
  if (policy.decide(backendId, null, folded).allowed) return true;
  const tools = await pins.known({ tenantId, backendId });
  return [...tools.keys()].some((tool) => policy.decide(backendId, tool, folded).allowed);
}

async function serverOf(
  { origin, finder, ...deps }: OwnDeps,
  { tenantId, userId }: Person,
  backend: BackendRow,
): Promise<OwnServer> {
  const { backend_id: backendId, slug, auth } = backend;
  // A slug that another company uses too leads nowhere; the id does.
  const isPlain = (await finder.find(slug)) !== null;
  const key = userId === null ? null : { tenantId, backendId, userId };
  return {
    backend_id: backendId,
    name: backend.name,
    url: `${origin}/${isPlain ? slug : backendId}/mcp`,
    auth_kind: auth.kind,
    aggregated: auth.kind !== 'passthrough',
    connection: await connectionOf(deps, key, backend),
  };
}

async function connectionOf(
  { connections, grants }: Pick<OwnDeps, 'connections' | 'grants'>,
  key: { tenantId: string; backendId: string; userId: string } | null,
  { auth, url }: BackendRow,
): Promise<OwnServer['connection']> {
  if (auth.kind !== 'personal_key' && auth.kind !== 'oauth') return 'not_needed';
  if (key === null) return 'missing';
  if (auth.kind === 'oauth') return grants.stateOf(key, { url });
  return (await connections.secretOf(key)) === null ? 'missing' : 'connected';
}
