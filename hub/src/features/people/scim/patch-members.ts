// Who is in a group after a PATCH. Apart from the library, which goes through all members for each operation: directories
// add one at a time to groups of thousands. Pure.
import type { ScimPatch } from '@gatewarden/shared/wire/scim.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { ScimFault } from './faults.ts';
import { normalizeValue } from './normalization.ts';

type Operation = ScimPatch['Operations'][number];

const ONE = /^members\[\s*value\s+eq\s+"([^"]*)"\s*\]$/i;

/** The ids after all operations on members, and the operations on anything else. Throws ScimFault. */
export function patchedMembers(
  before: readonly string[],
  operations: readonly Operation[],
): { members: string[]; others: Operation[] } {
  let members = new Set(before);
  const others: Operation[] = [];
  const apply = (word: string, value: unknown) => {
    const ids = idsIn(normalizeValue('Group', 'members', value));
    if (word === 'add') for (const id of ids) members.add(id);
    else if (word === 'replace') members = new Set(ids);
    else for (const id of ids) members.delete(id);
  };
  for (const operation of operations) {
    const { path, value } = operation;
    const word = operation.op.toLowerCase();
    // An empty path counts as none.
    const at = path?.trim().replace(/^urn:.*:(?=members)/i, '') || undefined;
    const named = ONE.exec(at ?? '')?.[1];
    if (!['add', 'replace', 'remove'].includes(word)) others.push(operation);
    else if (at?.toLowerCase() === 'members') {
      if (word === 'remove' && (value === undefined || value === null)) members.clear();
      else apply(word, value);
    } else if (named !== undefined && word === 'remove') members.delete(named.toLowerCase());
    else if (/^members\b/i.test(at ?? '')) {
      throw new ScimFault('invalidPath', `members are not changed by the path ${at}.`);
    } else if (at === undefined && isObject(value)) {
      const { inside, rest } = split(value);
      if (inside !== undefined) apply(word, inside);
      if (inside === undefined || Object.keys(rest).length > 0) {
        others.push({ ...operation, value: rest });
      }
    } else others.push(operation);
  }
  return { members: [...members], others };
}

function split(value: Record<string, unknown>): { inside: unknown; rest: object } {
  const entries = Object.entries(value);
  const isMembers = ([name]: [string, unknown]) => name.toLowerCase() === 'members';
  return {
    inside: entries.find(isMembers)?.[1],
    rest: Object.fromEntries(entries.filter((one) => !isMembers(one))),
  };
}

function idsIn(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.map((one) => {
    const id = isObject(one) ? one.value : one;
    if (typeof id !== 'string') {
      throw new ScimFault('invalidValue', 'members must name users by their id.');
    }
    return id.toLowerCase();
  });
}
