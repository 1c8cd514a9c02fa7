// Recognizes credential containers: objects whose other members identify a member as a credential, such as a Kubernetes
// Secret, a private key or a browser cookie.
import { isRandom } from './entropy.ts';
import { isUserAndPassword } from './http-rules.ts';
import { REDACTED } from './rule.ts';

const DATA = new Set(['data', 'stringData']);

/**
 * Redacts the data of a Kubernetes `Secret` or `SecretList`, regardless of its names. Returns the same value if nothing
 * changed.
 */
export function redactKubernetesData(
  members: Record<string, unknown>,
  name: string,
  value: unknown,
): unknown {
  if (members.kind === 'Secret' && DATA.has(name)) return redactTexts(value);
  if (members.kind !== 'SecretList' || name !== 'items' || !Array.isArray(value)) return value;
  // An item of a `SecretList` has no kind of its own.
  const items = value.map((item) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return mapMembers(item, (key, member) => (DATA.has(key) ? redactTexts(member) : member));
  });
  return items.every((item, i) => item === value[i]) ? value : items;
}

const redactTexts = (value: unknown) =>
  typeof value === 'object' && value !== null
    ? mapMembers(value, (_, member) => (typeof member === 'string' ? REDACTED : member))
    : value;

/** Maps the members of an object. Returns the same object if no member changed. */
function mapMembers(value: object, map: (name: string, value: unknown) => unknown): object {
  const members = Object.entries(value);
  const after = members.map(([name, member]): [string, unknown] => [name, map(name, member)]);
  return after.every(([, member], i) => member === members[i]?.[1])
    ? value
    : Object.fromEntries(after);
}

/** The private members of a JSON Web Key (RFC 7518 §6). */
const PRIVATE_MEMBERS = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']);

/**
 * Returns whether the other members identify this member as a credential: a private key, a registry login, a browser
 * cookie.
 */
export function isCredentialMember(
  members: Record<string, unknown>,
  name: string,
  value: unknown,
): boolean {
  if (typeof value !== 'string') return false;
  // A generic token is mostly a word or a count.
  if (name === 'token') return isRandom(value);
  if (name === 'auth') return isLogin(value) || isRandom(value);
  if (name === 'value' && isOfBrowser(members)) return LONG.test(value);
  // Some cloud accounts have two keys, which are rotated alternately.
  if (name === 'value' && Object.hasOwn(members, 'keyName')) return KEY_VALUE.test(value);
  if ((name === 'key1' || name === 'key2') && Object.hasOwn(members, 'key1')) {
    return Object.hasOwn(members, 'key2') && KEY_VALUE.test(value);
  }
  return PRIVATE_MEMBERS.has(name) && Object.hasOwn(members, 'kty') && value.length >= 16;
}

const isLogin = (value: string) =>
  /^[A-Za-z0-9+/]{12,1000}={0,2}$/.test(value) && isUserAndPassword(value);

const LONG = /^(?=\S*[0-9])\S{16,}$/;
const KEY_VALUE = /^(?=.*[0-9])(?:[A-Za-z0-9+/]{40,}={0,2}|[a-f0-9]{32})$/;

/** A cookie, as browsers and browser automation export it. */
const isOfBrowser = (members: Record<string, unknown>) =>
  Object.hasOwn(members, 'name') &&
  (Object.hasOwn(members, 'httpOnly') ||
    (Object.hasOwn(members, 'domain') && Object.hasOwn(members, 'path')));
