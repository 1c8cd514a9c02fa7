// Users and groups as SCIM has them, and what a directory wants of them. Pure.
import { foldName } from '@gatewarden/shared/names.ts';
import { isUuid } from '@gatewarden/shared/wire/common.ts';
import { SCIM, type ScimResource } from '@gatewarden/shared/wire/scim.ts';
import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { isEmail } from '../identity/index.ts';
import { ScimFault } from './faults.ts';
import type { Profile, ScimUserRow } from './store.ts';

export const SCIM_PREFIX = '/scim/v2';
const TEXT_MAX = 400;

export interface WantedUser {
  userName: string;
  email: string;
  active: boolean;
  role: Role;
  externalId: string | null;
  profile: Profile;
}

/** `origin` is the hub's; `groups` are those that the person is in. */
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
          groups: groups.map((one) => ({
            value: one.group_id,
            display: one.name,
            $ref: location('Groups', one.group_id),
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

/** Who was added by hand is called by their address. */
export const nameOf = (row: Pick<ScimUserRow, 'user_name' | 'email'>): string =>
  row.user_name ?? row.email;

export const weakTag = (version: number): string => `W/"${version}"`;

/**
 * What a directory's user says, as the schema of the standard has checked it. Of `before`, the person as they are, the
 * address, the role and whether they are active stay where it says nothing of them. Throws `invalidValue`.
 */
export function wantedUser(
  given: Readonly<Record<string, unknown>>,
  before: ScimUserRow | null,
): WantedUser {
  const userName = shortText(given.userName, 'userName');
  if (userName === '') throw new ScimFault('invalidValue', 'userName is required.');
  const named = mailIn(given.emails);
  // An address that nobody changed follows a user name that it was.
  const stands =
    before !== null && (named === null || named === before.email) ? before.email : null;
  const isFollower = stands !== null && before !== null && nameOf(before) === stands;
  const email = isFollower && isEmail(userName) ? userName : (stands ?? named ?? userName);
  if (!isEmail(email)) {
    const from = named === null ? 'userName, where no emails are given,' : 'The primary of emails';
    throw new ScimFault('invalidValue', `${from} must be an e-mail address.`);
  }
  return {
    userName,
    email,
    active: typeof given.active === 'boolean' ? given.active : before === null || isActive(before),
    role: roleIn(given.roles) ?? before?.role ?? 'Member',
    externalId: optionalText(given.externalId, 'externalId'),
    profile: profileIn(given),
  };
}

const isActive = (row: ScimUserRow) => row.disabled_at === null;

function mailIn(emails: unknown): string | null {
  const all = listOf(emails).filter((one) => typeof one.value === 'string' && one.value !== '');
  const chosen =
    all.find((one) => one.primary === true) ?? all.find((one) => one.type === 'work') ?? all[0];
  return chosen === undefined ? null : shortText(chosen.value, 'emails');
}

/** The highest of those named; null where none is. */
function roleIn(roles: unknown): Role | null {
  const named = listOf(roles).map((one) => {
    const text = String(one.value ?? one.display ?? '').trim();
    const role = ROLES.find((known) => foldName(known) === foldName(text));
    if (role === undefined) {
      throw new ScimFault('invalidValue', `roles holds none of ${ROLES.join(', ')}.`);
    }
    return role;
  });
  return named.sort((a, b) => ROLES.indexOf(b) - ROLES.indexOf(a))[0] ?? null;
}

function profileIn(given: Readonly<Record<string, unknown>>): Profile {
  const displayName = optionalText(given.displayName, 'displayName');
  const name = isObject(given.name)
    ? Object.entries(given.name).flatMap(([part, text]) =>
        typeof text === 'string' && text !== '' ? [[part, shortText(text, 'name')]] : [],
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

function optionalText(value: unknown, what: string): string | null {
  const text = shortText(value, what);
  return text === '' ? null : text;
}

/** Without the blanks around it; empty where it is none. */
function shortText(value: unknown, what: string): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text.length <= TEXT_MAX) return text;
  throw new ScimFault('invalidValue', `${what} holds more than ${TEXT_MAX} characters.`);
}

export interface WantedGroup {
  displayName: string;
  externalId: string | null;
  /** Ids of users. */
  members: string[];
}

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
          members: members.map((one) => ({
            value: one.user_id,
            display: one.email,
            type: 'User',
            $ref: `${at}/Users/${one.user_id}`,
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

/** Throws `invalidValue`. */
export function wantedGroup(given: Readonly<Record<string, unknown>>): WantedGroup {
  const displayName = shortText(given.displayName, 'displayName');
  if (displayName === '') throw new ScimFault('invalidValue', 'displayName is required.');
  if (displayName.length > GROUP_NAME_MAX) {
    throw new ScimFault(
      'invalidValue',
      `displayName holds more than ${GROUP_NAME_MAX} characters.`,
    );
  }
  const members = listOf(given.members).map((one) => {
    const id = String(one.value ?? '');
    if (!isUuid(id)) throw new ScimFault('invalidValue', 'members must name users by their id.');
    return id.toLowerCase();
  });
  return {
    displayName,
    externalId: optionalText(given.externalId, 'externalId'),
    members: [...new Set(members)],
  };
}

/** Whether an answer shows who is in a group: there may be thousands, and many directories ask for none. */
export function showsMembers(query: { attributes?: string; excludedAttributes?: string }): boolean {
  return 'members' in projected({ schemas: [], members: [] }, query);
}

/** With what the client asked for, or without what it did not: by the names of attributes, at the top alone. */
export function projected(
  resource: ScimResource,
  query: { attributes?: string; excludedAttributes?: string },
): ScimResource {
  const named = (text: string | undefined) =>
    new Set(
      (text ?? '')
        .split(',')
        .map(
          (one) =>
            one
              .trim()
              .toLowerCase()
              .replace(/^urn:.*:/, '')
              .split('.')[0] ?? '',
        )
        .filter((one) => one !== ''),
    );
  const wanted = named(query.attributes);
  const left = named(query.excludedAttributes);
  const always = new Set(['schemas', 'id']);
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => {
      const key = name.toLowerCase();
      if (always.has(key)) return true;
      return wanted.size > 0 ? wanted.has(key) : !left.has(key);
    }),
  ) as ScimResource;
}
