// The rules for calls that a call had to do with: those that found something in it, and those that hold for it now.
import type { CallRuleLink } from '@gatewarden/shared/wire/console/call-why.ts';
import type { Db } from '../../../platform/db/database.ts';
import { allCallRules } from '../call-rules/index.ts';
import { mayUse } from '../rules/index.ts';
import type { FoundBy } from './event.ts';

const RULES_MAX = 20;

interface Asked {
  row: { backend_id: string | null };
  tool: string | null;
  /** By the rule's id. */
  found: ReadonlyMap<string, FoundBy>;
}

/** Without what was done to them. */
export async function callRulesOf(
  db: Db,
  tenantId: string,
  { row, tool, found }: Asked,
): Promise<{ rules: Omit<CallRuleLink, 'events'>[]; more: number }> {
  const all = await allCallRules(db, tenantId);
  const known = new Map(all.map((one) => [one.rule_id, one]));
  const deciding = [...found].map(([rule_id, one]): Omit<CallRuleLink, 'events'> => {
    const now = known.get(rule_id);
    return {
      rule_id,
      name: now?.name ?? one.name,
      kind: now?.definition.kind ?? null,
      stands: now === undefined ? 'deleted' : now.enabled ? 'enabled' : 'disabled',
      found: one.found,
    };
  });
  // A call that led nowhere met none.
  const holding = all.filter(
    (one) =>
      row.backend_id !== null &&
      one.enabled &&
      !found.has(one.rule_id) &&
      (one.backend_id === null || one.backend_id === row.backend_id) &&
      tool !== null &&
      mayUse(tool, { allow: [one.tool] }),
  );
  const rules = [
    ...deciding,
    ...holding.map((one) => ({
      rule_id: one.rule_id,
      name: one.name,
      kind: one.definition.kind,
      stands: 'enabled' as const,
      found: [],
    })),
  ];
  return { rules: rules.slice(0, RULES_MAX), more: Math.max(0, rules.length - RULES_MAX) };
}
