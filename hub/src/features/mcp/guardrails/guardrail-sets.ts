// Rules as they are asked: compiled, and remembered until a notice names their tenant.
import type { Db, Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { createNotifiedCache } from '../../../platform/feed/notified-cache.ts';
import { findDetector, patternFinder, wordsFinder } from './detectors.ts';
import type { Guardrail } from './scan.ts';
import { type CompiledSchema, compileValidSchema } from './schemas.ts';
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
export interface ApprovalRequirement extends Scope {
  by: 'caller' | 'reviewer';
  validMinutes: number;
}

/** Those of one tenant; `tool` of each is a name with `*`. */
export interface GuardrailSet {
  arguments: readonly ArgumentsCheck[];
  approvals: readonly ApprovalRequirement[];
  input: readonly (Scope & Guardrail)[];
  output: readonly (Scope & Guardrail)[];
}

export interface Guardrails {
  /** Null: there are none. */
  get(tenantId: string): Promise<GuardrailSet | null>;
  /** In this process at once. */
  invalidate(tenantId: string): void;
}

export function createGuardrails(db: Db, notifications: Notifications): Guardrails {
  const cache = createNotifiedCache<{ set: GuardrailSet | null }>({
    name: CACHE,
    max: 10_000,
    notifications,
  });
  const load = async (tenantId: string) => ({
    set: buildSet(await selectEnabledRules(db, tenantId)),
  });
  return {
    async get(tenantId) {
      return (cache.getIfCached(tenantId) ?? (await cache.get(tenantId, () => load(tenantId)))).set;
    },
    invalidate: cache.invalidate,
  };
}

/** Every hub process reads the tenant's anew. */
export function invalidateGuardrails(tx: Tx, tenantId: string): Promise<void> {
  return notify(tx, { kind: 'forget', cache: CACHE, keys: [tenantId] });
}

const VALID_MINUTES = 10;
/** What one rule replaces the next does not see: whatever blocks has to look first. */
const STRICTEST_FIRST: readonly Guardrail['action'][] = ['block', 'redact', 'monitor'];
const strictness = ({ action }: Guardrail) => STRICTEST_FIRST.indexOf(action);

function buildSet(all: readonly RuleRow[]): GuardrailSet | null {
  if (all.length === 0) return null;
  const set = {
    arguments: [] as ArgumentsCheck[],
    approvals: [] as ApprovalRequirement[],
    input: [] as (Scope & Guardrail)[],
    output: [] as (Scope & Guardrail)[],
  };
  for (const { rule_id: ruleId, name, backend_id: backendId, tool, definition } of all) {
    const scope = { ruleId, name, backendId, tool };
    if (definition.kind === 'arguments') {
      set.arguments.push({ ...scope, schema: compileValidSchema(definition.schema) });
    } else if (definition.kind === 'approval') {
      const { by, valid_minutes: validMinutes = VALID_MINUTES } = definition;
      set.approvals.push({ ...scope, by, validMinutes });
    } else {
      const { detectors = [], patterns = [], words = [], action, direction } = definition;
      const finders = [
        ...detectors.map((detector) => ({ category: detector, find: findDetector(detector) })),
        ...patterns.map((pattern) => ({
          category: pattern.name,
          find: patternFinder(pattern.name, pattern.pattern),
        })),
        ...(words.length === 0 ? [] : [{ category: 'denied_word', find: wordsFinder(words) }]),
      ];
      const tenantPatterns = finders.length - detectors.length;
      const guardrail = { ...scope, action, finders, tenantPatterns };
      if (direction !== 'output') set.input.push(guardrail);
      if (direction !== 'input') set.output.push(guardrail);
    }
  }
  for (const side of [set.input, set.output]) side.sort((a, b) => strictness(a) - strictness(b));
  return set;
}
