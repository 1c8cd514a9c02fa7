// Purpose: reads, validates and edits agent.toml; the help of each key is in setting-help.ts.
// Main types: `AgentConfig`, `BackendConfig`, `EnforcementMode`.
// Invariants: an invalid file is refused with a single clear line; an edit keeps comments and survives a crash.
// Depends on: smol-toml (parsing), toml-editor (line edits), atomic-file (writes).
// Start reading at `loadConfig` and `parseConfig`.
import { isAbsolute, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isUuid } from '@gatewarden/shared/uuid.ts';
import { CronPattern } from 'croner';
import { parse, stringify, TomlError } from 'smol-toml';
import { AS_THE_AGENT, codeOf, messageOf, PlainError } from '../runtime/errors.ts';
import { agentScope } from './agent-scope.ts';
import { writeFileAtomically } from './atomic-file.ts';
import { windowsFolder } from './data-dir.ts';
import { parseDuration } from './duration.ts';
import { proxyAddress } from './proxy-address.ts';
import type { SettingKey } from './setting-help.ts';
import { readSettingsFile } from './settings-file.ts';
import { editKey } from './toml-editor.ts';

export type EnforcementMode = 'monitor' | 'enforce' | 'off';
export const ENFORCEMENT_MODES: readonly EnforcementMode[] = ['monitor', 'enforce', 'off'];

export interface BackendConfig {
  baseUrl: string;
  tenantId: string;
  subscriberId: string;
  /** Only until the first run moves it into the token store. */
  authToken: string | null;
  /** PEM certificates trusted besides those that Node brings. */
  caFile: string | null;
  /** SHA-256 of the public key that the hub must show, in lower-case hex; of any of several, between commas. */
  pin: string | null;
  /** Replaces the environment's setting: the environment of a service differs from its administrator's. */
  proxy: string | null;
  /** Name or uid of the owner's account on this device; null: the only account with a home directory. */
  owner: string | null;
}

export interface AgentConfig {
  /** Path of the file; null where only defaults apply. */
  file: string | null;
  /** Null until `enroll` (or an installer) has written it. */
  backend: BackendConfig | null;
  dataDir: string | null;
  discoveryIntervalMs: number;
  /** Interval of checks for changed places. */
  changeIntervalMs: number;
  deltaIntervalMs: number;
  /** Time of the daily full report as a cron pattern; null: at a minute derived from the device id. */
  dailySchedule: string | null;
  enforcement: EnforcementMode;
  killsPerMinute: number;
  /** So many unexpected ends in ten minutes, and the next run only monitors; 0: it never minds. */
  crashLimit: number;
  /** Enforce also where nobody has tried it on a real machine: macOS and Windows. */
  allowUntestedPlatform: boolean;
  /** Names of the discovery sources; null means all. */
  sources: readonly string[] | null;
  update: {
    enabled: boolean;
    channel: string;
    /** Public key of updates, instead of the package's: SPKI in base64. */
    publicKey: string | null;
  };
}

export const MIN_INTERVAL_MS = 1000;
/** The present key and the next key, so that a hub may change it. */
const MAX_PINS = 8;
/** Codes of a refused access: on Linux and macOS, and on Windows. */
const ACCESS_CODES = ['EACCES', 'EPERM'];
const MAX_INTERVAL_MS = 7 * 86_400_000;

type Read = (key: string, value: unknown) => unknown;

/** Every key of the file, and how its value is read. A new setting is a new row here and in setting-help.ts. */
const KEYS: Record<SettingKey, Read> = {
  'backend.base_url': (key, value) => checkBaseUrl(key, readText(key, value)),
  'backend.tenant_id': (key, value) => {
    const text = readText(key, value);
    return isUuid(text) ? text.toLowerCase() : fail(key, 'must be a UUID');
  },
  'backend.subscriber_id': (key, value) => {
    // The value as HTTP sends it: blanks at either end of a header are cut.
    const text = readText(key, value).trim();
    return /^[\x20-\x7e]{1,128}$/.test(text)
      ? text
      : fail(key, 'must be 1 to 128 printable ASCII characters');
  },
  'backend.auth_token': (key, value) => {
    const text = readText(key, value);
    return /^[\x21-\x7e]{1,4096}$/.test(text) ? text : fail(key, 'must be printable and unbroken');
  },
  'backend.ca_file': readPath,
  'backend.pin_sha256': (key, value) => {
    const pins = readText(key, value)
      .replaceAll(':', '')
      .toLowerCase()
      .split(/\s*,\s*/);
    return pins.length <= MAX_PINS && pins.every((pin) => /^[0-9a-f]{64}$/.test(pin))
      ? pins.join(',')
      : fail(key, 'must be a SHA-256 in hex, or several between commas');
  },
  'backend.proxy': (key, value) => proxyAddress(key, readText(key, value)),
  'backend.owner': (key, value) => {
    const text = readText(key, value);
    return /^[^\s/\\:]{1,256}$/.test(text) ? text : fail(key, 'must be the name of an account');
  },
  'agent.data_dir': readPath,
  'agent.discovery_interval': readInterval,
  'agent.change_interval': readInterval,
  'agent.delta_interval': readInterval,
  'agent.daily_schedule': readSchedule,
  'agent.enforcement': (key, value) =>
    ENFORCEMENT_MODES.find((mode) => mode === value) ??
    fail(key, `must be one of ${ENFORCEMENT_MODES.join(', ')}`),
  'agent.kills_per_minute': (key, value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1000
      ? value
      : fail(key, 'must be a whole number from 1 to 1000'),
  'agent.crash_limit': (key, value) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100
      ? value
      : fail(key, 'must be a whole number from 0 to 100'),
  'agent.allow_untested_platform': readSwitch,
  'discovery.sources': (key, value) => {
    if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) {
      return fail(key, 'must be a list of source names');
    }
    return value.length > 0 ? value : fail(key, 'must name a source: without the key all are used');
  },
  'update.enabled': readSwitch,
  'update.channel': (key, value) => {
    const text = readText(key, value);
    return /^[a-z][a-z0-9-]{0,31}$/.test(text) ? text : fail(key, 'must be a short name');
  },
  'update.public_key': (key, value) => {
    const text = readText(key, value);
    return /^[A-Za-z0-9+/]{59}=$/.test(text)
      ? text
      : fail(key, 'must be a public key of Ed25519 (SPKI in base64)');
  },
};

/** Candidates of the configuration, first match wins; an explicit path must exist. */
export function configCandidates(hints: {
  config?: string | undefined;
  dataDir: string;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}): { path: string; required: boolean }[] {
  if (hints.config !== undefined) return [{ path: hints.config, required: true }];
  const { GATEWARDEN_AGENT_CONFIG: named } = hints.env;
  if (named) return [{ path: named, required: true }];
  return [
    { path: join(hints.dataDir, 'agent.toml'), required: false },
    { path: systemConfigFile(hints.platform, hints.env), required: false },
  ];
}

function systemConfigFile(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string {
  if (platform === 'win32') return join(windowsFolder(env, agentScope(platform)), 'agent.toml');
  if (platform === 'darwin') return '/Library/Application Support/Gatewarden/agent.toml';
  return '/etc/gatewarden/agent.toml';
}

/** Reads the first existing candidate; the defaults where none exists. Throws a `PlainError` on an invalid file. */
export function loadConfig(
  candidates: { path: string; required: boolean }[],
  { passOver = false }: { passOver?: boolean } = {},
): AgentConfig {
  for (const { path, required } of candidates) {
    const text = readConfigText(path, required, passOver);
    if (text !== null) return parseConfig(text, path);
  }
  return parseConfig('', null);
}

/** `passOver`: what this account may not read, and was not asked to, counts as not there. */
export function readConfigText(path: string, required: boolean, passOver = false): string | null {
  try {
    return readSettingsFile(path);
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (!required && ['ENOENT', 'ENOTDIR', ...(passOver ? ACCESS_CODES : [])].includes(code)) {
      return null;
    }
    const advice = ACCESS_CODES.includes(code) ? `: ${AS_THE_AGENT}` : '';
    throw new PlainError(`cannot read the configuration ${path}: ${messageOf(error)}${advice}`);
  }
}

/** Reads the text of an agent.toml. */
export function parseConfig(text: string, file: string | null): AgentConfig {
  const found = readKeys(parseToml(text, file), file);
  const value = <T>(key: string, otherwise: T): T => (found.get(key) as T | undefined) ?? otherwise;
  const has = ['base_url', 'tenant_id', 'subscriber_id'].map((k) => found.has(`backend.${k}`));
  if (has.includes(true) && has.includes(false)) {
    const missing = ['base_url', 'tenant_id', 'subscriber_id'][has.indexOf(false)];
    throw new PlainError(`${file ?? 'configuration'}: backend.${missing} is missing`);
  }
  return {
    file,
    backend: has.includes(false)
      ? null
      : {
          baseUrl: value('backend.base_url', ''),
          tenantId: value('backend.tenant_id', ''),
          subscriberId: value('backend.subscriber_id', ''),
          authToken: value<string | null>('backend.auth_token', null),
          caFile: value<string | null>('backend.ca_file', null),
          pin: value<string | null>('backend.pin_sha256', null),
          proxy: value<string | null>('backend.proxy', null),
          owner: value<string | null>('backend.owner', null),
        },
    dataDir: value<string | null>('agent.data_dir', null),
    discoveryIntervalMs: value('agent.discovery_interval', 30 * 60_000),
    changeIntervalMs: value('agent.change_interval', 15_000),
    deltaIntervalMs: value('agent.delta_interval', 60_000),
    dailySchedule: value<string | null>('agent.daily_schedule', null),
    enforcement: value<EnforcementMode>('agent.enforcement', 'monitor'),
    killsPerMinute: value('agent.kills_per_minute', 20),
    crashLimit: value('agent.crash_limit', 3),
    allowUntestedPlatform: value('agent.allow_untested_platform', false),
    sources: value<string[] | null>('discovery.sources', null),
    update: {
      enabled: value('update.enabled', true),
      channel: value('update.channel', 'stable'),
      publicKey: value<string | null>('update.public_key', null),
    },
  };
}

function parseToml(text: string, file: string | null): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const line = error.message.split('\n')[0];
    throw new PlainError(`${file ?? 'configuration'}: line ${error.line}: ${line}`);
  }
}

function readKeys(document: Record<string, unknown>, file: string | null): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [section, table] of Object.entries(document)) {
    if (typeof table !== 'object' || table === null || Array.isArray(table)) {
      const isKnown = Object.keys(KEYS).some((key) => key.startsWith(`${section}.`));
      const why = isKnown ? `must be a single section, [${section}]` : 'is not a known section';
      throw new PlainError(`${file ?? 'configuration'}: ${section} ${why}`);
    }
    for (const [name, value] of Object.entries(table)) {
      const key = `${section}.${name}`;
      const read = (KEYS as Partial<Record<string, Read>>)[key];
      if (read === undefined) {
        throw new PlainError(`${file ?? 'configuration'}: ${key} is not a known key`);
      }
      try {
        found.set(key, read(key, value));
      } catch (error) {
        throw new PlainError(`${file ?? 'configuration'}: ${messageOf(error)}`);
      }
    }
  }
  return found;
}

function fail(key: string, why: string): never {
  throw new PlainError(`${key} ${why}`);
}

function readText(key: string, value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') {
    return fail(key, 'must be a text that is not empty');
  }
  return /\p{Cc}/u.test(value) ? fail(key, 'must contain no control characters') : value;
}

/** A service starts in a folder of its manager's choice: a relative path would be another for each. */
function readPath(key: string, value: unknown): string {
  const text = readText(key, value);
  return isAbsolute(text) ? text : fail(key, 'must be an absolute path');
}

function readSwitch(key: string, value: unknown): boolean {
  return typeof value === 'boolean' ? value : fail(key, 'must be true or false');
}

function readInterval(key: string, value: unknown): number {
  const ms = typeof value === 'string' ? parseDuration(value) : null;
  if (ms === null) return fail(key, 'must be a duration such as "30m" or "60s"');
  if (ms < MIN_INTERVAL_MS || ms > MAX_INTERVAL_MS) {
    return fail(key, 'must be between "1s" and "7d"');
  }
  return ms;
}

function readSchedule(key: string, value: unknown): string {
  const text = readText(key, value);
  try {
    new CronPattern(text);
  } catch {
    return fail(key, 'must be a cron pattern such as "30 12 * * *"');
  }
  // A sixth field in front is for seconds, and a full report every second is useless.
  const fields = text.trim().split(/\s+/);
  return fields.length <= 5 || /^\d+$/.test(fields[0] ?? '')
    ? text
    : fail(key, 'must name a single second, or none: "30 12 * * *"');
}

/** An https origin (http only on loopback: tokens travel in every request), without user info, query or final slash. */
export function checkBaseUrl(key: string, text: string): string {
  if (!URL.canParse(text)) return fail(key, 'must be a URL');
  const url = new URL(text);
  const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
    return fail(key, 'must be https (http only to loopback)');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return fail(key, 'must contain no user, query or fragment');
  }
  return url.href.replace(/\/+$/, '');
}

/** Changes values of a configuration file (null removes a key) and keeps all other lines, including comments. */
export function writeConfigKeys(
  file: string,
  changes: Record<string, string | number | null>,
): void {
  const text = readConfigText(file, false) ?? '';
  const document = parseToml(text, file);
  readKeys(document, file);
  let edited = text;
  for (const [key, value] of Object.entries(changes)) {
    const [section = '', name = ''] = key.split('.');
    const table = (document[section] ?? {}) as Record<string, unknown>;
    if (value === null) delete table[name];
    else table[name] = value;
    document[section] = table;
    edited = editKey(edited, key, value);
  }
  const written = parsesTo(edited, document) ? edited : `${stringify(document)}\n`;
  try {
    writeFileAtomically(file, written, 0o600);
  } catch (error) {
    throw new PlainError(`cannot write the configuration ${file}: ${messageOf(error)}`);
  }
}

/** A value on several lines or an inline table cannot be edited line by line: only its meaning is kept then. */
function parsesTo(text: string, document: Record<string, unknown>): boolean {
  try {
    const filled = Object.entries(document).filter(([, table]) => Object.keys(table ?? {}).length);
    const read = Object.entries(parse(text)).filter(([, table]) => Object.keys(table).length);
    return isDeepStrictEqual(plain(read), plain(filled));
  } catch {
    // The edited text does not parse any more.
    return false;
  }
}

const plain = (sections: [string, unknown][]): unknown =>
  JSON.parse(JSON.stringify(Object.fromEntries(sections)));
