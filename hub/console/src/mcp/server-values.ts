// The form of a server as values of its fields, and what of them goes to the hub. Pure.
import {
  AUTH_KINDS,
  type AuthKind,
  type Backend,
  type BackendInput,
  IDLE_TIMEOUT_SECONDS,
  TOTAL_TIMEOUT_SECONDS,
} from '@gatewarden/shared/wire/console/mcp-backends.ts';
import { mcpTexts } from './texts.ts';

export interface ServerValues {
  name: string;
  slug: string;
  url: string;
  kind: AuthKind;
  secret: string;
  header: string;
  prefix: string;
  clientId: string;
  clientSecret: string;
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  revocationEndpoint: string;
  scopes: string;
  sendResource: boolean;
  allow: string;
  deny: string;
  drift: 'flag' | 'hide';
  sameAs: string;
  idleTimeout: string;
  totalTimeout: string;
  /** Each line is a header: `Name: value`, or `Name` alone to keep the stored value. */
  headers: string;
}

export const EMPTY_SERVER: ServerValues = {
  name: '',
  slug: '',
  url: '',
  kind: 'none',
  secret: '',
  header: '',
  prefix: '',
  clientId: '',
  clientSecret: '',
  issuer: '',
  authorizationEndpoint: '',
  tokenEndpoint: '',
  revocationEndpoint: '',
  scopes: '',
  sendResource: true,
  allow: '',
  deny: '',
  drift: 'flag',
  sameAs: '',
  idleTimeout: String(IDLE_TIMEOUT_SECONDS),
  totalTimeout: String(TOTAL_TIMEOUT_SECONDS),
  headers: '',
};

export const KINDS = AUTH_KINDS;

export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

export function valuesOf({ auth, ...one }: Backend): ServerValues {
  const isUsual = auth.header === 'Authorization' && auth.prefix === 'Bearer ';
  return {
    ...EMPTY_SERVER,
    name: one.name,
    slug: one.slug,
    url: one.url,
    kind: auth.kind,
    header: isUsual ? '' : (auth.header ?? ''),
    prefix: isUsual ? '' : (auth.prefix ?? ''),
    clientId: auth.client_id ?? '',
    issuer: auth.issuer ?? '',
    authorizationEndpoint: auth.authorization_endpoint ?? '',
    tokenEndpoint: auth.token_endpoint ?? '',
    revocationEndpoint: auth.revocation_endpoint ?? '',
    scopes: (auth.scopes ?? []).join(' '),
    sendResource: auth.send_resource !== false,
    allow: (one.tools?.allow ?? []).join('\n'),
    deny: (one.tools?.deny ?? []).join('\n'),
    drift: one.drift,
    sameAs: one.same_as.join('\n'),
    idleTimeout: String(one.idle_timeout_seconds),
    totalTimeout: String(one.total_timeout_seconds),
    headers: one.headers.map(({ name }) => name).join('\n'),
  };
}

/** What is wrong, by field; the hub looks at the rest. */
export function serverErrors(
  values: ServerValues,
  original: Backend | null,
): Partial<Record<keyof ServerValues, string>> {
  const words = mcpTexts.server;
  const needsSecret = values.kind === 'shared' && authOf(values, original) === undefined;
  return {
    ...(values.name.trim() === '' ? { name: words.nameNeeded } : {}),
    ...(/^[a-z0-9][a-z0-9-]{0,63}$/.test(values.slug) ? {} : { slug: words.slugNeeded }),
    ...(values.url.trim() === '' ? { url: words.urlNeeded } : {}),
    ...(isTimeout(values.idleTimeout) ? {} : { idleTimeout: words.timeoutNeeded }),
    ...(isTimeout(values.totalTimeout) ? {} : { totalTimeout: words.timeoutNeeded }),
    ...(areHeaders(values, original) ? {} : { headers: words.headersNeeded }),
    ...(needsSecret && !isKept(values, original) ? { secret: words.secretNeeded } : {}),
  };
}

const isTimeout = (text: string) =>
  /^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 86_400;

const headersOf = (text: string) =>
  linesOf(text).map((line) => {
    const at = line.indexOf(':');
    if (at === -1) return { name: line };
    const value = line.slice(at + 1).trim();
    return { name: line.slice(0, at).trim(), ...(value === '' ? {} : { value }) };
  });

/** A header without a value is one whose value is stored. */
function areHeaders({ headers }: ServerValues, original: Backend | null): boolean {
  const stored = new Set((original?.headers ?? []).map(({ name }) => name.toLowerCase()));
  return headersOf(headers).every(
    ({ name, value }) =>
      /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/.test(name) &&
      (value !== undefined || stored.has(name.toLowerCase())),
  );
}

type Auth = BackendInput['auth'];
const filled = (text: string) => (text.trim() === '' ? undefined : text.trim());

/** A stored credential that nobody touched stays as it is, and with it header and prefix. */
function isKept(values: ServerValues, original: Backend | null): boolean {
  if (original?.auth.kind !== 'shared' || values.kind !== 'shared') return false;
  const before = valuesOf(original);
  return values.secret === '' && values.header === before.header && values.prefix === before.prefix;
}

/** Undefined where it stays as it is, or where what it needs is missing. */
function authOf(values: ServerValues, original: Backend | null): Auth | undefined {
  const { kind } = values;
  const header = filled(values.header);
  const place = {
    ...(header === undefined ? {} : { header, prefix: values.prefix }),
  };
  switch (kind) {
    case 'none':
    case 'passthrough':
      return { kind };
    case 'personal_key':
      return { kind, ...place };
    case 'shared':
      return values.secret === '' || isKept(values, original)
        ? undefined
        : { kind, ...place, secret: values.secret };
    case 'oauth':
      return {
        kind,
        ...optional({
          client_id: filled(values.clientId),
          issuer: filled(values.issuer),
          authorization_endpoint: filled(values.authorizationEndpoint),
          token_endpoint: filled(values.tokenEndpoint),
          revocation_endpoint: filled(values.revocationEndpoint),
          client_secret: filled(values.clientSecret),
        }),
        ...(values.scopes.trim() === '' ? {} : { scopes: values.scopes.trim().split(/\s+/) }),
        ...(values.sendResource ? {} : { send_resource: false }),
      };
  }
}

function optional<T extends Record<string, string | undefined>>(fields: T) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string;
  };
}

function toolsOf({ allow, deny }: ServerValues): Backend['tools'] {
  const rules = {
    ...(allow.trim() === '' ? {} : { allow: linesOf(allow) }),
    ...(deny.trim() === '' ? {} : { deny: linesOf(deny) }),
  };
  return Object.keys(rules).length === 0 ? null : rules;
}

export function inputOf(values: ServerValues): object {
  return {
    slug: values.slug,
    name: values.name.trim(),
    url: values.url.trim(),
    auth: authOf(values, null),
    tools: toolsOf(values),
    drift: values.drift,
    same_as: linesOf(values.sameAs),
    idle_timeout_seconds: Number(values.idleTimeout),
    total_timeout_seconds: Number(values.totalTimeout),
    headers: headersOf(values.headers),
  };
}

/** Everything that the form shows; a credential only where somebody typed one. */
export function patchOf(values: ServerValues, original: Backend): object {
  const auth = authOf(values, original);
  return { ...inputOf(values), auth, ...(auth === undefined ? { auth: undefined } : {}) };
}

const ADDRESSES = [
  'url',
  'issuer',
  'authorizationEndpoint',
  'tokenEndpoint',
  'revocationEndpoint',
] as const satisfies readonly (keyof ServerValues)[];

/** A secret that was typed for another address does not go to this one unseen: the form without it; null: there is none. */
export function withoutSecret(
  mine: ServerValues,
  next: ServerValues,
): { values: ServerValues; address: string } | null {
  const moved = ADDRESSES.find((name) => next[name] !== mine[name]);
  const headers = headersOf(mine.headers);
  const isTyped =
    mine.secret !== '' ||
    mine.clientSecret !== '' ||
    headers.some(({ value }) => value !== undefined);
  if (moved === undefined || !isTyped) return null;
  const names = headersOf(next.headers).map(({ name }) => name);
  return {
    values: { ...next, secret: '', clientSecret: '', headers: names.join('\n') },
    address: next[moved],
  };
}
