// The values of a server's form, their validation, and the requests from them. Pure.
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
  /** A header per line: `Name: value`, or `Name` alone to keep the stored value. */
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

export const splitLines = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

export function toServerValues({ auth, ...server }: Backend): ServerValues {
  const isUsual = auth.header === 'Authorization' && auth.prefix === 'Bearer ';
  return {
    ...EMPTY_SERVER,
    name: server.name,
    slug: server.slug,
    url: server.url,
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
    allow: (server.tools?.allow ?? []).join('\n'),
    deny: (server.tools?.deny ?? []).join('\n'),
    drift: server.drift,
    sameAs: server.same_as.join('\n'),
    idleTimeout: String(server.idle_timeout_seconds),
    totalTimeout: String(server.total_timeout_seconds),
    headers: server.headers.map(({ name }) => name).join('\n'),
  };
}

/** Returns the errors by field; the hub validates the rest. */
export function validateServer(
  values: ServerValues,
  original: Backend | null,
): Partial<Record<keyof ServerValues, string>> {
  const words = mcpTexts.server;
  const needsSecret = values.kind === 'shared' && toAuth(values, original) === undefined;
  return {
    ...(values.name.trim() === '' ? { name: words.nameNeeded } : {}),
    ...(/^[a-z0-9][a-z0-9-]{0,63}$/.test(values.slug) ? {} : { slug: words.slugNeeded }),
    ...(values.url.trim() === '' ? { url: words.urlNeeded } : {}),
    ...(isTimeout(values.idleTimeout) ? {} : { idleTimeout: words.timeoutNeeded }),
    ...(isTimeout(values.totalTimeout) ? {} : { totalTimeout: words.timeoutNeeded }),
    ...(areValidHeaders(values, original) ? {} : { headers: words.headersNeeded }),
    ...(needsSecret && !isCredentialUnchanged(values, original)
      ? { secret: words.secretNeeded }
      : {}),
  };
}

const isTimeout = (text: string) =>
  /^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 86_400;

const parseHeaders = (text: string) =>
  splitLines(text).map((line) => {
    const at = line.indexOf(':');
    if (at === -1) return { name: line };
    const value = line.slice(at + 1).trim();
    return { name: line.slice(0, at).trim(), ...(value === '' ? {} : { value }) };
  });

/** Returns whether each line is a header; a header without a value must have a stored value. */
function areValidHeaders({ headers }: ServerValues, original: Backend | null): boolean {
  const stored = new Set((original?.headers ?? []).map(({ name }) => name.toLowerCase()));
  return parseHeaders(headers).every(
    ({ name, value }) =>
      /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/.test(name) &&
      (value !== undefined || stored.has(name.toLowerCase())),
  );
}

type Auth = BackendInput['auth'];
const trimToUndefined = (text: string) => (text.trim() === '' ? undefined : text.trim());

/** Returns whether the stored credential stays, with its header and prefix. */
function isCredentialUnchanged(values: ServerValues, original: Backend | null): boolean {
  if (original?.auth.kind !== 'shared' || values.kind !== 'shared') return false;
  const before = toServerValues(original);
  return values.secret === '' && values.header === before.header && values.prefix === before.prefix;
}

/** Returns undefined if the stored credential stays, or if the secret is missing. */
function toAuth(values: ServerValues, original: Backend | null): Auth | undefined {
  const { kind } = values;
  const header = trimToUndefined(values.header);
  const placement = {
    ...(header === undefined ? {} : { header, prefix: values.prefix }),
  };
  switch (kind) {
    case 'none':
    case 'passthrough':
      return { kind };
    case 'personal_key':
      return { kind, ...placement };
    case 'shared':
      return values.secret === '' || isCredentialUnchanged(values, original)
        ? undefined
        : { kind, ...placement, secret: values.secret };
    case 'oauth':
      return {
        kind,
        ...dropUndefined({
          client_id: trimToUndefined(values.clientId),
          issuer: trimToUndefined(values.issuer),
          authorization_endpoint: trimToUndefined(values.authorizationEndpoint),
          token_endpoint: trimToUndefined(values.tokenEndpoint),
          revocation_endpoint: trimToUndefined(values.revocationEndpoint),
          client_secret: trimToUndefined(values.clientSecret),
        }),
        ...(values.scopes.trim() === '' ? {} : { scopes: values.scopes.trim().split(/\s+/) }),
        ...(values.sendResource ? {} : { send_resource: false }),
      };
  }
}

function dropUndefined<T extends Record<string, string | undefined>>(fields: T) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string;
  };
}

function toToolFilter({ allow, deny }: ServerValues): Backend['tools'] {
  const rules = {
    ...(allow.trim() === '' ? {} : { allow: splitLines(allow) }),
    ...(deny.trim() === '' ? {} : { deny: splitLines(deny) }),
  };
  return Object.keys(rules).length === 0 ? null : rules;
}

export function toServerInput(values: ServerValues): object {
  return {
    slug: values.slug,
    name: values.name.trim(),
    url: values.url.trim(),
    auth: toAuth(values, null),
    tools: toToolFilter(values),
    drift: values.drift,
    same_as: splitLines(values.sameAs),
    idle_timeout_seconds: Number(values.idleTimeout),
    total_timeout_seconds: Number(values.totalTimeout),
    headers: parseHeaders(values.headers),
  };
}

/** Returns all values of the form; a credential only if typed. */
export function toServerPatch(values: ServerValues, original: Backend): object {
  const auth = toAuth(values, original);
  return { ...toServerInput(values), auth, ...(auth === undefined ? { auth: undefined } : {}) };
}

const ADDRESSES = [
  'url',
  'issuer',
  'authorizationEndpoint',
  'tokenEndpoint',
  'revocationEndpoint',
] as const satisfies readonly (keyof ServerValues)[];

/** Returns `next` without typed secrets if an address changed, so that no secret goes to another address; else null. */
export function dropSecretOfOldAddress(
  previous: ServerValues,
  next: ServerValues,
): { values: ServerValues; address: string } | null {
  const changedAddress = ADDRESSES.find((name) => next[name] !== previous[name]);
  const headers = parseHeaders(previous.headers);
  const isTyped =
    previous.secret !== '' ||
    previous.clientSecret !== '' ||
    headers.some(({ value }) => value !== undefined);
  if (changedAddress === undefined || !isTyped) return null;
  const names = parseHeaders(next.headers).map(({ name }) => name);
  return {
    values: { ...next, secret: '', clientSecret: '', headers: names.join('\n') },
    address: next[changedAddress],
  };
}
