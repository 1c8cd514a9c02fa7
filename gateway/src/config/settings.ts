// The environment of a gateway node as checked settings. An invalid variable is reported in a single line.

import type { Network } from '@gatewarden/shared/address-rules.ts';
import { isSecret } from '@gatewarden/shared/secrets.ts';
import {
  readTracing,
  type TracingConfig,
  TracingConfigError,
} from '@gatewarden/shared/tracing-config.ts';
import ipaddr from 'ipaddr.js';
import type { GuardianOptions } from '../upstream/guardian-client.ts';

export interface GatewaySettings {
  nodeToken: string;
  /** The origin of the hub, without a trailing slash. */
  hubUrl: string;
  host: string;
  port: number;
  dataDir: string;
  /** The OpenAI-compatible server behind providers of type `gw_ai`, without a trailing slash. */
  managedModelUrl: string | null;
  /** The OpenAI-compatible server that runs checks of models; null: such settings are not enforced. */
  guardian: GuardianOptions | null;
  allowedPrivateNetworks: readonly Network[];
  /** Networks of trusted proxies: their `X-Forwarded-For` names the client. */
  trustedProxies: readonly string[];
  logLevel: string;
  /** Null: nothing is traced. */
  tracing: TracingConfig | null;
  /** Milliseconds that running requests have to end after SIGTERM. */
  shutdownGraceMs: number;
  /** Bytes that the spool of log rows may occupy on disk. */
  spoolBytesMax: number;
}

/** A variable has an invalid value. The message names the variable and the remedy, never the value of a secret. */
export class SettingsError extends Error {}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const MEBIBYTE = 2 ** 20;

/** Returns the settings of a node. Throws SettingsError with a single line for the first invalid variable. */
export function readSettings(env: NodeJS.ProcessEnv): GatewaySettings {
  const nodeToken = env.GATEWARDEN_NODE_TOKEN?.trim() ?? '';
  if (!isSecret('node', nodeToken)) {
    throw new SettingsError(
      'GATEWARDEN_NODE_TOKEN must be a node token (gwn_…); create it with "gatewarden hub token node"',
    );
  }
  const hubUrl = readOrigin(env, 'GATEWAY_HUB_URL');
  if (hubUrl === null) throw new SettingsError('GATEWAY_HUB_URL must be the origin of the hub');
  const logLevel = env.GATEWAY_LOG_LEVEL || 'info';
  if (!LOG_LEVELS.includes(logLevel)) {
    throw new SettingsError(`GATEWAY_LOG_LEVEL must be among ${LOG_LEVELS.join(', ')}`);
  }
  return {
    nodeToken,
    hubUrl,
    host: env.GATEWAY_HOST || '127.0.0.1',
    port: readInteger(env, 'GATEWAY_PORT', 8090, 65_535),
    dataDir: env.GATEWAY_DATA_DIR || '.data/gateway',
    managedModelUrl: readOrigin(env, 'GATEWAY_MANAGED_MODEL_URL'),
    guardian: readGuardian(env),
    allowedPrivateNetworks: readNetworks(env, 'GATEWAY_ALLOWED_PRIVATE_NETWORKS'),
    trustedProxies: readList(env, 'GATEWAY_TRUSTED_PROXIES'),
    logLevel,
    tracing: readTraces(env),
    shutdownGraceMs: readInteger(env, 'GATEWAY_SHUTDOWN_GRACE_MS', 30_000, 600_000),
    spoolBytesMax: readInteger(env, 'GATEWAY_SPOOL_MIB', 512, 1_048_576) * MEBIBYTE,
  };
}

function readTraces(env: NodeJS.ProcessEnv): TracingConfig | null {
  try {
    return readTracing(env);
  } catch (error) {
    throw error instanceof TracingConfigError ? new SettingsError(error.message) : error;
  }
}

function readGuardian(env: NodeJS.ProcessEnv): GuardianOptions | null {
  const url = readOrigin(env, 'GATEWAY_GUARDIAN_URL');
  if (url === null) return null;
  return {
    url,
    model: env.GATEWAY_GUARDIAN_MODEL || 'guardian',
    apiKey: env.GATEWAY_GUARDIAN_API_KEY?.trim() || null,
    timeoutMs: readInteger(env, 'GATEWAY_GUARDIAN_TIMEOUT_MS', 10_000, 120_000),
  };
}

function readInteger(
  env: NodeJS.ProcessEnv,
  name: string,
  fallback: number,
  maximum: number,
): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  if (!/^\d{1,10}$/.test(text) || Number(text) > maximum) {
    throw new SettingsError(`${name} must be a whole number from 0 to ${maximum}`);
  }
  return Number(text);
}

/** Returns the URL without query and trailing slashes, or null if the variable is not set. */
function readOrigin(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = env[name]?.trim();
  if (text === undefined || text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '') {
    throw new SettingsError(`${name} must be an http or https URL without user name`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function readList(env: NodeJS.ProcessEnv, name: string): string[] {
  const entries = (env[name] ?? '').split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '');
}

function readNetworks(env: NodeJS.ProcessEnv, name: string): Network[] {
  return readList(env, name).map((entry) => {
    if (!ipaddr.isValidCIDR(entry)) {
      throw new SettingsError(`${name} must list networks in CIDR notation, such as 10.20.0.0/16`);
    }
    return ipaddr.parseCIDR(entry) as Network;
  });
}
