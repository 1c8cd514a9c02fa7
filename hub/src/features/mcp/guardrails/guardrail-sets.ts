// Compiled guardrails of a tenant, cached until a notice invalidates them.
import type { Db, Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { createNotifiedCache } from '../../../platform/feed/notified-cache.ts';
import { findDetector, patternFinder, wordsFinder } from './detectors.ts';
import { type CompiledSchema, compileValidSchema } from './schemas.ts';
import { type RuleRow, selectEnabledRules } from './store.ts';
import type { Guardrail } from './text-scanner.ts';

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

/** The guardrails of a tenant. `tool` is a name or a pattern with `*`. */
export interface GuardrailSet {
  arguments: readonly ArgumentsCheck[];
  approvals: readonly ApprovalRequirement[];
  input: readonly (Scope & Guardrail)[];
  output: readonly (Scope & Guardrail)[];
}

export interface Guardrails {
  /** Returns the guardrails; null: none. */
  get(tenantId: string): Promise<GuardrailSet | null>;
  /** Invalidates the cache of this process. */
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

/** Invalidates the cache of every process. */
export function invalidateGuardrails(tx: Tx, tenantId: string): Promise<void> {
  return notify(tx, { kind: 'forget', cache: CACHE, keys: [tenantId] });
}

const VALID_MINUTES = 10;
/** Blocking guardrails scan first, because later guardrails do not see redacted text. */
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
