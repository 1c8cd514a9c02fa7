// All SQL of the rules that calls must meet.
import type { RuleDefinition } from '@gatewarden/shared/wire/console/mcp-call-rules.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';

export interface RuleRow {
  rule_id: string;
  name: string;
  backend_id: string | null;
  tool: string;
  definition: RuleDefinition;
  enabled: boolean;
  version: number;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = sql`rule_id, name, backend_id, tool, definition, enabled, version, created_at, updated_at`;

export type RuleContent = Pick<RuleRow, 'name' | 'backend_id' | 'tool' | 'definition' | 'enabled'>;

/** Null where the tenant has `max` already. */
export function insertRule(
  tx: Tx,
  tenantId: string,
  ruleId: string,
  ruleContent: RuleContent,
  max: number,
): Promise<RuleRow | null> {
  return row(
    tx,
    sql<RuleRow>`
      INSERT INTO mcp_call_rules (tenant_id, rule_id, kind, name, backend_id, tool, definition, enabled)
      SELECT ${tenantId}::uuid, ${ruleId}::uuid, ${ruleContent.definition.kind}::text, ${ruleContent.name}::text,
        ${ruleContent.backend_id}::uuid, ${ruleContent.tool}::text, ${JSON.stringify(ruleContent.definition)}::jsonb,
        ${ruleContent.enabled}::boolean
      WHERE (SELECT count(*) FROM mcp_call_rules WHERE tenant_id = ${tenantId}) < ${max}
      RETURNING ${COLUMNS}`,
  );
}

export function selectRule(db: Db, tenantId: string, ruleId: string): Promise<RuleRow | null> {
  return row(
    db,
    sql<RuleRow>`
      SELECT ${COLUMNS} FROM mcp_call_rules WHERE tenant_id = ${tenantId} AND rule_id = ${ruleId}`,
  );
}

export function selectRules(
  db: Db,
  tenantId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<RuleRow[]> {
  const beyond = after === undefined ? sql`true` : sql`rule_id > ${after[0]}::uuid`;
  return rows(
    db,
    sql<RuleRow>`
      SELECT ${COLUMNS} FROM mcp_call_rules WHERE tenant_id = ${tenantId} AND ${beyond}
      ORDER BY rule_id LIMIT ${limit}`,
  );
}

/** All of the tenant, those that do not count too, in the order in which they were made. */
export function selectAllRules(db: Db, tenantId: string): Promise<RuleRow[]> {
  return rows(
    db,
    sql<RuleRow>`
      SELECT ${COLUMNS} FROM mcp_call_rules WHERE tenant_id = ${tenantId}
      ORDER BY created_at, rule_id`,
  );
}

/** Returns the enabled guardrails in the order of their creation. */
export function selectEnabledRules(db: Db, tenantId: string): Promise<RuleRow[]> {
  return rows(
    db,
    sql<RuleRow>`
      SELECT ${COLUMNS} FROM mcp_call_rules WHERE tenant_id = ${tenantId} AND enabled
      ORDER BY created_at, rule_id`,
  );
}

/** Null where another writer was faster. */
export function updateRule(
  tx: Tx,
  tenantId: string,
  before: RuleRow,
  after: RuleContent,
): Promise<RuleRow | null> {
  return row(
    tx,
    sql<RuleRow>`
      UPDATE mcp_call_rules SET kind = ${after.definition.kind}, name = ${after.name},
        backend_id = ${after.backend_id}, tool = ${after.tool},
        definition = ${JSON.stringify(after.definition)}::jsonb, enabled = ${after.enabled},
        version = version + 1, updated_at = now()
      WHERE tenant_id = ${tenantId} AND rule_id = ${before.rule_id} AND version = ${before.version}
      RETURNING ${COLUMNS}`,
  );
}

/** Null where another writer was faster. */
export function deleteRule(tx: Tx, tenantId: string, before: RuleRow): Promise<RuleRow | null> {
  return row(
    tx,
    sql<RuleRow>`
      DELETE FROM mcp_call_rules
      WHERE tenant_id = ${tenantId} AND rule_id = ${before.rule_id} AND version = ${before.version}
      RETURNING ${COLUMNS}`,
  );
}
