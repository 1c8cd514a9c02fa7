// `support-bundle`: a file with the facts that support needs, and without secrets or user names.
import { lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join, resolve } from 'node:path';
import type { AgentStatus } from '@gatewarden/shared/wire/local/service.ts';
import { readRegularFile } from '../config/atomic-file.ts';
import { openTokenStore } from '../config/token-store.ts';
import { findHomes } from '../discovery/homes/home-finder.ts';
import { namesOf, withoutHomes } from '../discovery/homes/home-list.ts';
import { redactArguments, redactText } from '../discovery/redaction/argument-redaction.ts';
import { isSecretName } from '../discovery/redaction/secret-names.ts';
import { askService } from '../local-api/socket-client.ts';
import { messageOf, PlainError } from '../runtime/errors.ts';
import { logFiles } from '../runtime/log.ts';
import { listAlerts } from '../store/alert-store.ts';
import { openStoreForReading } from '../store/store-database.ts';
import { AGENT_VERSION } from '../version.ts';
import { openContext, print } from './command-context.ts';
import type { GlobalOptions } from './config-locator.ts';
import { runChecks } from './doctor-checks.ts';

export interface BundleOptions extends GlobalOptions {
  output?: string;
}

/** Minimum length of a secret: a shorter text would match in every word. */
const MIN_SECRET = 4;
const PROXIES = ['https_proxy', 'http_proxy', 'all_proxy', 'ftp_proxy'].flatMap((name) => [
  name,
  name.toUpperCase(),
]);
/** Homes that this machine does not know (any more) have somebody's name, too. */
const ANY_HOME = /(?:[A-Za-z]:)?[\\/](?:home|Users)[\\/]+[^\\/\s"':;,)]+/g;
/** On several lines of a log that is no JSON. */
const PRIVATE_KEY = /-----BEGIN [^-]{1,64}-----[\s\S]*?(?:-----END [^-]{1,64}-----|$)/g;
const MAX_LOG_LINES = 5000;
const MAX_QUEUE = 10_000;
/** Ids of the agent's own: they are no secrets, and useless when cut. */
const OWN_ID = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64})$/;

/** Writes the bundle, for its owner alone, and prints its path. */
export async function supportBundle(options: BundleOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const context = openContext(options, env);
  const { config, dataDir, json } = context;
  const clean = await makeCleaner(context);
  const { backend, ...settings } = config;
  const bundle = {
    made_at: new Date().toISOString(),
    agent: { version: AGENT_VERSION, node: process.version, user_id: process.getuid?.() ?? null },
    system: { platform: process.platform, arch: process.arch, release: release() },
    configuration: {
      ...settings,
      backend: backend && {
        baseUrl: backend.baseUrl,
        tenantId: backend.tenantId,
        caFile: backend.caFile,
        hasPin: backend.pin !== null,
        // The proxy with its name and password, if any.
        hasProxy: backend.proxy !== null,
        hasTokenInFile: backend.authToken !== null,
      },
    },
    proxies: Object.keys(env).filter((name) => /^(https?|no|all|ftp)_proxy$/i.test(name)),
    data_folder: listFolder(dataDir),
    status: await askStatus(dataDir),
    doctor: await runChecks(context),
    queue: describeQueue(dataDir),
    log: readLog(join(dataDir, 'logs')),
  };
  const file = resolve(options.output ?? `gatewarden-support-${Date.now()}.json`);
  try {
    writeFileSync(file, `${JSON.stringify(clean(bundle), null, 1)}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new PlainError(`cannot write ${file}: ${messageOf(error)}`);
  }
  print(json, { file }, () => [
    `Written to ${file}`,
    'Tokens, names of people and homes are cut out. Look through it before you pass it on.',
  ]);
}

/** Cuts the agent's secrets, texts that look like secrets, the user's name, and paths of homes. */
async function makeCleaner({
  config,
  dataDir,
  env,
}: ReturnType<typeof openContext>): Promise<(value: unknown) => unknown> {
  const place = await openTokenStore(dataDir, env);
  const own = [
    await place.read('device_token'),
    await place.read('agent_token'),
    await place.read('enrolment_key'),
    config.backend?.authToken ?? null,
    config.backend?.subscriberId ?? null,
  ].flatMap((secret) => (secret === null || secret === '' ? [] : [secret]));
  const proxies = [config.backend?.proxy, ...PROXIES.map((name) => env[name])];
  const written = [...own, ...proxies.flatMap((proxy) => loginOf(proxy ?? ''))].flatMap((text) => [
    text,
    encodeURIComponent(text),
  ]);
  // However it is written: addresses of people in capitals, too.
  const known = [...new Set(written)]
    .sort((a, b) => b.length - a.length)
    .map((secret) => new RegExp(secret.replace(/[^A-Za-z0-9]/g, '\\$&'), 'gi'));
  const homes = (await findHomes())?.homes ?? [];
  const cleanText = (whole: string): string => {
    const text = known.reduce((rest, secret) => rest.replace(secret, '[cut]'), whole);
    if (OWN_ID.test(text)) return text;
    return redactText(withoutHomes(text, homes.flatMap(namesOf), '~').replace(ANY_HOME, '~'));
  };
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return cleanText(value);
    // The list may be a command line: a word then announces the meaning of the following word.
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
      return redactArguments(value).map(cleanText);
    }
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    const cleaned = Object.entries(value).map(([key, nested]) => {
      const isSecret = isSecretName(key) && nested !== null && typeof nested !== 'boolean';
      return [cleanText(key), isSecret ? '[cut]' : clean(nested)];
    });
    return Object.fromEntries(cleaned);
  };
  return clean;
}

/** Returns the credentials of a proxy, as written and decoded: a name alone may be a token. */
function loginOf(proxy: string): string[] {
  const [, name = '', password = ''] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/@:]*)(?::([^/]*))?@/i.exec(proxy) ?? [];
  return [name, password].filter((text) => text.length >= MIN_SECRET).flatMap(asMeant);
}

function asMeant(written: string): string[] {
  try {
    return [written, decodeURIComponent(written)];
  } catch {
    // Not encoded, whatever it looks like.
    return [written];
  }
}

/** Names, sizes and modes; nothing of what is in them, nor of whom a key is. */
function listFolder(folder: string): object[] {
  try {
    return readdirSync(folder).map((name) => {
      const { size, mode, uid, mtime } = lstatSync(join(folder, name));
      return {
        name,
        size,
        mode: (mode & 0o7777).toString(8),
        uid,
        changed_at: mtime.toISOString(),
      };
    });
  } catch (error) {
    return [{ problem: messageOf(error) }];
  }
}

async function askStatus(dataDir: string): Promise<AgentStatus | string> {
  try {
    return (await askService<AgentStatus>(dataDir, 'status', 'GET', '/status')) ?? 'not running';
  } catch (error) {
    return messageOf(error);
  }
}

/** How many of what kind: not about whom. */
function describeQueue(dataDir: string): object {
  const db = openStoreForReading(dataDir);
  if (db === null) return {};
  try {
    const counts: Record<string, number> = {};
    for (const { alert, refused } of listAlerts(db, MAX_QUEUE)) {
      const kind = [alert.severity, alert.code ?? alert.action, ...(refused ? ['refused'] : [])];
      counts[kind.join(' ')] = (counts[kind.join(' ')] ?? 0) + 1;
    }
    return counts;
  } catch (error) {
    return { problem: messageOf(error) };
  } finally {
    db.close();
  }
}

/** The last lines, oldest first. */
function readLog(folder: string): unknown[] {
  const lines: unknown[] = [];
  for (const file of logFiles(folder)) {
    if (lines.length >= MAX_LOG_LINES) break;
    try {
      const own = readRegularFile(file)
        .replace(PRIVATE_KEY, '[cut]')
        .trimEnd()
        .split('\n')
        .map(parseLine);
      lines.unshift(...own);
    } catch {
      // There are not that many.
    }
  }
  return lines.slice(-MAX_LOG_LINES);
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
