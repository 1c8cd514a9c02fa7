// Evaluation of access policies: which users may use a tool. Pure.
//
// 1. A rule that denies and meets the caller wins over everything that allows.
// 2. Among the rules that allow, only those for the most specific target count: the tool by its name, then by a pattern
//    (the one with more letters first), then the server, then all servers. Users that such a policy names are allowed, others are denied.
// 3. Without any, everybody may.
// At a server without identified users, a policy that denies a user denies all, and a policy that allows a user allows none.
import { isPattern, matches } from './patterns.ts';

export interface Rule {
  rule_id: string;
  effect: 'allow' | 'deny';
  backend_id: string | null;
  /** Null: the server as a whole. */
  tool: string | null;
  subject: 'everybody' | 'group' | 'person';
  group_id: string | null;
  /** Folded. */
  email: string | null;
  reason: string | null;
}

export interface Question {
  backendId: string;
  /** Null: the server as a whole, without any of its tools. */
  tool: string | null;
  /** Folded; null: nobody is known. */
  email: string | null;
  isIn(groupId: string): boolean;
}

export type Decision<R extends Rule = Rule> =
  | { allowed: true; why: 'no_rule'; rule: null }
  | { allowed: true; why: 'allowed'; rule: R }
  | { allowed: false; why: 'denied' | 'not_named'; rule: R };

/** The decision, and the policy that decides. */
export function decide<R extends Rule>(rules: readonly R[], question: Question): Decision<R> {
  const aimed = rules.filter((rule) => isAimedAt(rule, question));
  const denying = aimed.filter((item) => item.effect === 'deny' && meets(item, question, true));
  const [denied] = mostSpecific(denying);
  if (denied !== undefined) return { allowed: false, why: 'denied', rule: denied };
  const allowing = mostSpecific(aimed.filter((item) => item.effect === 'allow'));
  const [first] = allowing;
  if (first === undefined) return { allowed: true, why: 'no_rule', rule: null };
  const level = allowing.filter((item) => compareTargets(item, first) === 0);
  const [allowed] = level.filter((item) => meets(item, question, false));
  return allowed === undefined
    ? { allowed: false, why: 'not_named', rule: first }
    : { allowed: true, why: 'allowed', rule: allowed };
}

/** Returns whether the caller may use the server as a whole, or a tool that a policy names. */
export function leaveAnything(rules: readonly Rule[], question: Omit<Question, 'tool'>): boolean {
  const whole = { ...question, tool: null };
  const { allowed, why } = decide(rules, whole);
  // A policy that denies the server denies each tool.
  if (allowed || why === 'denied') return allowed;
  // The server is allowed for others only, so a policy must allow a tool to the caller.
  const opened = rules.filter(
    (rule) =>
      rule.effect === 'allow' &&
      rule.tool !== null &&
      (rule.backend_id === null || rule.backend_id === question.backendId) &&
      meets(rule, whole, false),
  );
  const tools = new Set(opened.map((item) => item.tool));
  return [...tools].some((tool) => decide(rules, { ...question, tool }).allowed);
}

function isAimedAt({ backend_id: backendId, tool }: Rule, question: Question): boolean {
  if (backendId !== null && backendId !== question.backendId) return false;
  if (tool === null) return true;
  return question.tool !== null && matches(tool, question.tool);
}

function meets(rule: Rule, { email, isIn }: Question, whenUnknown: boolean): boolean {
  if (rule.subject === 'everybody') return true;
  if (email === null) return whenUnknown;
  return rule.subject === 'person' ? rule.email === email : isIn(rule.group_id ?? '');
}

const SUBJECTS = { person: 2, group: 1, everybody: 0 };

function mostSpecific<R extends Rule>(rules: readonly R[]): R[] {
  return [...rules].sort(
    (a, b) =>
      compareTargets(a, b) ||
      SUBJECTS[b.subject] - SUBJECTS[a.subject] ||
      // The result must not depend on the order of the policies.
      (a.rule_id < b.rule_id ? -1 : 1),
  );
}

/** Below zero where `a` is aimed more narrowly. */
function compareTargets(a: Rule, b: Rule): number {
  const [left, right] = [narrowness(a), narrowness(b)];
  return left.map((item, i) => (right[i] ?? 0) - item).find((item) => item !== 0) ?? 0;
}

function narrowness({ tool, backend_id: backendId }: Rule): number[] {
  const isNamed = tool !== null && !isPattern(tool);
  const letters = tool === null ? -1 : tool.replaceAll('*', '').length;
  return [isNamed ? 1 : 0, letters, backendId === null ? 0 : 1];
}
