// Environment → configuration: every variable checked once, with one clear line for a wrong one.
import { resolve } from 'node:path';
import type { TracingConfig } from '@gatewarden/shared/tracing-config.ts';
import ipaddr from 'ipaddr.js';
import { isObject } from '../http/json/parse-json.ts';
import { MAX_POLL_INTERVAL_SECONDS } from '../http/limits/load-gauge.ts';
import type { Network } from '../http/server/client-address.ts';
import type { Env } from './env.ts';
import { tracingOf } from './tracing.ts';
import { ConfigError, choice, UsageError } from './values.ts';

export { ConfigError, UsageError };

export interface LoginConfig {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  /** The names of the claims in an administrator's token. */
  claims: ClaimNames;
}

const CLAIMS = ['tenantIds', 'role', 'roles', 'operator', 'email'] as const;
/** A claim's name, or a JSON pointer such as `/realm_access/roles`. */
export type ClaimNames = Record<(typeof CLAIMS)[number], string>;
export const CLAIM_NAMES = Object.fromEntries(CLAIMS.map((name) => [name, name])) as ClaimNames;

export interface MailConfig {
  host: string;
  port: number;
  /** `tls`: from the first byte. `starttls`: refused where the server does not offer it. */
  security: 'tls' | 'starttls' | 'none';
  auth: { user: string; pass: string } | null;
  /** An address, or `Name <address>`. */
  from: string;
}

export interface Config {
  host: string;
  port: number;
  /** Null: the embedded database under `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  role: 'central' | 'regional' | 'central-master-db';
  migrate: 'auto' | 'refuse';
  shutdownGraceMs: number;
  managementApi: { enabled: boolean; isSet: boolean };
  /** Address under which clients reach the nodes of the LLM gateway, without a final slash. Null: not configured. */
  llmGatewayUrl: string | null;
  /** Null: `http://HOST:PORT` of the listener. */
  baseUrl: string | null;
  masterKey: { text: string } | { file: string } | null;
  /** Null: the embedded login provider. */
  login: LoginConfig | null;
  allowedPrivateNetworks: Network[];
  /** Proxies whose `X-Forwarded-For` names the client. */
  trustedProxies: Network[];
  /** Null: the hub sends no mail. */
  mail: MailConfig | null;
  logLevel: string;
  metricsToken: string | null;
  /** Networks that may read `/metrics` without the token, in addition to this machine. */
  metricsNetworks: Network[];
  /** The deployment has no models that a provider test may ask. */
  noModelTests: boolean;
  /** Names of provider vendors that the console has no name for, by letter. */
  providerNames: Readonly<Record<string, string>>;
  /** `off`: a code is exchanged without looking at PKCE. */
  mcpPkce: 'if_sent' | 'off';
  /** Rate limit: sustained requests per second (polls, scans, reports) of a device. Bursts: devices/enrollment/device-auth.ts. */
  deviceRate: number;
  /** Rate limit: sustained requests per second of all devices with the same agent token. */
  tokenRate: number;
  nodeRate: number;
  /** Event streams of a tenant's open pages, per hub process. */
  tenantStreams: number;
  /** Under load devices are asked to poll at most this seldom. */
  pollSecondsMax: number;
  /** Null: nothing is traced. */
  tracing: TracingConfig | null;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const ROLES = ['central', 'regional', 'central-master-db'] as const;

/** Turns the environment into a configuration; throws ConfigError naming the variable. */
export function readConfig(env: Env): Config {
  const databaseUrl = env.DATABASE_URL ?? null;
  if (databaseUrl !== null && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw new ConfigError('DATABASE_URL must begin with postgres:// or postgresql://');
  }
  return {
    host: env.HUB_HOST ?? '127.0.0.1',
    port: integer('HUB_PORT', env.HUB_PORT, 8080, 0, 65_535),
    databaseUrl,
    dataDir: resolve(env.HUB_DATA_DIR ?? '.data/hub'),
    role: choice('HUB_ROLE', env.HUB_ROLE, ROLES, 'central'),
    migrate: choice(
      'HUB_MIGRATE',
      env.HUB_MIGRATE,
      ['auto', 'refuse'] as const,
      databaseUrl === null ? 'auto' : 'refuse',
    ),
    shutdownGraceMs: integer(
      'HUB_SHUTDOWN_GRACE_MS',
      env.HUB_SHUTDOWN_GRACE_MS,
      10_000,
      0,
      600_000,
    ),
    managementApi: {
      enabled: boolean(
        'LLMGATEWAY_MANAGEMENT_API_ENABLED',
        env.LLMGATEWAY_MANAGEMENT_API_ENABLED,
        false,
      ),
      isSet: env.LLMGATEWAY_MANAGEMENT_API_ENABLED !== undefined,
    },
    llmGatewayUrl: llmGatewayUrl(env.HUB_LLM_GATEWAY_URL),
    baseUrl: canonicalOrigin(env),
    masterKey: masterKey(env, databaseUrl),
    login: login(env),
    allowedPrivateNetworks: networks(
      'HUB_ALLOWED_PRIVATE_NETWORKS',
      env.HUB_ALLOWED_PRIVATE_NETWORKS,
    ),
    trustedProxies: addresses('HUB_TRUSTED_PROXIES', env.HUB_TRUSTED_PROXIES),
    mail: mail(env),
    logLevel: choice('HUB_LOG_LEVEL', env.HUB_LOG_LEVEL, LOG_LEVELS, 'info'),
    metricsToken: env.HUB_METRICS_TOKEN ?? null,
    metricsNetworks: addresses('HUB_METRICS_ALLOWED_NETWORKS', env.HUB_METRICS_ALLOWED_NETWORKS),
    noModelTests: flag(env.COMPLETELY_NO_GPU),
    providerNames: providerNames(env.HUB_PROVIDER_NAMES),
    deviceRate: integer('HUB_DEVICE_RATE', env.HUB_DEVICE_RATE, 100, 1, 1_000_000),
    tokenRate: integer('HUB_TOKEN_RATE', env.HUB_TOKEN_RATE, 10_000, 1, 1_000_000),
    mcpPkce: choice('MCP_OAUTH_PKCE', env.MCP_OAUTH_PKCE, ['if_sent', 'off'] as const, 'if_sent'),
    nodeRate: integer('HUB_NODE_RATE', env.HUB_NODE_RATE, 100, 1, 1_000_000),
    tenantStreams: integer('HUB_TENANT_STREAMS', env.HUB_TENANT_STREAMS, 2_000, 1, 16_000),
    pollSecondsMax: integer(
      'HUB_POLL_SECONDS_MAX',
      env.HUB_POLL_SECONDS_MAX,
      MAX_POLL_INTERVAL_SECONDS,
      1,
      MAX_POLL_INTERVAL_SECONDS,
    ),
    tracing: tracingOf(env),
  };
}

const PROVIDER_NAME = /^([DHIJ])\s*=\s*(\S.{0,59})$/;

/** Reads `D=Acme,H=Example`: each of the four letters at most once, with a name of at most 60 characters. */
function providerNames(text: string | undefined): Record<string, string> {
  const names = listed(text).map((part) => {
    const [, letter, name] = PROVIDER_NAME.exec(part) ?? [];
    if (letter === undefined || name === undefined) throw badProviderNames();
    return [letter, name] as const;
  });
  const byLetter = new Map(names);
  if (byLetter.size < names.length) throw badProviderNames();
  return Object.fromEntries([...byLetter].sort());
}

const badProviderNames = () =>
  new ConfigError(
    'HUB_PROVIDER_NAMES must name some of the vendors D, H, I and J, such as D=Acme,H=Example',
  );

/** Set to anything but a word for no. */
function flag(text: string | undefined): boolean {
  return text !== undefined && !/^(0|false|no|off)$/i.test(text);
}

/** True for names and addresses that never leave the machine. */
export function isLoopbackHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true;
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback';
}

function canonicalOrigin(env: Env): string | null {
  for (const name of ['GATEWAY_BASE_URL', 'PUBLIC_BASE_URL', 'BASE_URL'] as const) {
    const text = env[name];
    if (text === undefined) continue;
    if (!URL.canParse(text)) throw new ConfigError(`${name} is not a URL`);
    const url = new URL(text);
    const isHttps = url.protocol === 'https:';
    if (!isHttps && !(url.protocol === 'http:' && isLoopbackHost(url.hostname))) {
      throw new ConfigError(`${name} must be an https origin (http only for loopback)`);
    }
    if (url.pathname !== '/' || url.search || url.hash || url.username || url.password) {
      throw new ConfigError(`${name} must be an origin only, such as https://hub.example.com`);
    }
    return url.origin;
  }
  return null;
}

function llmGatewayUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isHttp || url.search || url.hash || url.username || url.password) {
    throw new ConfigError('HUB_LLM_GATEWAY_URL must be a URL, such as https://llm.example.com');
  }
  return url.href.replace(/\/+$/, '');
}

function masterKey(env: Env, databaseUrl: string | null): Config['masterKey'] {
  if (env.HUB_MASTER_KEY !== undefined) return { text: env.HUB_MASTER_KEY };
  if (env.HUB_MASTER_KEY_FILE !== undefined) return { file: resolve(env.HUB_MASTER_KEY_FILE) };
  if (databaseUrl !== null) {
    throw new ConfigError(
      'HUB_MASTER_KEY or HUB_MASTER_KEY_FILE is required with DATABASE_URL: 32 random bytes as base64 or hex',
    );
  }
  return null;
}

function login(env: Env): LoginConfig | null {
  if (env.LOGIN_ISSUER === undefined) {
    if (env.LOGIN_CLIENT_ID ?? env.LOGIN_CLIENT_SECRET ?? env.LOGIN_CLAIMS) {
      throw new ConfigError(
        'LOGIN_CLIENT_ID, LOGIN_CLIENT_SECRET and LOGIN_CLAIMS need LOGIN_ISSUER',
      );
    }
    return null;
  }
  if (!URL.canParse(env.LOGIN_ISSUER)) throw new ConfigError('LOGIN_ISSUER is not a URL');
  const issuer = new URL(env.LOGIN_ISSUER);
  if (issuer.protocol !== 'https:' && !isLoopbackHost(issuer.hostname)) {
    throw new ConfigError('LOGIN_ISSUER must be https (http only for loopback)');
  }
  if (env.LOGIN_CLIENT_ID === undefined) {
    throw new ConfigError('LOGIN_CLIENT_ID is required with LOGIN_ISSUER');
  }
  return {
    issuer: env.LOGIN_ISSUER,
    clientId: env.LOGIN_CLIENT_ID,
    clientSecret: env.LOGIN_CLIENT_SECRET ?? null,
    claims: claimNames(env.LOGIN_CLAIMS),
  };
}

function claimNames(text: string | undefined): ClaimNames {
  if (text === undefined) return CLAIM_NAMES;
  const wrong = () =>
    new ConfigError(
      `LOGIN_CLAIMS must be a JSON object with names of claims for some of ${CLAIMS.join(', ')}`,
    );
  let named: unknown;
  try {
    named = JSON.parse(text);
  } catch {
    throw wrong();
  }
  if (!isObject(named)) throw wrong();
  for (const [name, value] of Object.entries(named)) {
    const isKnown = (CLAIMS as readonly string[]).includes(name);
    if (!isKnown || typeof value !== 'string' || value === '') throw wrong();
  }
  return { ...CLAIM_NAMES, ...(named as Partial<ClaimNames>) };
}

const MAIL_ADDRESS = /^[^\s<>@,;"]+@[^\s<>@,;"]+$/;

function mail(env: Env): MailConfig | null {
  const { HUB_SMTP_URL: text, HUB_MAIL_FROM: from } = env;
  if (text === undefined && from === undefined) return null;
  if (text === undefined) throw new ConfigError('HUB_SMTP_URL is required with HUB_MAIL_FROM');
  if (from === undefined) throw new ConfigError('HUB_MAIL_FROM is required with HUB_SMTP_URL');
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(from)?.[1] ?? from;
  if (!MAIL_ADDRESS.test(address)) {
    throw new ConfigError(
      'HUB_MAIL_FROM must be an e-mail address, such as Gatewarden <hub@example.com>',
    );
  }
  return { ...mailServer(text), from };
}

/** Parses HUB_SMTP_URL. No message repeats the URL, because it can contain a password. */
function mailServer(text: string): Omit<MailConfig, 'from'> {
  const wrong = new ConfigError(
    'HUB_SMTP_URL must be smtp://[user:password@]host[:port] or smtps://…, with ?tls=off for a server without TLS',
  );
  if (!URL.canParse(text)) throw wrong;
  const url = new URL(text);
  const isTls = url.protocol === 'smtps:';
  const isOff = url.search === '?tls=off' && !isTls;
  const isValid =
    (isTls || url.protocol === 'smtp:') &&
    url.hostname !== '' &&
    (url.search === '' || isOff) &&
    ['', '/'].includes(url.pathname);
  if (!isValid) throw wrong;
  const isPlain = isOff || isLoopbackHost(url.hostname);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
    security: isTls ? 'tls' : isPlain ? 'none' : 'starttls',
    auth: url.username === '' ? null : { user: decoded(url.username), pass: decoded(url.password) },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ConfigError('HUB_SMTP_URL: write % in user and password as %25');
  }
}

/** Reads a comma-separated list of networks in CIDR notation. */
function networks(name: string, text: string | undefined): Network[] {
  return listed(text).map((part) => {
    if (ipaddr.isValidCIDR(part)) return ipaddr.parseCIDR(part);
    throw new ConfigError(`${name}: ${part} is not a CIDR`);
  });
}

/** Reads a comma-separated list of addresses and networks; an address is the network of itself. */
function addresses(name: string, text: string | undefined): Network[] {
  return listed(text).map((part) => {
    if (ipaddr.isValidCIDR(part)) return ipaddr.parseCIDR(part);
    if (!isAddress(part)) throw new ConfigError(`${name}: ${part} is not an address or a CIDR`);
    const address = ipaddr.parse(part);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });
}

const listed = (text = ''): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** `ipaddr.js` also accepts short forms such as `10`, which nobody means in a list of networks. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

function integer(
  name: string,
  text: string | undefined,
  fallback: number,
  minimum: number,
  maximum: number,
): number {
  if (text === undefined) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= minimum && value <= maximum)) {
    throw new ConfigError(`${name} must be a whole number from ${minimum} to ${maximum}`);
  }
  return value;
}

function boolean(name: string, text: string | undefined, fallback: boolean): boolean {
  if (text === undefined) return fallback;
  if (/^(true|1)$/i.test(text)) return true;
  if (/^(false|0)$/i.test(text)) return false;
  throw new ConfigError(`${name} must be true or false`);
}
