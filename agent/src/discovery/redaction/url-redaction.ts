// URLs without credentials. Pure, linear.
import { startsWithPlaceholder, throughPlaceholders } from '../sources/lib/placeholders.ts';
import { isSecretName } from './secret-names.ts';
import { looksRandom, replaceVendorTokens } from './token-shapes.ts';
import { consistsOfWords } from './word-groups.ts';

export const REDACTED = '[cut]';
const MAX_URL = 8192;

/**
 * How much redaction removes. `named`: credentials by position, by name and by vendor prefix; whatever decides which code
 * runs stays, because identities and hashes are built from it on the device. `shaped`: also everything that looks random,
 * for text that is sent to the hub.
 */
export type Depth = 'named' | 'shaped';

/** A variable at the beginning of a URL replaces its scheme and host. */
const PARTS = /^([a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)([^?#]*)(\?[^#]*)?/i;
/** Path segments before a secret, and harmless segments that may follow them nevertheless. */
const NAMING_SEGMENT =
  /^(x-)?((api|access|auth|secret|bearer|user)[-_]?)?(tokens?|keys?|secrets?|passwords?|pwd)$/i;
const ENDPOINT_SEGMENT = /^(mcp|sse|stream|messages?|v\d+|api|http|\[cut\])?$/i;

/** A URL without user info, query values, fragment, and segments of its path that are secrets. */
export function redactUrl(text: string, depth: Depth = 'shaped'): string {
  const url = depth === 'named' ? text : text.slice(0, MAX_URL);
  const isVariable = startsWithPlaceholder(url);
  function cut(masked: string) {
    return cutMasked(masked, isVariable, depth);
  }
  // A variable's default decides which server it is.
  return depth === 'named'
    ? throughPlaceholders(url, cut, (placeholder) => placeholder)
    : throughPlaceholders(url, cut);
}

function cutMasked(url: string, isVariable: boolean, depth: Depth): string {
  const found = PARTS.exec(withoutUserInfo(asClientsRead(url)));
  const [, scheme = '', authority = '', path = '', query = ''] = found ?? [];
  if (scheme === '' && !isVariable) return REDACTED;
  const host = cutHost(authority.slice(authority.lastIndexOf('@') + 1), depth);
  const segments = path.split('/');
  const shownPath = segments
    .map((segment, at) => cutSegment(segment, segments[at - 1] ?? '', depth))
    .join('/');
  const pairs = query
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '');
  const shownQuery = pairs.map((pair) => cutParameter(pair, depth)).join('&');
  return `${scheme}${host}${shownPath}${shownQuery === '' ? '' : `?${shownQuery}`}`;
}

function cutHost(host: string, depth: Depth): string {
  if (/^\[[0-9a-f:.]{2,45}\](:\d{1,5})?$/i.test(host)) return host;
  // A variable is masked as a word, a port's too.
  const [, labels = '', port = ''] = /^([^:]*)(:(?:\d{1,5}|placeholder[a-z]))?/.exec(host) ?? [];
  const rest = host.slice(labels.length + port.length);
  const tail = rest === '' || rest === ':' ? '' : `:${REDACTED}`;
  const shown =
    depth === 'named'
      ? labels
      : labels
          .split('.')
          .map((label) => orCut(label))
          .join('.');
  return shown + port + tail;
}

const orCut = (label: string): string =>
  consistsOfWords(label, 'value') && !looksRandom(label) ? label : REDACTED;

/** A web address as clients read it: with the slashes that they add, and with `/` for a backslash. */
function asClientsRead(url: string): string {
  const found = /^((?:https?|wss?|ftp):)([^?#]*)(.*)$/is.exec(url.replace(/[\t\n\r]/g, ''));
  if (found === null) return url;
  const [, scheme = '', place = '', rest = ''] = found;
  return `${scheme}//${place.replaceAll('\\', '/').replace(/^\/+/, '')}${rest}`;
}

/** A password may contain an unescaped slash or question mark: the host comes after it then. */
function withoutUserInfo(url: string): string {
  // The host that a client finds is the host, whatever follows.
  if (URL.canParse(url)) return url;
  const found = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]*:(?!\d{1,5}([/?#]|$))[^@]*)@(.*)$/is.exec(url);
  if (found === null) return url;
  const [, scheme = '', , , rest = ''] = found;
  // Another @ behind the host: what we took for the host is a part of the password.
  const isLonger = rest.slice(rest.search(/[/?#]|$/)).includes('@');
  return isLonger ? scheme + REDACTED : scheme + rest;
}

/** Redacts a parameter by its name. Only an identity keeps a value of words, which may identify the server. */
function cutParameter(pair: string, depth: Depth): string {
  const [name = ''] = pair.split('=', 1);
  // A query without a name is a value.
  const isNamed =
    pair.includes('=') && /^[A-Za-z][\w.-]{0,40}$/.test(name) && consistsOfWords(name, 'value');
  if (!isNamed) return `${REDACTED}=${REDACTED}`;
  const value = pair.slice(name.length + 1);
  const isKept = depth === 'named' && !isSecretName(name) && consistsOfWords(value, 'value');
  return `${name}=${isKept ? value : REDACTED}`;
}

function cutSegment(segment: string, before: string, depth: Depth): string {
  if (segment === '') return '';
  if (NAMING_SEGMENT.test(before) && !ENDPOINT_SEGMENT.test(segment)) return REDACTED;
  if (hasCredential(segment, depth)) return REDACTED;
  const pair = /^(.{0,128}?)([\w.-]{1,64})=./.exec(segment);
  if (pair !== null && (depth === 'shaped' || isSecretName(pair[2] ?? ''))) {
    return `${cutSegment(pair[1] ?? '', '', depth)}${pair[2]}=${REDACTED}`;
  }
  // `token:value`, as some gateways take it.
  const named = /^([\w.-]{1,64}):./.exec(segment)?.[1];
  if (named !== undefined && isSecretName(named)) return `${named}:${REDACTED}`;
  if (replaceVendorTokens(segment, REDACTED) !== segment) return REDACTED;
  return depth === 'named' ? segment : orCut(segment);
}

/** A query, a pair or user info, escaped or in the middle of a path. */
function hasCredential(segment: string, depth: Depth): boolean {
  const plain = segment.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  if (plain !== segment && /[?&=:;@/#]/.test(plain)) {
    const [, name = ''] = /([\w.-]{1,64})[=:]./.exec(plain) ?? [];
    if (depth === 'shaped' || isSecretName(name)) return true;
  }
  // `bot123456:token`, as Telegram takes it.
  return /^bot\d+:/i.test(plain) || /^[^:@]{1,128}:[^@]{1,512}@./.test(plain);
}
