// What of a body or a PATCH the hub keeps: directories send all that they know, and nothing of it may be refused because
// some of it has no place here. Pure.
import { SCIM, type ScimPatch } from '@gatewarden/shared/wire/scim.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { tamed } from './expressions.ts';
import { ScimFault } from './faults.ts';
import {
  attributeOf,
  type Kind,
  normalizePath,
  normalizeValue,
  withoutUrn,
} from './normalization.ts';

export type { Kind };

type Operation = ScimPatch['Operations'][number];

/** Attributes of the standard that the hub has no place for. */
const IGNORED: readonly string[] = [
  ...['schemas', 'id', 'meta', 'groups', 'nickname', 'profileurl', 'title', 'usertype', 'password'],
  ...['preferredlanguage', 'locale', 'timezone', 'phonenumbers', 'ims', 'photos', 'addresses'],
  ...['entitlements', 'x509certificates'],
];

/** Returns what is kept of a body of POST or PUT, in one schema and in its spelling. */
export function keptOf(kind: Kind, body: object): object {
  const kept = Object.entries(body)
    .filter(([name]) => !isIgnored(kind, name))
    .flatMap(([name, value]) => {
      const normalized = normalizeValue(kind, name, value);
      return normalized === undefined ? [] : [[normalizePath(kind, name), normalized]];
    });
  return { schemas: [kind === 'User' ? SCIM.user : SCIM.group], ...Object.fromEntries(kept) };
}

/** Returns the operations that change what is kept; unknown attributes stay, to be refused. Throws ScimFault. */
export function operationsKept(kind: Kind, operations: readonly Operation[]): object[] {
  return operations.flatMap((operation, i) => {
    try {
      return keptOperations(kind, operation);
    } catch (error) {
      if (!(error instanceof ScimFault)) throw error;
      throw new ScimFault(error.scimType, `/Operations/${i}: ${error.message}`);
    }
  });
}

function keptOperations(kind: Kind, { op, path, value }: Operation): object[] {
  const word = op.toLowerCase();
  // RFC 7644, 3.5.2: without a path, and some directories with an empty one, the value holds the attributes.
  if (path !== undefined && path !== null && path.trim() !== '') {
    return isIgnored(kind, path) ? [] : [changeAt(kind, word, path, value)];
  }
  if (!isObject(value)) return [{ op: word, ...(value === undefined ? {} : { value }) }];
  return Object.entries(value)
    .filter(([name]) => !isIgnored(kind, name))
    .map(([name, inner]) => changeAt(kind, word, name, inner));
}

function changeAt(kind: Kind, word: string, path: string, value: unknown): object {
  const attribute = attributeOf(kind, path);
  const normalized = normalizeValue(kind, path, value);
  const at = tamed(normalizePath(kind, path), 'invalidPath');
  // RFC 7643, 2.5: assigning null is removing.
  if (word !== 'remove' && value === null) return { op: 'remove', path: at };
  // A person has one role: another one takes its place.
  const isRole = attribute?.name === 'roles' && word === 'add';
  return {
    op: isRole ? 'replace' : word,
    path: at,
    ...(normalized === undefined ? {} : { value: normalized }),
  };
}

/** Whether the hub has no place for it: another schema's, the standard's, or an address that is not that of the work. */
function isIgnored(kind: Kind, path: string): boolean {
  const own = withoutUrn(path);
  if (/^urn:/i.test(own)) return true;
  if (attributeOf(kind, own) !== undefined) {
    return /^emails\[type eq "(?!work")/.test(normalizePath(kind, own));
  }
  return IGNORED.includes(/^[$\w-]*/.exec(own)?.[0].toLowerCase() ?? '');
}
