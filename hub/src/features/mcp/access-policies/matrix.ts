// The access matrix: what the access policies give the users of a group, and the plan of a change of a cell. Pure.
//
// A cell is evaluated for a user who is in that group only. A change adds or removes policies for the group and the whole
// server; of several plans that reach the goal, the plan that changes the fewest other cells of the server is taken.
import type { CellAccess, CellGoal } from '@gatewarden/shared/wire/console/mcp-access-matrix.ts';
import { decide, leaveAnything, type Question, type Rule } from './evaluate.ts';

export interface MatrixServer {
  backendId: string;
  /** Names of the tools that the server offers; empty before any review. */
  tools: readonly string[];
  /** True: callers are not identified. */
  isAnonymous: boolean;
}

export interface Cell {
  /** Null: users who are in no group. */
  groupId: string | null;
  access: CellAccess;
  allowedTools: number;
  isDefault: boolean;
}

/** A policy to create: for a group and a whole server. */
export type PolicyDraft = Pick<Rule, 'effect' | 'backend_id' | 'group_id'>;

export interface CellPlan {
  create: PolicyDraft[];
  remove: Rule[];
  changes: { groupId: string | null; from: CellAccess; to: CellAccess }[];
}

/** An address that no policy names. */
const NO_EMAIL = '';

const questionOf = (server: MatrixServer, groupId: string | null): Omit<Question, 'tool'> => ({
  backendId: server.backendId,
  email: server.isAnonymous ? null : NO_EMAIL,
  isIn: (id) => id === groupId,
});

/** Returns the effective access of the users of a group to a server. */
export function evaluateCell(
  rules: readonly Rule[],
  server: MatrixServer,
  groupId: string | null,
): Cell {
  const question = questionOf(server, groupId);
  const whole = decide(rules, { ...question, tool: null });
  const allows = (tool: string) => decide(rules, { ...question, tool }).allowed;
  const allowedTools = server.tools.filter(allows).length;
  const named = namedTools(rules, server);
  const verdicts = [whole.allowed, ...named.map(allows)];
  const isNone = !verdicts.includes(true) && !leaveAnything(rules, question);
  const access = isNone ? 'none' : verdicts.includes(false) ? 'some' : 'all';
  return { groupId, access, allowedTools, isDefault: whole.why === 'no_rule' };
}

/** Returns the tools that decide whether a cell is `all` or `some`: those of the server, or before a review those of policies. */
function namedTools(rules: readonly Rule[], { backendId, tools }: MatrixServer): string[] {
  const isAimed = (rule: Rule) => rule.backend_id === null || rule.backend_id === backendId;
  const named = rules.flatMap((rule) => (isAimed(rule) && rule.tool !== null ? [rule.tool] : []));
  return tools.length > 0 ? [...tools] : [...new Set(named)];
}

/** Returns the plan of a change, or null if policies for tools, users or all servers decide about the cell. */
export function planCell(
  rules: readonly Rule[],
  server: MatrixServer,
  change: { groupId: string; goal: CellGoal; groupIds: readonly string[] },
): CellPlan | null {
  const { groupId, goal, groupIds } = change;
  const rows = [null, ...groupIds];
  const evaluate = (from: readonly Rule[]) => rows.map((id) => evaluateCell(from, server, id));
  const before = evaluate(rules);
  const plans = candidates(rules, server.backendId, groupId, goal).map((edit) => {
    const after = evaluate(applyEdit(rules, edit));
    const changes = after.flatMap(({ groupId: id, access: to }, i) => {
      const from = before[i]?.access ?? to;
      return from === to ? [] : [{ groupId: id, from, to }];
    });
    const isReached = after.find((cell) => cell.groupId === groupId)?.access === goalAccess(goal);
    return { ...edit, changes, isReached };
  });
  const [best] = plans
    .filter((plan) => plan.isReached)
    .sort((a, b) => a.changes.length - b.changes.length);
  return best === undefined
    ? null
    : { create: best.create, remove: best.remove, changes: best.changes };
}

const goalAccess = (goal: CellGoal): CellAccess => (goal === 'none' ? 'none' : 'all');

type Edit = Pick<CellPlan, 'create' | 'remove'>;

/** Returns the edits to try, the smallest first. */
function candidates(
  rules: readonly Rule[],
  backendId: string,
  groupId: string,
  goal: CellGoal,
): Edit[] {
  const own = rules.filter(
    (rule) => rule.backend_id === backendId && rule.tool === null && rule.group_id === groupId,
  );
  const denials = own.filter((rule) => rule.effect === 'deny');
  const permissions = own.filter((rule) => rule.effect === 'allow');
  const draft = (effect: Rule['effect']): PolicyDraft => ({
    effect,
    backend_id: backendId,
    group_id: groupId,
  });
  const allow = { create: permissions.length > 0 ? [] : [draft('allow')], remove: denials };
  if (goal === 'only') return [allow];
  if (goal === 'all') return [{ create: [], remove: denials }, allow];
  const deny = denials.length > 0 ? [] : [draft('deny')];
  return [
    { create: [], remove: permissions },
    { create: deny, remove: [] },
  ];
}

function applyEdit(rules: readonly Rule[], { create, remove }: Edit): Rule[] {
  const created = create.map(
    (draft, i): Rule => ({
      ...draft,
      rule_id: `new-${i}`,
      tool: null,
      subject: 'group',
      email: null,
      reason: null,
    }),
  );
  return [...rules.filter((rule) => !remove.includes(rule)), ...created];
}
