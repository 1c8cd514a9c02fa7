// Guardrails of a logged call: those with a finding, and those that apply now.
import type { CallRuleLink } from '@gatewarden/shared/wire/console/call-why.ts';
import type { Db } from '../../../platform/db/database.ts';
import { matchesToolRules } from '../access-policies/index.ts';
import { allCallRules } from '../guardrails/index.ts';
import type { FoundBy } from './event.ts';

const RULES_MAX = 20;

interface Asked {
  row: { backend_id: string | null };
  tool: string | null;
  /** Findings by the id of the guardrail. */
  found: ReadonlyMap<string, FoundBy>;
}

/** Without what was done to them. */
export async function callRulesOf(
  db: Db,
  tenantId: string,
  { row, tool, found }: Asked,
): Promise<{ rules: Omit<CallRuleLink, 'events'>[]; more: number }> {
  const all = await allCallRules(db, tenantId);
  const known = new Map(all.map((item) => [item.rule_id, item]));
  const deciding = [...found].map(([rule_id, value]): Omit<CallRuleLink, 'events'> => {
    const now = known.get(rule_id);
    return {
      rule_id,
      name: now?.name ?? value.name,
      kind: now?.definition.kind ?? null,
      stands: now === undefined ? 'deleted' : now.enabled ? 'enabled' : 'disabled',
      found: value.found,
    };
  });
  // A call that led nowhere met none.
  const holding = all.filter(
    (item) =>
      row.backend_id !== null &&
      item.enabled &&
      !found.has(item.rule_id) &&
      (item.backend_id === null || item.backend_id === row.backend_id) &&
      tool !== null &&
      matchesToolRules(tool, { allow: [item.tool] }),
  );
  const rules = [
    ...deciding,
    ...holding.map((item) => ({
      rule_id: item.rule_id,
      name: item.name,
      kind: item.definition.kind,
      stands: 'enabled' as const,
      found: [],
    })),
  ];
  return { rules: rules.slice(0, RULES_MAX), more: Math.max(0, rules.length - RULES_MAX) };
}
