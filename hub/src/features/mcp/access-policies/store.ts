// All SQL of the rules of who may use which tools.
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import type { Rule } from './evaluate.ts';

export interface RuleRow extends Rule {
  created_by: string;
  created_at: Date;
}

const COLUMNS = sql`rule_id, effect, backend_id, tool, subject, group_id, email, reason, created_by,
  created_at`;

export async function insertRule(
  tx: Tx,
  tenantId: string,
  rule: Omit<RuleRow, 'created_at'>,
): Promise<RuleRow> {
  const made = await row(
    tx,
    sql<RuleRow>`
      INSERT INTO mcp_rules (tenant_id, rule_id, effect, backend_id, tool, subject, group_id, email,
        reason, created_by)
      VALUES (${tenantId}, ${rule.rule_id}, ${rule.effect}, ${rule.backend_id}, ${rule.tool},
        ${rule.subject}, ${rule.group_id}, ${rule.email}, ${rule.reason}, ${rule.created_by})
      RETURNING ${COLUMNS}`,
  );
  if (made === null) throw new Error('an insert gave no row');
  return made;
}

/** All of the tenant: they are looked at together. */
export function selectRules(db: Db, tenantId: string): Promise<RuleRow[]> {
  return rows(
    db,
    sql<RuleRow>`SELECT ${COLUMNS} FROM mcp_rules WHERE tenant_id = ${tenantId} ORDER BY rule_id`,
  );
}

export function selectRule(db: Db, tenantId: string, ruleId: string): Promise<RuleRow | null> {
  return row(
    db,
    sql<RuleRow>`
      SELECT ${COLUMNS} FROM mcp_rules WHERE tenant_id = ${tenantId} AND rule_id = ${ruleId}`,
  );
}

export async function countRules(tx: Tx, tenantId: string): Promise<number> {
  const counted = await row(
    tx,
    sql<{ n: number }>`
      SELECT count(*)::integer AS n FROM mcp_rules WHERE tenant_id = ${tenantId}`,
  );
  return counted?.n ?? 0;
}

/** Returns policies; `backendId`: those of the backend and those of all backends. */
export function selectRulePage(
  db: Db,
  tenantId: string,
  backendId: string | undefined,
  after: readonly string[] | undefined,
  limit: number,
): Promise<RuleRow[]> {
  const at =
    backendId === undefined ? sql`true` : sql`(backend_id IS NULL OR backend_id = ${backendId})`;
  const beyond = after === undefined ? sql`true` : sql`rule_id > ${after[0]}::uuid`;
  return rows(
    db,
    sql<RuleRow>`
      SELECT ${COLUMNS} FROM mcp_rules WHERE tenant_id = ${tenantId} AND ${at} AND ${beyond}
      ORDER BY rule_id LIMIT ${limit}`,
  );
}

export function deleteRule(tx: Tx, tenantId: string, ruleId: string): Promise<RuleRow | null> {
  return row(
    tx,
    sql<RuleRow>`
      DELETE FROM mcp_rules WHERE tenant_id = ${tenantId} AND rule_id = ${ruleId}
      RETURNING ${COLUMNS}`,
  );
}

export async function deleteRulesOf(tx: Tx, tenantId: string, backendId: string): Promise<void> {
  await sql`
    DELETE FROM mcp_rules WHERE tenant_id = ${tenantId} AND backend_id = ${backendId}`.execute(tx);
}

export async function isGroupNamed(tx: Tx, tenantId: string, groupId: string): Promise<boolean> {
  const found = await row(
    tx,
    sql`SELECT 1 FROM mcp_rules WHERE tenant_id = ${tenantId} AND group_id = ${groupId} LIMIT 1`,
  );
  return found !== null;
}

/** A person is forgotten: rules for them alone. Gives how many. */
export async function eraseRulesFor(
  tx: Tx,
  tenantId: string,
  emailFolded: string,
): Promise<number> {
  const gone = await rows(
    tx,
    sql`
      DELETE FROM mcp_rules
      WHERE tenant_id = ${tenantId} AND subject = 'person' AND email = ${emailFolded}
      RETURNING rule_id`,
  );
  return gone.length;
}
