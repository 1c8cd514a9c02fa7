// Selects what the hub stores of a body or a PATCH. Directories send all that they have; attributes without a
// counterpart in the hub are ignored, never rejected. Pure.
import { SCIM, type ScimPatch } from '@gatewarden/shared/wire/scim.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { ScimError } from './errors.ts';
import { limitAlternatives } from './filter-limits.ts';
import {
  attributeOf,
  type Kind,
  normalizePath,
  normalizeValue,
  withoutUrn,
} from './normalization.ts';

export type { Kind };

type Operation = ScimPatch['Operations'][number];

/** Attributes of the standard that the hub does not store. */
const IGNORED: readonly string[] = [
  ...['schemas', 'id', 'meta', 'groups', 'nickname', 'profileurl', 'title', 'usertype', 'password'],
  ...['preferredlanguage', 'locale', 'timezone', 'phonenumbers', 'ims', 'photos', 'addresses'],
  ...['entitlements', 'x509certificates'],
];

/** Returns the stored attributes of a body of POST or PUT, in a single schema and in its spelling. */
export function selectStoredAttributes(kind: Kind, body: object): object {
  const stored = Object.entries(body)
    .filter(([name]) => !isIgnored(kind, name))
    .flatMap(([name, value]) => {
      const normalized = normalizeValue(kind, name, value);
      return normalized === undefined ? [] : [[normalizePath(kind, name), normalized]];
    });
  return { schemas: [kind === 'User' ? SCIM.user : SCIM.group], ...Object.fromEntries(stored) };
}

/** Returns the operations on stored attributes; unknown attributes remain, to be rejected. Throws ScimError. */
export function selectStoredOperations(kind: Kind, operations: readonly Operation[]): object[] {
  return operations.flatMap((operation, i) => {
    try {
      return expandOperation(kind, operation);
    } catch (error) {
      if (!(error instanceof ScimError)) throw error;
      throw new ScimError(error.scimType, `/Operations/${i}: ${error.message}`);
    }
  });
}

function expandOperation(kind: Kind, { op, path, value }: Operation): object[] {
  const verb = op.toLowerCase();
  // RFC 7644, 3.5.2: without a path, and with the empty path of some directories, the value contains the attributes.
  if (path !== undefined && path !== null && path.trim() !== '') {
    return isIgnored(kind, path) ? [] : [toOperation(kind, verb, path, value)];
  }
  if (!isObject(value)) return [{ op: verb, ...(value === undefined ? {} : { value }) }];
  return Object.entries(value)
    .filter(([name]) => !isIgnored(kind, name))
    .map(([name, inner]) => toOperation(kind, verb, name, inner));
}

function toOperation(kind: Kind, verb: string, path: string, value: unknown): object {
  const attribute = attributeOf(kind, path);
  const normalized = normalizeValue(kind, path, value);
  const at = limitAlternatives(normalizePath(kind, path), 'invalidPath');
  // RFC 7643, 2.5: assigning null is removing.
  if (verb !== 'remove' && value === null) return { op: 'remove', path: at };
  // A user has a single role: adding replaces it.
  const isRole = attribute?.name === 'roles' && verb === 'add';
  return {
    op: isRole ? 'replace' : verb,
    path: at,
    ...(normalized === undefined ? {} : { value: normalized }),
  };
}

/**
 * Returns whether the hub ignores the path: of another schema, unsupported in the standard, or an address that is not
 * that of the work.
 */
function isIgnored(kind: Kind, path: string): boolean {
  const localPath = withoutUrn(path);
  if (/^urn:/i.test(localPath)) return true;
  if (attributeOf(kind, localPath) !== undefined) {
    return /^emails\[type eq "(?!work")/.test(normalizePath(kind, localPath));
  }
  return IGNORED.includes(/^[$\w-]*/.exec(localPath)?.[0].toLowerCase() ?? '');
}
