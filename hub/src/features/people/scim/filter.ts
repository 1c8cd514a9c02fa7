// Filters of SCIM lists (RFC 7644, 3.4.2.2) as far as a directory needs them. Pure.
import { foldName } from '@gatewarden/shared/names.ts';
import { tamed } from './expressions.ts';
import { ScimFault } from './faults.ts';
import { scimmy } from './library.ts';

const OPERATORS = ['eq', 'ne', 'sw', 'ew', 'co'] as const;
export interface Condition<Field extends string> {
  field: Field;
  operator: (typeof OPERATORS)[number] | 'pr';
  /** Folded for what is compared so; null for `pr`. */
  value: string | boolean | null;
}

/** Attributes by their name in lower letters. */
export type Fields<Field extends string> = Readonly<Record<string, Field>>;

export const USER_FIELDS: Fields<'id' | 'userName' | 'email' | 'externalId' | 'active'> = {
  id: 'id',
  username: 'userName',
  emails: 'email',
  'emails.value': 'email',
  externalid: 'externalId',
  active: 'active',
};
export const GROUP_FIELDS: Fields<'id' | 'displayName' | 'externalId'> = {
  id: 'id',
  displayname: 'displayName',
  externalid: 'externalId',
};
const FOLDED = new Set(['userName', 'email', 'displayName']);
const CONDITIONS_MAX = 50;

/** Any of the outer ones, each with all of its own; null for all rows. Throws `invalidFilter`. */
export async function conditionsIn<Field extends string>(
  filter: string | undefined,
  fields: Fields<Field>,
): Promise<Condition<Field>[][] | null> {
  if (filter === undefined || filter.trim() === '') return null;
  const alternatives = (await parsed(filter)).map((one) => conjunction(one, '', fields));
  if (alternatives.flat().length > CONDITIONS_MAX) throw refused('it has too many conditions');
  return alternatives;
}

async function parsed(filter: string): Promise<object[]> {
  const { Types } = await scimmy();
  try {
    return [...(new Types.Filter(tamed(filter, 'invalidFilter')) as unknown as object[])];
  } catch (error) {
    if (error instanceof ScimFault) throw error;
    throw refused('it is not of the form that RFC 7644 gives');
  }
}

function conjunction<Field extends string>(
  node: object,
  path: string,
  fields: Fields<Field>,
): Condition<Field>[] {
  return Object.entries(node).flatMap(([name, inner]) => {
    const at = `${path}${name}`;
    if (!Array.isArray(inner)) {
      if (typeof inner !== 'object' || inner === null) throw refused('it is not understood');
      return conjunction(inner, `${at}.`, fields);
    }
    const each: unknown[][] = inner.every(Array.isArray) ? (inner as unknown[][]) : [inner];
    return each.flatMap((one) => condition(at, one, fields));
  });
}

function condition<Field extends string>(
  at: string,
  [word, given]: unknown[],
  fields: Fields<Field>,
): Condition<Field>[] {
  const name = at.toLowerCase().replace(/^urn:.*:(?=[a-z.]+$)/, '');
  const operator = String(word).toLowerCase();
  // Everybody has one address, that of their work.
  if (name === 'emails.type' && operator === 'eq' && given === 'work') return [];
  if (name === 'emails.primary' && operator === 'eq' && given === true) return [];
  const field = fields[name];
  if (field === undefined) throw refused(`${at} is no attribute to filter by`);
  if (operator === 'pr') return [{ field, operator, value: null }];
  const known = OPERATORS.find((one) => one === operator);
  if (known === undefined) throw refused(`${String(word)} is not supported`);
  if (field === 'active') {
    if (typeof given !== 'boolean' || !['eq', 'ne'].includes(known)) {
      throw refused('active is true or false');
    }
    return [{ field, operator: known, value: given }];
  }
  if (typeof given !== 'string') throw refused(`${at} is compared with a text`);
  return [{ field, operator: known, value: FOLDED.has(field) ? foldName(given) : given }];
}

const refused = (why: string) =>
  new ScimFault('invalidFilter', `The filter cannot be used: ${why}.`);
