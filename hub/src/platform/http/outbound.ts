// Calls to addresses that people of a tenant typed in. Public addresses by https only, except the networks that the
// operator allows; never the hub itself; no redirects. The address is checked where the socket resolves the name,
// so a name that changes between check and connection reaches nothing.
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Readable } from 'node:stream';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector, request } from 'undici';
import type { Config } from '../config/config.ts';
import { createLookup, type Lookup } from './lookup.ts';

export type Refusal =
  | 'invalid'
  | 'scheme'
  | 'user_info'
  | 'own_listener'
  | 'not_public'
  | 'http_not_private';

const WORDS: Record<Refusal, string> = {
  invalid: 'is not a valid URL',
  scheme: 'must begin with https://',
  user_info: 'must not contain a user name or password',
  own_listener: 'must not point to this server',
  not_public: 'must point to public addresses only (or to a network that the operator allows)',
  http_not_private:
    'must begin with https:// (http works only in networks that the operator allows)',
};

/** The address may not be called; its message fits behind "The URL". */
export class OutboundRefused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(WORDS[refusal]);
    this.refusal = refusal;
  }
}

export interface OutboundAnswer {
  status: number;
  retryAfter: string | null;
}

export interface Outbound {
  /** What can be said without asking for the name's addresses. Throws OutboundRefused. */
  check(url: string): URL;
  /** One POST; no redirect is followed, and of the answer only status and Retry-After are read. */
  post(
    url: string,
    send: { headers: Record<string, string>; body: string; signal: AbortSignal },
  ): Promise<OutboundAnswer>;
  /** One POST whose answer is read, up to `maxBytes`; no redirect is followed. */
  ask(
    url: string,
    send: { headers: Record<string, string>; body: string; signal: AbortSignal; maxBytes: number },
  ): Promise<{ status: number; body: string }>;
  /** Any request whose answer is streamed; no redirect is followed. The caller bounds what it reads. */
  open(
    url: string,
    send: {
      method: 'GET' | 'POST' | 'DELETE';
      headers: Record<string, string>;
      body?: string;
      signal: AbortSignal;
      /** How long the answer's head may take. A pause within its body is the caller's to bound. */
      timeoutMs: number;
    },
  ): Promise<OpenedAnswer>;
  close(): Promise<void>;
}

export interface OpenedAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

export interface OutboundRules {
  allowed: Config['allowedPrivateNetworks'];
  /** Where this hub listens and how it is reached from outside. */
  own: { port: number; origin: string };
}

const CONNECT_MS = 10_000;
/** An answer is not needed; reading a little of it lets the connection be used again. */
const ANSWER_BYTES = 16_384;

export function createOutbound(rules: OutboundRules, lookup: Lookup = createLookup()): Outbound {
  const connectors = {
    'https:': guardedConnector('https:', rules, lookup),
    'http:': guardedConnector('http:', rules, lookup),
  };
  const agentOf = (connections: number | null) =>
    new Agent({
      connect: (options, done) => connectors[options.protocol as 'https:' | 'http:'](options, done),
      connections,
      pipelining: 1,
      keepAliveTimeout: 10_000,
    });
  const agent = agentOf(64);
  // An answer may stay open for hours, and one address of a host may hang: nobody else waits for its connection. The
  // caller bounds how many there are.
  const unshared = agentOf(null);
  const checked = createChecked(rules);
  return {
    check(url) {
      // The parser drops them, and a person who reads the list would not see what is called.
      if (/[\s\p{Cc}]/u.test(url)) throw new OutboundRefused('invalid');
      return checkUrl(url, rules);
    },
    async post(url, { headers, body, signal }) {
      const target = checkUrl(url, rules);
      const answer = await request(target, {
        method: 'POST',
        dispatcher: unshared,
        headers,
        body,
        signal,
      });
      // A body without end is cut; that it came is known already.
      await answer.body.dump({ limit: ANSWER_BYTES, signal }).catch(() => undefined);
      const retryAfter = answer.headers['retry-after'];
      return {
        status: answer.statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
      };
    },
    async ask(url, { headers, body, signal, maxBytes }) {
      const answer = await request(checkUrl(url, rules), {
        method: 'POST',
        dispatcher: agent,
        headers,
        body,
        signal,
      });
      const parts: Buffer[] = [];
      let size = 0;
      for await (const part of answer.body as AsyncIterable<Buffer>) {
        parts.push(part);
        size += part.length;
        // The rest of an answer without end is not worth the connection.
        if (size > maxBytes) break;
      }
      return { status: answer.statusCode, body: Buffer.concat(parts).toString('utf8') };
    },
    async open(url, { method, headers, body, signal, timeoutMs }) {
      const answer = await request(checked(url), {
        method,
        dispatcher: unshared,
        headers,
        ...(body === undefined ? {} : { body }),
        signal,
        headersTimeout: timeoutMs,
        bodyTimeout: 0,
      });
      // Whoever stops reading destroys the body: that is no error. Who reads on is told by the read.
      answer.body.on('error', () => undefined);
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    },
    async close() {
      await Promise.all([agent.destroy(), unshared.destroy()]);
    },
  };
}

const CHECKED_MAX = 1_000;

/** Few servers are called all the time: what an address says does not change, and what a name leads to is looked at then. */
function createChecked(rules: OutboundRules): (text: string) => URL {
  const known = new Map<string, URL>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const url = checkUrl(text, rules);
    if (known.size >= CHECKED_MAX) known.clear();
    known.set(text, url);
    return url;
  };
}

/** Names that lead to the machine itself wherever they are asked for (RFC 6761), so nobody has to be asked. */
const LOCAL_NAME = /^(.+\.)?localhost\.?$/;
const LOOPBACK = ['127.0.0.1', '::1'];

function checkUrl(text: string, rules: OutboundRules): URL {
  if (!URL.canParse(text)) throw new OutboundRefused('invalid');
  const url = new URL(text);
  const { protocol } = url;
  if (protocol !== 'https:' && protocol !== 'http:') throw new OutboundRefused('scheme');
  if (url.username !== '' || url.password !== '') throw new OutboundRefused('user_info');
  if (url.hostname === '') throw new OutboundRefused('invalid');
  if (placeOf(url) === placeOf(new URL(rules.own.origin)))
    throw new OutboundRefused('own_listener');
  // The parser has turned octal, hexadecimal and decimal forms into plain addresses already.
  const bare = url.hostname.replace(/^\[|\]$/g, '');
  const known = isIP(bare) !== 0 ? [bare] : LOCAL_NAME.test(bare) ? LOOPBACK : [];
  const refusals = known.map((one) => refusalOf(one, protocol, portOf(url), rules));
  const refusal = refusals.includes(null) ? null : refusals[0];
  if (refusal) throw new OutboundRefused(refusal);
  if (known.length === 0 && protocol === 'http:' && rules.allowed.length === 0) {
    throw new OutboundRefused('http_not_private');
  }
  return url;
}

/** Why this address may not be connected to; null where it may. */
export function refusalOf(
  address: string,
  protocol: 'https:' | 'http:',
  port: number,
  rules: OutboundRules,
): Refusal | null {
  const parsed = ipaddr.process(address);
  if (port === rules.own.port && isOwnAddress(parsed)) return 'own_listener';
  const isAllowed = rules.allowed.some(
    ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network as never, bits),
  );
  if (isAllowed) return null;
  if (!isPublic(parsed)) return 'not_public';
  return protocol === 'http:' ? 'http_not_private' : null;
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** IPv6 is public inside 2000::/3 only, which leaves out IPv4 in its deprecated compatible form. */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_UNICAST);
}

/** True for an address of the public internet, written in any form. */
export function isPublicAddress(address: string): boolean {
  return isPublic(ipaddr.process(address));
}

function isOwnAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (['loopback', 'unspecified'].includes(address.range())) return true;
  const text = address.toString();
  return Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .some((one) => ipaddr.process(one.address.replace(/%.*$/, '')).toString() === text);
}

/** Connects only where every address of the name may be connected to. */
function guardedConnector(
  protocol: 'https:' | 'http:',
  rules: OutboundRules,
  lookup: Lookup,
): buildConnector.connector {
  return (options, done) => {
    const port = Number(options.port) || (protocol === 'https:' ? 443 : 80);
    const bare = options.hostname.replace(/^\[|\]$/g, '');
    // For an address the socket asks for no look-up, so it is checked here.
    const refusal = isIP(bare) === 0 ? null : refusalOf(bare, protocol, port, rules);
    if (refusal !== null) {
      done(new OutboundRefused(refusal), null);
      return;
    }
    const guarded: LookupFunction = (host, asked, answer) => {
      lookup(host, { all: true }, (error, found) => {
        const first = found?.[0];
        if (error !== null || first === undefined) {
          answer(error ?? new OutboundRefused('invalid'), '', 0);
          return;
        }
        const refused = found
          .map((one) => refusalOf(one.address, protocol, port, rules))
          .find((one) => one !== null);
        if (refused !== undefined) answer(new OutboundRefused(refused), '', 0);
        else if (asked.all === true) answer(null, found);
        else answer(null, first.address, first.family);
      });
    };
    buildConnector({ lookup: guarded, timeout: CONNECT_MS })(options, done);
  };
}

/** Host and port, however the name is written: a dot at its end means the same host. */
function placeOf(url: URL): string {
  return `${url.hostname.replace(/\.$/, '')}:${portOf(url)}`;
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}
