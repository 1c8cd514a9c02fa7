// What of a body or a PATCH the hub keeps: directories send all that they know, and nothing of it may be refused because
// some of it has no place here. Pure.
import { SCIM, type ScimPatch } from '@gatewarden/shared/wire/scim.ts';
import { isObject } from '../../../platform/http/json.ts';
import { tamed } from './expressions.ts';

export type Kind = 'User' | 'Group';
type Operation = ScimPatch['Operations'][number];

const KEPT: Record<Kind, readonly string[]> = {
  User: ['username', 'externalid', 'active', 'displayname', 'name', 'emails', 'roles'],
  Group: ['displayname', 'externalid', 'members'],
};
/** What the standard knows besides. */
const LEFT: readonly string[] = [
  ...['schemas', 'id', 'meta', 'groups', 'nickname', 'profileurl', 'title', 'usertype', 'password'],
  ...['preferredlanguage', 'locale', 'timezone', 'phonenumbers', 'ims', 'photos', 'addresses'],
  ...['entitlements', 'x509certificates'],
];
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

/** A body of POST or PUT: what is kept of it, in one schema. */
export function keptOf(kind: Kind, body: object): object {
  const kept = Object.entries(body)
    .filter(([name]) => !isLeft(kind, name))
    .map(([name, value]) => [name.replace(CORE, ''), mended(name, value)]);
  return { schemas: [kind === 'User' ? SCIM.user : SCIM.group], ...Object.fromEntries(kept) };
}

/** Those that change what is kept; unknown attributes stay, to be refused. Throws ScimFault. */
export function operationsKept(kind: Kind, operations: readonly Operation[]): object[] {
  return operations.flatMap<object>(({ op, path, value }) => {
    const word = op.toLowerCase();
    if (path !== undefined) {
      if (isLeft(kind, path)) return [];
      // A person has one role: another one takes its place.
      const isRole = attributeOf(path) === 'roles' && word === 'add';
      return [
        {
          op: isRole ? 'replace' : word,
          path: tamed(path.replace(CORE, ''), 'invalidPath'),
          ...(value === undefined || value === null ? {} : { value: mended(path, value) }),
        },
      ];
    }
    if (!isObject(value)) return [{ op: word, ...(value === undefined ? {} : { value }) }];
    const kept = Object.entries(value).filter(([name]) => !isLeft(kind, name));
    // Each by itself, for of a role alone adding is replacing.
    return kept.map(([name, one]) =>
      attributeOf(name) === 'roles' && word === 'add'
        ? { op: 'replace', path: 'roles', value: one }
        : {
            op: word,
            value: { [tamed(name.replace(CORE, ''), 'invalidPath')]: mended(name, one) },
          },
    );
  });
}

const attributeOf = (path: string) =>
  /^[$\w-]*/.exec(path.trim().replace(CORE, ''))?.[0].toLowerCase() ?? '';

/** What is another schema's, or the standard's and has no place here; an address that is not that of the work. */
function isLeft(kind: Kind, path: string): boolean {
  const own = path.trim().replace(CORE, '');
  if (/^urn:/i.test(own)) return true;
  const attribute = attributeOf(own);
  if (KEPT[kind].includes(attribute)) return /^emails\[type eq "(?!work")/i.test(own);
  return LEFT.includes(attribute);
}

/** Some directories send truth as a word. */
function mended(path: string, value: unknown): unknown {
  const isWord = typeof value === 'string' && /^(true|false)$/i.test(value);
  return isWord && attributeOf(path) === 'active' ? /^t/i.test(value) : value;
}
