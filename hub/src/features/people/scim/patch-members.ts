// Members of a group after a PATCH. They are applied without scimmy, which goes through all members for each operation:
// directories add members singly to groups of thousands. Pure.
import type { ScimPatch } from '@gatewarden/shared/wire/scim.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { ScimError } from './errors.ts';
import { normalizeValue } from './normalization.ts';

type Operation = ScimPatch['Operations'][number];

const SINGLE_MEMBER = /^members\[\s*value\s+eq\s+"([^"]*)"\s*\]$/i;

const VERBS = ['add', 'replace', 'remove'] as const;
type Verb = (typeof VERBS)[number];

/** A change of members, or an operation on another attribute. */
type Step = MemberStep | { kind: 'other'; operation: Operation };
type MemberStep = { kind: Verb; ids: string[] } | { kind: 'clear' };

/** Returns the ids after all operations on members, and the remaining operations. Throws ScimError. */
export function applyMemberOperations(
  before: readonly string[],
  operations: readonly Operation[],
): { members: string[]; remaining: Operation[] } {
  const members = new Set(before);
  const remaining: Operation[] = [];
  for (const step of operations.flatMap(toSteps)) {
    if (step.kind === 'other') remaining.push(step.operation);
    else applyStep(members, step);
  }
  return { members: [...members], remaining };
}

function applyStep(members: Set<string>, step: MemberStep): void {
  if (step.kind === 'clear' || step.kind === 'replace') members.clear();
  if (step.kind === 'clear') return;
  for (const id of step.ids) {
    if (step.kind === 'remove') members.delete(id);
    else members.add(id);
  }
}

function toSteps(operation: Operation): Step[] {
  const { path, value } = operation;
  const verb = VERBS.find((candidate) => candidate === operation.op.toLowerCase());
  if (verb === undefined) return [{ kind: 'other', operation }];
  // An empty path counts as no path.
  const at = path?.trim().replace(/^urn:.*:(?=members)/i, '') || undefined;
  if (at === undefined) return toStepsWithoutPath(operation, verb);
  if (at.toLowerCase() === 'members') {
    const isClear = verb === 'remove' && (value === undefined || value === null);
    return [isClear ? { kind: 'clear' } : toMemberStep(verb, value)];
  }
  const single = SINGLE_MEMBER.exec(at)?.[1];
  if (single !== undefined && verb === 'remove') {
    return [{ kind: 'remove', ids: [single.toLowerCase()] }];
  }
  if (/^members\b/i.test(at)) {
    throw new ScimError('invalidPath', `members are not changed by the path ${at}.`);
  }
  return [{ kind: 'other', operation }];
}

/** RFC 7644, 3.5.2.1: without a path, the value contains the attributes to change. */
function toStepsWithoutPath(operation: Operation, verb: Verb): Step[] {
  const { value } = operation;
  if (!isObject(value)) return [{ kind: 'other', operation }];
  const { inside, rest } = splitMembers(value);
  if (inside === undefined) return [{ kind: 'other', operation: { ...operation, value: rest } }];
  const step = toMemberStep(verb, inside);
  if (Object.keys(rest).length === 0) return [step];
  return [step, { kind: 'other', operation: { ...operation, value: rest } }];
}

const toMemberStep = (kind: Verb, value: unknown): Step => ({
  kind,
  ids: parseMemberIds(normalizeValue('Group', 'members', value)),
});

function splitMembers(value: Record<string, unknown>): { inside: unknown; rest: object } {
  const entries = Object.entries(value);
  const isMembers = ([name]: [string, unknown]) => name.toLowerCase() === 'members';
  return {
    inside: entries.find(isMembers)?.[1],
    rest: Object.fromEntries(entries.filter((entry) => !isMembers(entry))),
  };
}

function parseMemberIds(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.map((item) => {
    const id = isObject(item) ? item.value : item;
    if (typeof id !== 'string') {
      throw new ScimError('invalidValue', 'members must name users by their id.');
    }
    return id.toLowerCase();
  });
}
