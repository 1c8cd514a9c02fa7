// C/mcp/call-rules: what calls through the gateway must meet.
import {
  type Rule,
  RuleAnswer,
  type RuleDefinition,
  RuleInput,
  RuleList,
  RuleParams,
  RulePatch,
  RuleQuery,
} from '@gatewarden/shared/wire/console/mcp-call-rules.ts';
import type { FastifyRequest } from 'fastify';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { createWithId } from '../../../platform/http/server/client-chosen-id.ts';
import { etagOf, IfMatch, requireMatch } from '../../../platform/http/server/etag.ts';
import { backendWith } from '../backends/index.ts';
import { patternFinder } from './detectors.ts';
import { type Guardrails, invalidateGuardrails } from './guardrail-sets.ts';
import { patternProblem } from './patterns.ts';
import { schemaProblem } from './schemas.ts';
import {
  deleteRule,
  insertRule,
  type RuleContent,
  type RuleRow,
  selectRule,
  selectRules,
  updateRule,
} from './store.ts';

/** Each of them is looked at for each call that it could concern. */
const RULES_MAX = 200;

export interface RuleRouteDeps {
  db: Db;
  cursors: CursorSealer;
  rules: Guardrails;
}

export function registerGuardrails(app: App, { db, cursors, rules }: RuleRouteDeps): void {
  const tags = ['mcp'];
  const written = async (
    request: FastifyRequest,
    verb: 'create' | 'update' | 'delete',
    write: (tx: Tx, tenantId: string) => Promise<RuleRow>,
  ): Promise<RuleRow> => {
    const { tenantId } = personOf(request);
    const stored = await transact(db, async (tx) => {
      const item = await write(tx, tenantId);
      await recordByPerson(tx, request, {
        operation: `mcp_call_rule.${verb}`,
        resource: { kind: 'mcp_call_rule', id: item.rule_id },
        detail: { name: item.name, kind: item.definition.kind, enabled: item.enabled },
      });
      await invalidateGuardrails(tx, tenantId);
      await notify(tx, { kind: 'page', tenant: tenantId, topic: 'mcp' });
      return item;
    });
    rules.invalidate(tenantId);
    return stored;
  };

  app.post(
    '/mcp/call-rules',
    {
      config: { access: 'Admin' },
      schema: {
        tags,
        summary: 'Create a guardrail',
        body: RuleInput,
        response: { 201: RuleAnswer },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const content: RuleContent = {
        name: nameOf(body.name),
        backend_id: body.backend_id ?? null,
        tool: body.tool ?? '*',
        definition: body.definition,
        enabled: body.enabled ?? true,
      };
      const made = await createWithId(body.rule_id, (ruleId) =>
        written(request, 'create', async (tx, tenantId) => {
          await refuseBad(tx, tenantId, content);
          const item = await insertRule(tx, tenantId, ruleId, content, RULES_MAX);
          if (item === null) {
            throw new HubError('invalid_request', `A tenant can have at most ${RULES_MAX} rules.`);
          }
          return item;
        }),
      );
      reply.header('etag', etagOf(made.version));
      return reply.code(201).send({ rule: wire(made), request_id: request.id });
    },
  );
  app.get(
    '/mcp/call-rules',
    {
      config: { access: 'Viewer' },
      schema: {
        tags,
        summary: 'List guardrails',
        querystring: RuleQuery,
        response: { 200: RuleList },
      },
    },
    (request) =>
      loadPage(request, {
        cursors,
        list: 'mcp-call-rules',
        fetch: (tenantId, after, limit) => selectRules(db, tenantId, after, limit),
        keyOf: (row) => [row.rule_id],
        item: wire,
      }),
  );
  app.get(
    '/mcp/call-rules/:call_rule_id',
    {
      config: { access: 'Viewer' },
      schema: {
        tags,
        summary: 'Get a guardrail',
        params: RuleParams,
        response: { 200: RuleAnswer },
      },
    },
    async (request, reply) => {
      const found = await selectRule(db, personOf(request).tenantId, request.params.call_rule_id);
      if (found === null) throw new HubError('not_found');
      reply.header('etag', etagOf(found.version));
      return { rule: wire(found), request_id: request.id };
    },
  );
  app.patch(
    '/mcp/call-rules/:call_rule_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags,
        summary: 'Update a guardrail',
        params: RuleParams,
        headers: IfMatch,
        body: RulePatch,
        response: { 200: RuleAnswer },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const stored = await written(request, 'update', async (tx, tenantId) => {
        const before = await existing(tx, request, request.params.call_rule_id);
        const next: RuleContent = {
          name: body.name === undefined ? before.name : nameOf(body.name),
          backend_id: body.backend_id === undefined ? before.backend_id : body.backend_id,
          tool: body.tool ?? before.tool,
          definition: body.definition ?? before.definition,
          enabled: body.enabled ?? before.enabled,
        };
        await refuseBad(tx, tenantId, next);
        const after = await updateRule(tx, tenantId, before, next);
        if (after === null) throw new HubError('precondition_failed');
        return after;
      });
      reply.header('etag', etagOf(stored.version));
      return { rule: wire(stored), request_id: request.id };
    },
  );
  app.delete(
    '/mcp/call-rules/:call_rule_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags,
        summary: 'Delete a guardrail',
        params: RuleParams,
        headers: IfMatch,
        response: { 200: RuleAnswer },
      },
    },
    async (request) => {
      const gone = await written(request, 'delete', async (tx, tenantId) => {
        const before = await existing(tx, request, request.params.call_rule_id);
        const deleted = await deleteRule(tx, tenantId, before);
        if (deleted === null) throw new HubError('precondition_failed');
        return deleted;
      });
      return { rule: wire(gone), request_id: request.id };
    },
  );
}

async function existing(tx: Tx, request: FastifyRequest, ruleId: string): Promise<RuleRow> {
  const found = await selectRule(tx, personOf(request).tenantId, ruleId);
  if (found === null) throw new HubError('not_found');
  requireMatch(request.headers['if-match'], found.version);
  return found;
}

function nameOf(text: string): string {
  const name = text.trim();
  if (name === '') throw new HubError('invalid_request', '/name must not be blank');
  return name;
}

async function refuseBad(tx: Tx, tenantId: string, rule: RuleContent): Promise<void> {
  if (rule.backend_id !== null && (await backendWith(tx, tenantId, rule.backend_id)) === null) {
    throw new HubError('invalid_request', '/backend_id is not a server of this tenant');
  }
  const problem = definitionProblem(rule.definition);
  if (problem !== null) throw new HubError('invalid_request', `/definition${problem}`);
}

function definitionProblem(definition: RuleDefinition): string | null {
  if (definition.kind === 'arguments') {
    const problem = schemaProblem(definition.schema);
    return problem === null ? null : `/schema${problem}`;
  }
  if (definition.kind === 'approval') return null;
  const { detectors = [], patterns = [], words = [] } = definition;
  if (detectors.length + patterns.length + words.length === 0) {
    return ' must hold detectors, patterns or words';
  }
  for (const [i, { name, pattern }] of patterns.entries()) {
    const problem = patternProblem(pattern);
    if (problem !== null) return `/patterns/${i}/pattern ${problem}`;
    // A pattern that matches the empty text would match everywhere.
    if (patternFinder(name, pattern)('').count > 0) return `/patterns/${i}/pattern matches nothing`;
  }
  const blank = words.findIndex((word) => word.trim() === '');
  return blank === -1 ? null : `/words/${blank} must not be blank`;
}

function wire(row: RuleRow): Rule {
  return {
    id: row.rule_id,
    name: row.name,
    backend_id: row.backend_id,
    tool: row.tool,
    definition: row.definition,
    enabled: row.enabled,
    version: etagOf(row.version),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
