// Outbound calls to URLs that users configure, with protection against server-side request forgery (SSRF).
// Main types: `Outbound`, `OutboundRules`, `OutboundRefused`.
// Invariants: public addresses by https only, except networks that the operator allows; never the hub itself; no redirects.
// Addresses are checked where the socket resolves the name, so DNS rebinding reaches nothing. Depends on undici and
// dns-lookup.ts. Start reading at `createOutbound`.
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Readable } from 'node:stream';
import {
  type Address,
  type AddressRefusal,
  findAddressRefusal,
  isPublic,
  parseAddress,
} from '@gatewarden/shared/address-rules.ts';
import { Agent, buildConnector, request } from 'undici';
import type { Config } from '../../config/config.ts';
import { createLookup, type Lookup } from './dns-lookup.ts';

export type Refusal = 'invalid' | 'scheme' | 'user_info' | 'own_listener' | AddressRefusal;

const MESSAGES: Record<Refusal, string> = {
  invalid: 'is not a valid URL',
  scheme: 'must begin with https://',
  user_info: 'must not contain a user name or password',
  own_listener: 'must not point to this server',
  not_public: 'must point to public addresses only (or to a network that the operator allows)',
  http_not_private:
    'must begin with https:// (http works only in networks that the operator allows)',
};

/** The URL may not be called. The message continues a sentence that begins with "The URL". */
export class OutboundRefused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(MESSAGES[refusal]);
    this.refusal = refusal;
  }
}

export interface OutboundResponse {
  status: number;
  retryAfter: string | null;
}

export interface Outbound {
  /** Checks everything that needs no DNS lookup. Throws OutboundRefused. */
  check(url: string): URL;
  /** Sends a POST without following redirects, and reads only status and Retry-After of the response. */
  post(
    url: string,
    send: { headers: Record<string, string>; body: string; signal: AbortSignal },
  ): Promise<OutboundResponse>;
  /** Sends a POST without following redirects, and reads up to `maxBytes` of the response. */
  postAndRead(
    url: string,
    send: { headers: Record<string, string>; body: string; signal: AbortSignal; maxBytes: number },
  ): Promise<{ status: number; body: string }>;
  /** Sends a request without following redirects, and streams the response. The caller limits the bytes it reads. */
  stream(
    url: string,
    send: {
      method: 'GET' | 'POST' | 'DELETE';
      headers: Record<string, string>;
      body?: string;
      signal: AbortSignal;
      /** Timeout of the response headers. The caller limits pauses within the body. */
      timeoutMs: number;
    },
  ): Promise<OpenResponse>;
  close(): Promise<void>;
}

export interface OpenResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

export interface OutboundRules {
  allowed: Config['allowedPrivateNetworks'];
  /** The port on which this hub listens, and its public origin. */
  own: { port: number; origin: string };
}

const CONNECT_MS = 10_000;
/** The response is not needed, but reading a little of it allows the connection to be reused. */
const RESPONSE_DUMP_BYTES = 16_384;

/** Returns a client that applies `rules` to every call. */
export function createOutbound(rules: OutboundRules, lookup: Lookup = createLookup()): Outbound {
  const connectors = {
    'https:': guardedConnector('https:', rules, lookup),
    'http:': guardedConnector('http:', rules, lookup),
  };
  const createAgent = (connections: number | null) =>
    new Agent({
      connect: (options, done) => connectors[options.protocol as 'https:' | 'http:'](options, done),
      connections,
      pipelining: 1,
      keepAliveTimeout: 10_000,
    });
  const agent = createAgent(64);
  // A response may stay open for hours, and a single URL of a host may hang; no other call waits for its connection. The
  // caller limits the number of connections.
  const unshared = createAgent(null);
  const checkCached = createCachedCheck(rules);
  return {
    check(url) {
      // The URL parser ignores them, so the displayed URL would differ from the called URL.
      if (/[\s\p{Cc}]/u.test(url)) throw new OutboundRefused('invalid');
      return checkUrl(url, rules);
    },
    async post(url, { headers, body, signal }) {
      const target = checkUrl(url, rules);
      const response = await request(target, {
        method: 'POST',
        dispatcher: unshared,
        headers,
        body,
        signal,
      });
      // A body without end is cut; the status is enough.
      await response.body.dump({ limit: RESPONSE_DUMP_BYTES, signal }).catch(() => undefined);
      const retryAfter = response.headers['retry-after'];
      return {
        status: response.statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
      };
    },
    async postAndRead(url, { headers, body, signal, maxBytes }) {
      const response = await request(checkUrl(url, rules), {
        method: 'POST',
        dispatcher: agent,
        headers,
        body,
        signal,
      });
      const parts: Buffer[] = [];
      let size = 0;
      for await (const part of response.body as AsyncIterable<Buffer>) {
        parts.push(part);
        size += part.length;
        // The rest of a long response is not worth the connection.
        if (size > maxBytes) break;
      }
      return { status: response.statusCode, body: Buffer.concat(parts).toString('utf8') };
    },
    async stream(url, { method, headers, body, signal, timeoutMs }) {
      const response = await request(checkCached(url), {
        method,
        dispatcher: unshared,
        headers,
        ...(body === undefined ? {} : { body }),
        signal,
        headersTimeout: timeoutMs,
        bodyTimeout: 0,
      });
      // A caller that stops reading destroys the body; that is no error. A caller that reads gets the error from the read.
      response.body.on('error', () => undefined);
      return { status: response.statusCode, headers: response.headers, body: response.body };
    },
    async close() {
      await Promise.all([agent.destroy(), unshared.destroy()]);
    },
  };
}

const CACHE_MAX = 1_000;

/** Caches checked URLs, since few servers are called all the time. Resolved addresses are checked at each connection. */
function createCachedCheck(rules: OutboundRules): (text: string) => URL {
  const cache = new Map<string, URL>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const url = checkUrl(text, rules);
    if (cache.size >= CACHE_MAX) cache.clear();
    cache.set(text, url);
    return url;
  };
}

/** Names that always resolve to the machine itself (RFC 6761 §6.3), so no lookup is needed. */
const LOCAL_NAME = /^(.+\.)?localhost\.?$/;
const LOOPBACK = ['127.0.0.1', '::1'];

function checkUrl(text: string, rules: OutboundRules): URL {
  if (!URL.canParse(text)) throw new OutboundRefused('invalid');
  const url = new URL(text);
  const { protocol } = url;
  if (protocol !== 'https:' && protocol !== 'http:') throw new OutboundRefused('scheme');
  if (url.username !== '' || url.password !== '') throw new OutboundRefused('user_info');
  if (url.hostname === '') throw new OutboundRefused('invalid');
  if (hostAndPort(url) === hostAndPort(new URL(rules.own.origin)))
    throw new OutboundRefused('own_listener');
  // The parser has converted octal, hexadecimal and decimal forms to plain addresses.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) !== 0 ? [host] : LOCAL_NAME.test(host) ? LOOPBACK : [];
  const refusals = addresses.map((address) => findRefusal(address, protocol, portOf(url), rules));
  const refusal = refusals.includes(null) ? null : refusals[0];
  if (refusal) throw new OutboundRefused(refusal);
  if (addresses.length === 0 && protocol === 'http:' && rules.allowed.length === 0) {
    throw new OutboundRefused('http_not_private');
  }
  return url;
}

/** Returns why an address must not be connected to, or null if it is allowed. */
export function findRefusal(
  address: string,
  protocol: 'https:' | 'http:',
  port: number,
  rules: OutboundRules,
): Refusal | null {
  const parsed = parseAddress(address);
  if (port === rules.own.port && isOwnAddress(parsed)) return 'own_listener';
  return findAddressRefusal(parsed, protocol, rules.allowed);
}

/** Returns whether a text in any notation is an address of the public internet. */
export function isPublicAddress(address: string): boolean {
  return isPublic(parseAddress(address));
}

function isOwnAddress(address: Address): boolean {
  if (['loopback', 'unspecified'].includes(address.range())) return true;
  const text = address.toString();
  return Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .some(({ address: own }) => parseAddress(own.replace(/%.*$/, '')).toString() === text);
}

/** Returns a connector that connects only if all addresses of the name are allowed. */
function guardedConnector(
  protocol: 'https:' | 'http:',
  rules: OutboundRules,
  lookup: Lookup,
): buildConnector.connector {
  return (options, done) => {
    const port = Number(options.port) || (protocol === 'https:' ? 443 : 80);
    const hostname = options.hostname.replace(/^\[|\]$/g, '');
    // A socket does not look up a literal address, so it is checked here.
    const refusal = isIP(hostname) === 0 ? null : findRefusal(hostname, protocol, port, rules);
    if (refusal !== null) {
      done(new OutboundRefused(refusal), null);
      return;
    }
    const guarded: LookupFunction = (host, lookupOptions, callback) => {
      lookup(host, { all: true }, (error, addresses) => {
        const first = addresses?.[0];
        if (error !== null || first === undefined) {
          callback(error ?? new OutboundRefused('invalid'), '', 0);
          return;
        }
        const refused = addresses
          .map(({ address }) => findRefusal(address, protocol, port, rules))
          .find((reason) => reason !== null);
        if (refused !== undefined) callback(new OutboundRefused(refused), '', 0);
        else if (lookupOptions.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    };
    buildConnector({ lookup: guarded, timeout: CONNECT_MS })(options, done);
  };
}

/** Returns host and port. A trailing dot denotes the same host. */
function hostAndPort(url: URL): string {
  return `${url.hostname.replace(/\.$/, '')}:${portOf(url)}`;
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}
