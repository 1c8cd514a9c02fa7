// Filters of SCIM lists (RFC 7644, 3.4.2.2), to the extent that directories use them. Pure.
import { foldName } from '@gatewarden/shared/names.ts';
import { ScimError } from './errors.ts';
import { limitAlternatives } from './filter-limits.ts';
import { scimmy } from './scimmy.ts';

const OPERATORS = ['eq', 'ne', 'sw', 'ew', 'co'] as const;
export interface Condition<Field extends string> {
  field: Field;
  operator: (typeof OPERATORS)[number] | 'pr';
  /** Folded if the column is compared in folded form; null for `pr`. */
  value: string | boolean | null;
}

/** Attributes by their lower-case name. */
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

/**
 * Parses a filter into alternatives, each a conjunction of conditions; null matches all rows. Throws `invalidFilter`.
 */
export async function parseFilter<Field extends string>(
  filter: string | undefined,
  fields: Fields<Field>,
): Promise<Condition<Field>[][] | null> {
  if (filter === undefined || filter.trim() === '') return null;
  const alternatives = (await parseExpressions(filter)).map((expression) =>
    conjunction(expression, '', fields),
  );
  if (alternatives.flat().length > CONDITIONS_MAX)
    throw invalidFilter('it has too many conditions');
  return alternatives;
}

async function parseExpressions(filter: string): Promise<object[]> {
  const { Types } = await scimmy();
  try {
    return [
      ...(new Types.Filter(limitAlternatives(filter, 'invalidFilter')) as unknown as object[]),
    ];
  } catch (error) {
    if (error instanceof ScimError) throw error;
    throw invalidFilter('it does not conform to RFC 7644');
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
      if (typeof inner !== 'object' || inner === null)
        throw invalidFilter('it contains an unsupported expression');
      return conjunction(inner, `${at}.`, fields);
    }
    const conditions: unknown[][] = inner.every(Array.isArray) ? (inner as unknown[][]) : [inner];
    return conditions.flatMap((entry) => condition(at, entry, fields));
  });
}

function condition<Field extends string>(
  at: string,
  [operatorText, operand]: unknown[],
  fields: Fields<Field>,
): Condition<Field>[] {
  const name = at.toLowerCase().replace(/^urn:.*:(?=[a-z.]+$)/, '');
  const operator = String(operatorText).toLowerCase();
  // Every user has a single address, that of their work.
  if (name === 'emails.type' && operator === 'eq' && operand === 'work') return [];
  if (name === 'emails.primary' && operator === 'eq' && operand === true) return [];
  const field = fields[name];
  if (field === undefined) throw invalidFilter(`${at} is no attribute to filter by`);
  if (operator === 'pr') return [{ field, operator, value: null }];
  const supported = OPERATORS.find((candidate) => candidate === operator);
  if (supported === undefined) throw invalidFilter(`${String(operatorText)} is not supported`);
  if (field === 'active') {
    if (typeof operand !== 'boolean' || !['eq', 'ne'].includes(supported)) {
      throw invalidFilter('active is true or false');
    }
    return [{ field, operator: supported, value: operand }];
  }
  if (typeof operand !== 'string') throw invalidFilter(`${at} can only be compared with a string`);
  return [{ field, operator: supported, value: FOLDED.has(field) ? foldName(operand) : operand }];
}

const invalidFilter = (reason: string) =>
  new ScimError('invalidFilter', `The filter cannot be used: ${reason}.`);
