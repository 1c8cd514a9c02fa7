// Rules as they are asked: compiled, and remembered until a notice names their tenant.
import type { Db, Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { createNotifiedCache } from '../../../platform/feed/notified-cache.ts';
import { detectorNamed, patternFinder, wordsFinder } from './detectors.ts';
import type { Guardrail } from './scan.ts';
import { type CompiledSchema, compiledSchema } from './schemas.ts';
import { type RuleRow, selectEnabledRules } from './store.ts';

const CACHE = 'mcp-call-rules';

interface Scope {
  ruleId: string;
  name: string;
  backendId: string | null;
  tool: string;
}
export interface ArgumentsCheck extends Scope {
  schema: CompiledSchema;
}
export interface ApprovalNeed extends Scope {
  by: 'caller' | 'reviewer';
  validMinutes: number;
}

/** Those of one tenant; `tool` of each is a name with `*`. */
export interface RuleSet {
  arguments: readonly ArgumentsCheck[];
  approvals: readonly ApprovalNeed[];
  input: readonly (Scope & Guardrail)[];
  output: readonly (Scope & Guardrail)[];
}

export interface Rules {
  /** Null: there are none. */
  of(tenantId: string): Promise<RuleSet | null>;
  /** In this process at once. */
  forget(tenantId: string): void;
}

export function createCallRules(db: Db, notifications: Notifications): Rules {
  const cache = createNotifiedCache<{ set: RuleSet | null }>({
    name: CACHE,
    max: 10_000,
    notifications,
  });
  const load = async (tenantId: string) => ({
    set: setOf(await selectEnabledRules(db, tenantId)),
  });
  return {
    async of(tenantId) {
      return (cache.getIfCached(tenantId) ?? (await cache.get(tenantId, () => load(tenantId)))).set;
    },
    forget: cache.invalidate,
  };
}

/** Every hub process reads the tenant's anew. */
export function forgetRules(tx: Tx, tenantId: string): Promise<void> {
  return notify(tx, { kind: 'forget', cache: CACHE, keys: [tenantId] });
}

const VALID_MINUTES = 10;
/** What one rule replaces the next does not see: whatever blocks has to look first. */
const STRICTEST_FIRST: readonly Guardrail['action'][] = ['block', 'redact', 'monitor'];
const strictness = ({ action }: Guardrail) => STRICTEST_FIRST.indexOf(action);

function setOf(all: readonly RuleRow[]): RuleSet | null {
  if (all.length === 0) return null;
  const set = {
    arguments: [] as ArgumentsCheck[],
    approvals: [] as ApprovalNeed[],
    input: [] as (Scope & Guardrail)[],
    output: [] as (Scope & Guardrail)[],
  };
  for (const { rule_id: ruleId, name, backend_id: backendId, tool, definition } of all) {
    const scope = { ruleId, name, backendId, tool };
    if (definition.kind === 'arguments') {
      set.arguments.push({ ...scope, schema: compiledSchema(definition.schema) });
    } else if (definition.kind === 'approval') {
      const { by, valid_minutes: validMinutes = VALID_MINUTES } = definition;
      set.approvals.push({ ...scope, by, validMinutes });
    } else {
      const { detectors = [], patterns = [], words = [], action, direction } = definition;
      const finders = [
        ...detectors.map((one) => ({ category: one, find: detectorNamed(one) })),
        ...patterns.map((one) => ({
          category: one.name,
          find: patternFinder(one.name, one.pattern),
        })),
        ...(words.length === 0 ? [] : [{ category: 'denied_word', find: wordsFinder(words) }]),
      ];
      const ofTheirOwn = finders.length - detectors.length;
      const guardrail = { ...scope, action, finders, ofTheirOwn };
      if (direction !== 'output') set.input.push(guardrail);
      if (direction !== 'input') set.output.push(guardrail);
    }
  }
  for (const side of [set.input, set.output]) side.sort((a, b) => strictness(a) - strictness(b));
  return set;
}
