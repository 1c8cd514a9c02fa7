// C/mcp/access-matrix: the access of each user group to each server, and the change of a cell with its preview. A change creates
// and deletes access policies, each with its audit event, in one transaction.
import { NoQuery } from '@gatewarden/shared/wire/console/common.ts';
import {
  AccessMatrixAnswer,
  MatrixChange,
  MatrixChangeAnswer,
  MatrixChangePreview,
} from '@gatewarden/shared/wire/console/mcp-access-matrix.ts';
import type { Rule } from '@gatewarden/shared/wire/console/mcp-rules.ts';
import type { FastifyRequest } from 'fastify';
import { personOf } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectGroupSizes } from '../../people/groups/index.ts';
import {
  type BackendRow,
  isAnonymous,
  selectAllBackends,
  selectBackend,
} from '../backends/index.ts';
import type { KnownTool } from '../tool-pinning/index.ts';
import { type CellPlan, evaluateCell, type MatrixServer, planCell } from './matrix.ts';
import { matchesToolRules } from './patterns.ts';
import type { AccessPolicies } from './policies.ts';
import { createRule, removeRule } from './routes.ts';
import { selectRules } from './store.ts';

const GROUPS_MAX = 200;

export interface MatrixDeps {
  db: Db;
  rules: AccessPolicies;
  /** Known tools of the server, with their review state. */
  toolsKnown(tenantId: string, backend: BackendRow): Promise<Map<string, KnownTool>>;
}

/** Registers the access matrix in the console's API. */
export function registerAccessMatrix(app: App, deps: MatrixDeps): void {
  const { db, rules } = deps;
  app.get(
    '/mcp/access-matrix',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['mcp'],
        summary: 'List the access of user groups to MCP servers',
        querystring: NoQuery,
        response: { 200: AccessMatrixAnswer },
      },
    },
    async (request) => {
      const matrix = await loadMatrix(deps, personOf(request).tenantId);
      return { ...matrix, request_id: request.id };
    },
  );
  app.post(
    '/mcp/access-matrix/preview',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: 'Preview a change of the access of a user group to an MCP server',
        querystring: NoQuery,
        body: MatrixChange,
        response: { 200: MatrixChangePreview },
      },
    },
    async (request) => {
      const plan = await loadPlan(deps, db, request);
      const changes = (plan?.changes ?? []).map(({ groupId, ...access }) => ({
        group_id: groupId,
        ...access,
      }));
      return { is_possible: plan !== null, changes, request_id: request.id };
    },
  );
  app.put(
    '/mcp/access-matrix',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: 'Change the access of a user group to an MCP server',
        querystring: NoQuery,
        body: MatrixChange,
        response: { 200: MatrixChangeAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const result = await transact(db, async (tx) => {
        const plan = await loadPlan(deps, tx, request);
        if (plan === null) throw new HubError('precondition_failed', OTHER_RULES);
        return applyPlan(tx, request, plan, rules);
      });
      rules.forget(tenantId);
      return { ...result, request_id: request.id };
    },
  );
}

const OTHER_RULES = 'Other access rules decide about this cell. Change the list of rules.';

type ChangeRequest = FastifyRequest<{ Body: MatrixChange }>;

/** Returns the plan of the requested change; null if the list of rules has to be edited. Throws `invalid_request`. */
async function loadPlan(
  { toolsKnown }: MatrixDeps,
  db: Db | Tx,
  request: ChangeRequest,
): Promise<CellPlan | null> {
  const { tenantId } = personOf(request);
  const { group_id: groupId, backend_id: backendId, access: goal } = request.body;
  const backend = await selectBackend(db, tenantId, backendId);
  if (backend === null) {
    throw new HubError('invalid_request', '/backend_id is not a server of this tenant');
  }
  const groupIds = (await selectGroupSizes(db, tenantId, GROUPS_MAX)).map(
    (group) => group.group_id,
  );
  if (!groupIds.includes(groupId)) {
    throw new HubError('invalid_request', '/group_id is not a user group of the matrix');
  }
  const server = matrixServer(backend, await toolsKnown(tenantId, backend));
  return planCell(await selectRules(db, tenantId), server, { groupId, goal, groupIds });
}

const matrixServer = (backend: BackendRow, known: Map<string, KnownTool>): MatrixServer => ({
  backendId: backend.backend_id,
  tools: [...known.keys()].filter((tool) => matchesToolRules(tool, backend.tools)),
  isAnonymous: isAnonymous(backend.auth),
});

async function loadMatrix({ db, toolsKnown }: MatrixDeps, tenantId: string) {
  const [backends, groups, rules] = await Promise.all([
    selectAllBackends(db, tenantId),
    selectGroupSizes(db, tenantId, GROUPS_MAX),
    selectRules(db, tenantId),
  ]);
  const servers = await Promise.all(
    backends.map(async (row) => matrixServer(row, await toolsKnown(tenantId, row))),
  );
  const groupIds = [null, ...groups.map((group) => group.group_id)];
  return {
    servers: backends.map(({ backend_id: id, name, disabled_at: disabledAt }) => ({
      backend_id: id,
      name,
      enabled: disabledAt === null,
      user_rules: rules.filter(
        (rule) => rule.email !== null && (rule.backend_id === null || rule.backend_id === id),
      ).length,
    })),
    groups,
    cells: servers.flatMap((server) =>
      groupIds.map((groupId) => {
        const cell = evaluateCell(rules, server, groupId);
        return {
          group_id: groupId,
          backend_id: server.backendId,
          access: cell.access,
          allowed_tools: cell.allowedTools,
          known_tools: server.tools.length,
          is_default: cell.isDefault,
        };
      }),
    ),
  };
}

/** Creates and deletes the policies of a plan. */
async function applyPlan(
  tx: Tx,
  request: ChangeRequest,
  { create, remove }: CellPlan,
  rules: AccessPolicies,
): Promise<{ created: Rule[]; deleted: string[] }> {
  const created: Rule[] = [];
  for (const { effect, backend_id: backendId, group_id: groupId } of create) {
    created.push(
      await createRule(tx, request, {
        effect,
        backend_id: backendId,
        subject: { kind: 'group', group_id: groupId ?? '' },
      }),
    );
  }
  for (const { rule_id: ruleId } of remove) await removeRule(tx, request, ruleId);
  await rules.forgetEverywhere(tx, personOf(request).tenantId);
  return { created, deleted: remove.map((rule) => rule.rule_id) };
}
