// What an object holds that is a credential by what else the object says: a cluster's secret, a private key, a browser's cookie.
import { isRandom } from './entropy.ts';
import { REDACTED } from './rules.ts';
import { isLogin } from './text.ts';

const DATA = new Set(['data', 'stringData']);

/** What a cluster keeps as a secret, whatever its members are called. The same where it is none, or holds no text. */
export function ofSecret(members: Record<string, unknown>, name: string, value: unknown): unknown {
  if (members.kind === 'Secret' && DATA.has(name)) return withoutTexts(value);
  if (members.kind !== 'SecretList' || name !== 'items' || !Array.isArray(value)) return value;
  // An item of such a list does not say its kind.
  const items = value.map((item) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return withMembers(item, (key, one) => (DATA.has(key) ? withoutTexts(one) : one));
  });
  return items.every((item, i) => item === value[i]) ? value : items;
}

const withoutTexts = (value: unknown) =>
  typeof value === 'object' && value !== null
    ? withMembers(value, (_, one) => (typeof one === 'string' ? REDACTED : one))
    : value;

/** The same object where no member became another one. */
function withMembers(value: object, shown: (name: string, value: unknown) => unknown): object {
  const members = Object.entries(value);
  const after = members.map(([name, one]): [string, unknown] => [name, shown(name, one)]);
  return after.every(([, one], i) => one === members[i]?.[1]) ? value : Object.fromEntries(after);
}

/** Of a JSON Web Key, what is not public. */
const PRIVATE_MEMBERS = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']);

/** What an object says of itself makes it one: a key that is private, a login of a registry. */
export function isHeldByKind(
  members: Record<string, unknown>,
  name: string,
  value: unknown,
): boolean {
  if (typeof value !== 'string') return false;
  // A bare one is mostly a word, or counts.
  if (name === 'token') return isRandom(value);
  if (name === 'auth') return isLogin(value) || isRandom(value);
  if (name === 'value' && isOfBrowser(members)) return LONG.test(value);
  // A cloud's account has two keys, to exchange one at a time.
  if (name === 'value' && Object.hasOwn(members, 'keyName')) return KEY_VALUE.test(value);
  if ((name === 'key1' || name === 'key2') && Object.hasOwn(members, 'key1')) {
    return Object.hasOwn(members, 'key2') && KEY_VALUE.test(value);
  }
  return PRIVATE_MEMBERS.has(name) && Object.hasOwn(members, 'kty') && value.length >= 16;
}

const LONG = /^(?=\S*[0-9])\S{16,}$/;
const KEY_VALUE = /^(?=.*[0-9])(?:[A-Za-z0-9+/]{40,}={0,2}|[a-f0-9]{32})$/;

/** A cookie, as browsers and those who drive them give it. */
const isOfBrowser = (members: Record<string, unknown>) =>
  Object.hasOwn(members, 'name') &&
  (Object.hasOwn(members, 'httpOnly') ||
    (Object.hasOwn(members, 'domain') && Object.hasOwn(members, 'path')));
