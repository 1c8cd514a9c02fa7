// Answers "who may call this tool" without a call: all layers between a user and a tool, in the order of a call.
import { foldName } from '@gatewarden/shared/names.ts';
import { BackendParams } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import {
  type Access,
  AccessAnswer,
  AccessList,
  BackendAccessQuery,
  PersonAccessQuery,
} from '@gatewarden/shared/wire/console/mcp-rules.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectEnabledMembers } from '../../people/identity/index.ts';
import {
  type BackendRow,
  isAnonymous,
  isShared,
  selectAllBackends,
  selectBackend,
} from '../backends/index.ts';
import type { KnownTool } from '../tool-pinning/index.ts';
import { matchesToolRules } from './patterns.ts';
import type { AccessPolicies, Policy } from './policies.ts';
import { wireRule } from './routes.ts';

export interface AccessDeps {
  db: Db;
  cursors: CursorSealer;
  rules: AccessPolicies;
  /** Known tools of the backend, with their review state. */
  toolsKnown(tenantId: string, backend: BackendRow): Promise<Map<string, KnownTool>>;
  isMember(tenantId: string, emailFolded: string): Promise<boolean>;
  /** For a sign-in, or as whom a direct API token names. */
  isAllowedDomain(
    tenantId: string,
    emailFolded: string,
    as: 'member' | 'mcpuser',
  ): Promise<boolean>;
  /** The backends for which there are direct API tokens. */
  withApiTokens(tenantId: string): Promise<Set<string>>;
}

export function registerMcpAccess(app: App, deps: AccessDeps): void {
  const { db, cursors } = deps;
  app.get(
    '/mcp/access',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['mcp'],
        summary: 'List the servers and tools that a user may call',
        querystring: PersonAccessQuery,
        response: { 200: AccessAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const email = foldName(request.query.email);
      const judge = await judgeFor(deps, tenantId, email);
      const items: Access[] = [];
      for (const backend of await selectAllBackends(db, tenantId)) {
        const known = await deps.toolsKnown(tenantId, backend);
        for (const tool of [null, ...known.keys()]) items.push(judge(backend, tool, known));
      }
      return { items, request_id: request.id };
    },
  );
  app.get(
    '/mcp/backends/:backend_id/access',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['mcp'],
        summary: 'List the users who may call a server or a tool',
        params: BackendParams,
        querystring: BackendAccessQuery,
        response: { 200: AccessList },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const { tool = null, email } = request.query;
      const backend = await selectBackend(db, tenantId, request.params.backend_id);
      if (backend === null) throw new HubError('not_found');
      const known = await deps.toolsKnown(tenantId, backend);
      if (email !== undefined) {
        const judge = await judgeFor(deps, tenantId, foldName(email));
        return { items: [judge(backend, tool, known)], next_cursor: null, request_id: request.id };
      }
      const policy = await deps.rules.of(tenantId);
      const withApiTokens = await deps.withApiTokens(tenantId);
      return loadPage(request, {
        cursors,
        list: `mcp-access/${backend.backend_id}`,
        by: [tool],
        fetch: async (_tenantId, after, limit) => {
          const members = await selectEnabledMembers(db, tenantId, after, limit);
          return Promise.all(
            members.map(async ({ email_folded: email }) => ({
              email,
              isMember: true,
              ...(await domainsOf(deps, tenantId, email)),
            })),
          );
        },
        keyOf: (row) => [row.email],
        item: (row) => accessOf({ ...row, policy, withApiTokens }, backend, tool, known),
      });
    },
  );
}

interface Judged {
  policy: Policy;
  email: string;
  isMember: boolean;
  isAllowed: boolean;
  mayBeNamed: boolean;
  withApiTokens: ReadonlySet<string>;
}

async function domainsOf(
  { isAllowedDomain }: AccessDeps,
  tenantId: string,
  email: string,
): Promise<Pick<Judged, 'isAllowed' | 'mayBeNamed'>> {
  return {
    isAllowed: await isAllowedDomain(tenantId, email, 'member'),
    mayBeNamed: await isAllowedDomain(tenantId, email, 'mcpuser'),
  };
}

async function judgeFor(deps: AccessDeps, tenantId: string, email: string) {
  const judged: Judged = {
    policy: await deps.rules.of(tenantId),
    email,
    isMember: await deps.isMember(tenantId, email),
    withApiTokens: await deps.withApiTokens(tenantId),
    ...(await domainsOf(deps, tenantId, email)),
  };
  return (backend: BackendRow, tool: string | null, known: Map<string, KnownTool>) =>
    accessOf(judged, backend, tool, known);
}

function accessOf(
  { policy, email, isMember, isAllowed, mayBeNamed, withApiTokens }: Judged,
  backend: BackendRow,
  tool: string | null,
  known: Map<string, KnownTool>,
): Access {
  const about = {
    backend_id: backend.backend_id,
    backend_name: backend.name,
    tool,
    email,
  };
  const refused = (reason: Access['reason']): Access => ({
    ...about,
    allowed: false,
    reason,
    rule: null,
  });
  if (backend.disabled_at !== null) return refused('server_disabled');
  const isUnknown = isAnonymous(backend.auth);
  // A call in somebody's name needs no sign-in of theirs.
  const isNamed = mayBeNamed && withApiTokens.has(backend.backend_id) && isShared(backend.auth);
  if (!isUnknown && !isNamed) {
    if (!isMember) return refused('not_a_member');
    if (!isAllowed) return refused('domain_not_allowed');
  }
  if (tool !== null && !matchesToolRules(tool, backend.tools)) return refused('tool_not_offered');
  const isReviewed = tool === null || known.size === 0 || known.get(tool)?.isApproved === true;
  if (!isReviewed && backend.drift === 'hide') return refused('tool_under_review');
  if (tool !== null && known.get(tool)?.isTaskOnly === true) return refused('tool_task_only');
  const { allowed, why, rule } = policy.decide(backend.backend_id, tool, isUnknown ? null : email);
  return { ...about, allowed, reason: why, rule: rule === null ? null : wireRule(rule) };
}
