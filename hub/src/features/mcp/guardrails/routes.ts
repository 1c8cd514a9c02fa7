// C/mcp/call-rules: administration of guardrails.
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
import { patternProblem } from '../../../platform/linear-patterns.ts';
import { backendWith } from '../backends/index.ts';
import { patternFinder } from './detectors.ts';
import { type Guardrails, invalidateGuardrails } from './guardrail-sets.ts';
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

/** Maximum per tenant, because each call evaluates all guardrails in its scope. */
const RULES_MAX = 200;

export interface RuleRouteDeps {
  db: Db;
  cursors: CursorSealer;
  rules: Guardrails;
}

/** Registers the routes of guardrails in the console's API. */
export function registerGuardrails(app: App, deps: RuleRouteDeps): void {
  registerCreation(app, deps);
  registerReads(app, deps);
  registerUpdate(app, deps);
  registerDeletion(app, deps);
}

function registerCreation(app: App, deps: RuleRouteDeps): void {
  app.post(
    '/mcp/call-rules',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: 'Create a guardrail',
        body: RuleInput,
        response: { 201: RuleAnswer },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const content: RuleContent = {
        name: requireName(body.name),
        backend_id: body.backend_id ?? null,
        tool: body.tool ?? '*',
        definition: body.definition,
        enabled: body.enabled ?? true,
      };
      const created = await createWithId(body.rule_id, (ruleId) =>
        writeGuardrail(deps, request, 'create', async (tx, tenantId) => {
          await validateGuardrail(tx, tenantId, content);
          const item = await insertRule(tx, tenantId, ruleId, content, RULES_MAX);
          if (item === null) {
            throw new HubError('invalid_request', `A tenant can have at most ${RULES_MAX} rules.`);
          }
          return item;
        }),
      );
      reply.header('etag', etagOf(created.version));
      return reply.code(201).send({ rule: wire(created), request_id: request.id });
    },
  );
}

function registerReads(app: App, { db, cursors }: RuleRouteDeps): void {
  app.get(
    '/mcp/call-rules',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['mcp'],
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
        tags: ['mcp'],
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
}

function registerUpdate(app: App, deps: RuleRouteDeps): void {
  app.patch(
    '/mcp/call-rules/:call_rule_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: 'Update a guardrail',
        params: RuleParams,
        headers: IfMatch,
        body: RulePatch,
        response: { 200: RuleAnswer },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const stored = await writeGuardrail(deps, request, 'update', async (tx, tenantId) => {
        const before = await loadForWrite(tx, request, request.params.call_rule_id);
        const next: RuleContent = {
          name: body.name === undefined ? before.name : requireName(body.name),
          backend_id: body.backend_id === undefined ? before.backend_id : body.backend_id,
          tool: body.tool ?? before.tool,
          definition: body.definition ?? before.definition,
          enabled: body.enabled ?? before.enabled,
        };
        await validateGuardrail(tx, tenantId, next);
        const after = await updateRule(tx, tenantId, before, next);
        if (after === null) throw new HubError('precondition_failed');
        return after;
      });
      reply.header('etag', etagOf(stored.version));
      return { rule: wire(stored), request_id: request.id };
    },
  );
}

function registerDeletion(app: App, deps: RuleRouteDeps): void {
  app.delete(
    '/mcp/call-rules/:call_rule_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: 'Delete a guardrail',
        params: RuleParams,
        headers: IfMatch,
        response: { 200: RuleAnswer },
      },
    },
    async (request) => {
      const deleted = await writeGuardrail(deps, request, 'delete', async (tx, tenantId) => {
        const before = await loadForWrite(tx, request, request.params.call_rule_id);
        const row = await deleteRule(tx, tenantId, before);
        if (row === null) throw new HubError('precondition_failed');
        return row;
      });
      return { rule: wire(deleted), request_id: request.id };
    },
  );
}

/** Writes a guardrail with its audit event in a transaction, and invalidates the compiled guardrails of all processes. */
async function writeGuardrail(
  { db, rules }: RuleRouteDeps,
  request: FastifyRequest,
  verb: 'create' | 'update' | 'delete',
  write: (tx: Tx, tenantId: string) => Promise<RuleRow>,
): Promise<RuleRow> {
  const { tenantId } = personOf(request);
  const stored = await transact(db, async (tx) => {
    const row = await write(tx, tenantId);
    await recordByPerson(tx, request, {
      operation: `mcp_call_rule.${verb}`,
      resource: { kind: 'mcp_call_rule', id: row.rule_id },
      detail: { name: row.name, kind: row.definition.kind, enabled: row.enabled },
    });
    await invalidateGuardrails(tx, tenantId);
    await notify(tx, { kind: 'page', tenant: tenantId, topic: 'mcp' });
    return row;
  });
  rules.invalidate(tenantId);
  return stored;
}

/** Returns the stored guardrail. Throws `not_found`, or `precondition_failed` if the caller read another version. */
async function loadForWrite(tx: Tx, request: FastifyRequest, ruleId: string): Promise<RuleRow> {
  const found = await selectRule(tx, personOf(request).tenantId, ruleId);
  if (found === null) throw new HubError('not_found');
  requireMatch(request.headers['if-match'], found.version);
  return found;
}

function requireName(text: string): string {
  const name = text.trim();
  if (name === '') throw new HubError('invalid_request', '/name must not be blank');
  return name;
}

/** Throws `invalid_request` for a server of another tenant or an invalid definition. */
async function validateGuardrail(tx: Tx, tenantId: string, rule: RuleContent): Promise<void> {
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
