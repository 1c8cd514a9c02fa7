// Converts users and groups to SCIM resources, and directory resources to values to store. Pure.
import { foldName } from '@gatewarden/shared/names.ts';
import { isUuid } from '@gatewarden/shared/wire/common.ts';
import { SCIM, type ScimResource } from '@gatewarden/shared/wire/scim.ts';
import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { isEmail } from '../identity/index.ts';
import { ScimError } from './errors.ts';
import type { Profile, ScimUserRow } from './store.ts';

export const SCIM_PREFIX = '/scim/v2';
const TEXT_MAX = 400;

export interface UserInput {
  userName: string;
  email: string;
  active: boolean;
  role: Role;
  externalId: string | null;
  profile: Profile;
}

/** Returns the SCIM resource of a user. `origin` is the hub's; `groups` are those of the user. */
export function userResource(
  origin: string,
  row: ScimUserRow,
  groups: readonly { group_id: string; name: string }[],
): ScimResource {
  const location = (kind: string, id: string) => `${origin}${SCIM_PREFIX}/${kind}/${id}`;
  return {
    schemas: [SCIM.user],
    id: row.user_id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    userName: nameOf(row),
    ...(row.profile ?? {}),
    active: row.disabled_at === null,
    emails: [{ value: row.email, type: 'work', primary: true }],
    roles: [{ value: row.role, primary: true }],
    ...(groups.length === 0
      ? {}
      : {
          groups: groups.map((group) => ({
            value: group.group_id,
            display: group.name,
            $ref: location('Groups', group.group_id),
          })),
        }),
    meta: {
      resourceType: 'User',
      created: row.created_at.toISOString(),
      location: location('Users', row.user_id),
      version: weakTag(row.version),
    },
  };
}

/** Returns the user name of the directory; a user who was added by hand has their address. */
export const nameOf = (row: Pick<ScimUserRow, 'user_name' | 'email'>): string =>
  row.user_name ?? row.email;

/** Returns the weak ETag of a version (RFC 7644, 3.14). */
export const weakTag = (version: number): string => `W/"${version}"`;

/**
 * Returns the values of a directory's user after scimmy validated it. Address, role and state of `before`, the current
 * user, remain if the body omits them. Throws `invalidValue`.
 */
export function parseUser(
  body: Readonly<Record<string, unknown>>,
  before: ScimUserRow | null,
): UserInput {
  const userName = shortText(body.userName, 'userName');
  if (userName === '') throw new ScimError('invalidValue', 'userName is required.');
  const mail = primaryMail(body.emails);
  // An unchanged address follows the user name if both were equal.
  const unchanged =
    before !== null && (mail === null || mail === before.email) ? before.email : null;
  const isFollower = unchanged !== null && before !== null && nameOf(before) === unchanged;
  const email = isFollower && isEmail(userName) ? userName : (unchanged ?? mail ?? userName);
  if (!isEmail(email)) {
    const from = mail === null ? 'userName, where no emails are given,' : 'The primary of emails';
    throw new ScimError('invalidValue', `${from} must be an e-mail address.`);
  }
  return {
    userName,
    email,
    active: typeof body.active === 'boolean' ? body.active : before === null || isActive(before),
    role: highestRole(body.roles) ?? before?.role ?? 'Member',
    externalId: optionalText(body.externalId, 'externalId'),
    profile: parseProfile(body),
  };
}

const isActive = (row: ScimUserRow) => row.disabled_at === null;

function primaryMail(emails: unknown): string | null {
  const all = listOf(emails).filter(
    (email) => typeof email.value === 'string' && email.value !== '',
  );
  const chosen =
    all.find((email) => email.primary === true) ??
    all.find((email) => email.type === 'work') ??
    all[0];
  return chosen === undefined ? null : shortText(chosen.value, 'emails');
}

/** Returns the highest role of the list; null if it is empty. */
function highestRole(roles: unknown): Role | null {
  const named = listOf(roles).map((entry) => {
    const text = String(entry.value ?? entry.display ?? '').trim();
    const role = ROLES.find((candidate) => foldName(candidate) === foldName(text));
    if (role === undefined) {
      throw new ScimError('invalidValue', `roles must contain only ${ROLES.join(', ')}.`);
    }
    return role;
  });
  return named.sort((a, b) => ROLES.indexOf(b) - ROLES.indexOf(a))[0] ?? null;
}

function parseProfile(body: Readonly<Record<string, unknown>>): Profile {
  const displayName = optionalText(body.displayName, 'displayName');
  const name = isObject(body.name)
    ? Object.entries(body.name).flatMap(([name, text]) =>
        typeof text === 'string' && text !== '' ? [[name, shortText(text, 'name')]] : [],
      )
    : [];
  return {
    ...(displayName === null ? {} : { displayName }),
    ...(name.length === 0 ? {} : { name: Object.fromEntries(name) }),
  };
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function optionalText(value: unknown, attribute: string): string | null {
  const text = shortText(value, attribute);
  return text === '' ? null : text;
}

/** Returns the string without surrounding blanks; empty for a value that is no string. */
function shortText(value: unknown, attribute: string): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text.length <= TEXT_MAX) return text;
  throw new ScimError('invalidValue', `${attribute} has more than ${TEXT_MAX} characters.`);
}

export interface GroupInput {
  displayName: string;
  externalId: string | null;
  /** Ids of the members, which are users. */
  members: string[];
}

/** Returns the SCIM resource of a group; `members` null omits them. */
export function groupResource(
  origin: string,
  row: {
    group_id: string;
    name: string;
    external_id: string | null;
    version: number;
    created_at: Date;
    updated_at: Date;
  },
  members: readonly { user_id: string; email: string }[] | null,
): ScimResource {
  const at = `${origin}${SCIM_PREFIX}`;
  return {
    schemas: [SCIM.group],
    id: row.group_id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    displayName: row.name,
    ...(members === null
      ? {}
      : {
          members: members.map((member) => ({
            value: member.user_id,
            display: member.email,
            type: 'User',
            $ref: `${at}/Users/${member.user_id}`,
          })),
        }),
    meta: {
      resourceType: 'Group',
      created: row.created_at.toISOString(),
      lastModified: row.updated_at.toISOString(),
      location: `${at}/Groups/${row.group_id}`,
      version: weakTag(row.version),
    },
  };
}

const GROUP_NAME_MAX = 200;

/** Returns the values of a directory's group. Throws `invalidValue`. */
export function parseGroup(body: Readonly<Record<string, unknown>>): GroupInput {
  const displayName = shortText(body.displayName, 'displayName');
  if (displayName === '') throw new ScimError('invalidValue', 'displayName is required.');
  if (displayName.length > GROUP_NAME_MAX) {
    throw new ScimError('invalidValue', `displayName has more than ${GROUP_NAME_MAX} characters.`);
  }
  const members = listOf(body.members).map((member) => {
    const id = String(member.value ?? '');
    if (!isUuid(id)) throw new ScimError('invalidValue', 'members must name users by their id.');
    return id.toLowerCase();
  });
  return {
    displayName,
    externalId: optionalText(body.externalId, 'externalId'),
    members: [...new Set(members)],
  };
}

/**
 * Returns whether the query requests the members of groups: there may be thousands, and many directories exclude them.
 */
export function includesMembers(query: {
  attributes?: string;
  excludedAttributes?: string;
}): boolean {
  return 'members' in projectAttributes({ schemas: [], members: [] }, query);
}

/**
 * Returns the resource with the requested attributes, or without the excluded ones, by top-level names (RFC 7644, 3.9).
 */
export function projectAttributes(
  resource: ScimResource,
  query: { attributes?: string; excludedAttributes?: string },
): ScimResource {
  const parseNames = (text: string | undefined) =>
    new Set(
      (text ?? '')
        .split(',')
        .map(
          (name) =>
            name
              .trim()
              .toLowerCase()
              .replace(/^urn:.*:/, '')
              .split('.')[0] ?? '',
        )
        .filter((name) => name !== ''),
    );
  const included = parseNames(query.attributes);
  const excluded = parseNames(query.excludedAttributes);
  const always = new Set(['schemas', 'id']);
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => {
      const key = name.toLowerCase();
      if (always.has(key)) return true;
      return included.size > 0 ? included.has(key) : !excluded.has(key);
    }),
  ) as ScimResource;
}
