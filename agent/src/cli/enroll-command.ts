// `enroll`: writes the configuration, keeps the token, makes the device id and asks the hub for the device's own token.
import { join, resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import {
  loadConfig,
  parseConfig,
  readConfigText,
  writeConfigKeys,
} from '../config/agent-config.ts';
import { writeFileAtomically } from '../config/atomic-file.ts';
import { defaultDataDir, ensureDataDir, protectMachineFolder } from '../config/data-dir.ts';
import { describeDevice, loadIdentity } from '../config/device-identity.ts';
import { refuseBesideMachineAgent } from '../config/machine-agent.ts';
import { openTokenStore } from '../config/token-store.ts';
import { codeOf, messageOf, PlainError, Refused, UsageError } from '../runtime/errors.ts';
import { uuid7 } from '../runtime/uuid7.ts';
import { HubRefused, isTokenRefused, isWorthRetrying } from '../sync/backoff.ts';
import { loadTokens } from '../sync/device-token.ts';
import { createSyncClient, type SyncClient } from '../sync/hub-client.ts';
import { readDeltaPage } from '../sync/hub-responses.ts';
import { print, requireBackend } from './command-context.ts';
import type { GlobalOptions } from './config-locator.ts';
import { adviseOn } from './hub-advice.ts';

export interface EnrollOptions extends GlobalOptions {
  baseUrl: string;
  tenantId: string;
  subscriberId: string;
  authTokenStdin?: boolean;
  authToken?: string;
  enforcement?: string;
  proxy?: string;
  caFile?: string;
  pinSha256?: string;
  owner?: string;
}

/** Returns the keys to write into the configuration. */
function changesOf(options: EnrollOptions, env: NodeJS.ProcessEnv, dataDir: string) {
  // From the environment, too: a password in a command's words is seen by everybody.
  const proxy = options.proxy ?? (env.GATEWARDEN_PROXY || undefined);
  // An installation by sudo is usually for the person who runs it.
  const owner = options.owner ?? (process.getuid?.() === 0 ? env.SUDO_USER : undefined);
  return {
    'backend.base_url': options.baseUrl,
    'backend.tenant_id': options.tenantId,
    'backend.subscriber_id': options.subscriberId,
    'agent.data_dir': dataDir,
    ...(options.enforcement === undefined ? {} : { 'agent.enforcement': options.enforcement }),
    ...(proxy === undefined ? {} : { 'backend.proxy': proxy }),
    ...(owner === undefined || owner === 'root' ? {} : { 'backend.owner': owner }),
    ...(options.caFile === undefined ? {} : { 'backend.ca_file': resolve(options.caFile) }),
    ...(options.pinSha256 === undefined ? {} : { 'backend.pin_sha256': options.pinSha256 }),
  };
}

/** Runs the command. A hub that does not answer is no failure: the service asks at first contact. One that refuses is. */
export async function enroll(options: EnrollOptions, env: NodeJS.ProcessEnv): Promise<void> {
  refuseBesideMachineAgent();
  const dataDir = resolve(options.dataDir ?? defaultDataDir(env));
  const file = resolve(
    (options.config ?? env.GATEWARDEN_AGENT_CONFIG) || join(dataDir, 'agent.toml'),
  );
  const token = await readToken(options);
  const changes = changesOf(options, env, dataDir);
  checkBeforeWriting(changes);
  protectMachineFolder({ configFile: file, dataDir }, env);
  ensureDataDir(dataDir);
  const wasSetUp = loadConfig([{ path: file, required: false }]).backend !== null;
  const before = wasSetUp ? readConfigText(file, false) : null;
  writeConfigKeys(file, changes);
  const place = await openTokenStore(dataDir, env);
  const tokenBefore = before === null ? null : await place.read('agent_token').catch(() => null);
  if (token !== null) {
    await place.write('agent_token', token);
    writeConfigKeys(file, { 'backend.auth_token': null });
  } else await adoptToken(file, place);
  const identity = loadIdentity(dataDir, uuid7);
  const contact = await askForDeviceToken(file, identity.deviceId, place, env);
  const tokenKept = contact.error !== NO_TOKEN;
  const stays = contact.refused && before !== null;
  if (stays) {
    // A working token is not replaced by a token that the hub refuses.
    writeFileAtomically(file, before, 0o600);
    if (token !== null) await place.write('agent_token', tokenBefore);
  }
  print(
    options.json === true,
    {
      device_id: identity.deviceId,
      config: file,
      data_dir: dataDir,
      token_kept_in: place.where,
      device_token: contact.state,
      hub_error: contact.error,
    },
    () => [
      `Device ${identity.deviceId}`,
      stays
        ? `The previous configuration in ${file} is unchanged`
        : `Configuration written to ${file}`,
      place.where === 'keychain'
        ? 'Tokens are kept in the keychain'
        : `There is no keychain here: tokens are kept in ${join(dataDir, 'tokens.json')}, readable by its owner only`,
      printContact(contact, tokenKept),
    ],
  );
  // An installation on a thousand devices must fail visibly: the service would retry for ever.
  if (contact.refused) {
    throw new Refused(`the hub refuses this device: ${contact.error}: ${contact.advice}`);
  }
}

function printContact({ state, error, refused }: Contact, tokenKept: boolean): string {
  if (error === null) return `Device token: ${state}`;
  if (!tokenKept) {
    return 'This agent has no token: the hub cannot be asked until "enroll --auth-token-stdin" stored a token';
  }
  if (refused) return 'Device token: none';
  const advice = /certificate/.test(error)
    ? '; for a private CA enroll again with --ca-file FILE'
    : '';
  return `The hub could not be reached (${error}); the service tries again${advice}`;
}

/** Returns the token of the options; null without one. Rejects an invalid token with a UsageError. */
async function readToken({ authTokenStdin, authToken }: EnrollOptions): Promise<string | null> {
  const isFromInput = authTokenStdin === true;
  const token = isFromInput ? (await readAll(process.stdin)).trim() : (authToken ?? null);
  if (token !== null && !/^[\x21-\x7e]{1,4096}$/.test(token)) {
    throw new UsageError(isFromInput ? 'standard input has no token' : '--auth-token is no token');
  }
  return token;
}

/** The same rules as for the file, with the option's key in the line. */
function checkBeforeWriting(changes: Record<string, string>): void {
  const sections = { backend: [] as string[], agent: [] as string[] };
  for (const [key, value] of Object.entries(changes)) {
    const [section, name] = key.split('.');
    if (section === 'backend' || section === 'agent') {
      sections[section].push(`${name} = ${JSON.stringify(value)}`);
    }
  }
  const toml = ['[backend]', ...sections.backend, '[agent]', ...sections.agent].join('\n');
  try {
    parseConfig(toml, 'enroll');
  } catch (error) {
    throw error instanceof PlainError ? new UsageError(error.message) : error;
  }
}

/** Moves a token from the configuration file into the token store. `left` where the file cannot be changed. */
export async function adoptToken(
  file: string | null,
  place: Awaited<ReturnType<typeof openTokenStore>>,
): Promise<'moved' | 'left' | 'none'> {
  if (file === null) return 'none';
  const token = loadConfig([{ path: file, required: true }]).backend?.authToken ?? null;
  if (token === null) return 'none';
  await place.write('agent_token', token);
  try {
    writeConfigKeys(file, { 'backend.auth_token': null });
    return 'moved';
  } catch {
    // The file belongs to a read-only image: the caller reports that it contains the token still.
    return 'left';
  }
}

const NO_TOKEN = 'no agent token was given';

interface Contact {
  state: string;
  error: string | null;
  /** The hub was there, and this token is good for nothing. */
  refused: boolean;
  advice?: string;
}

async function askForDeviceToken(
  file: string,
  deviceId: string,
  place: Awaited<ReturnType<typeof openTokenStore>>,
  env: NodeJS.ProcessEnv,
): Promise<Contact> {
  const { backend } = requireBackend(loadConfig([{ path: file, required: true }]));
  const { tenantId, subscriberId } = backend;
  const tokens = await loadTokens(place, `${deviceId}|${tenantId}|${subscriberId}`, Date.now);
  if (tokens.current() === null) return { state: 'none', error: NO_TOKEN, refused: false };
  const device = describeDevice(deviceId);
  const client = createSyncClient({ backend, device, token: tokens.current, env });
  try {
    const state = await tokens.ensure(client, subscriberId);
    if (state !== 'not offered') return { state, error: null, refused: false };
    return { state, ...(await lookForHub(client)) };
  } catch (error) {
    const [refused, advice] = [isTokenRefused(error), adviseOn(error)];
    return { state: 'none', error: messageOf(error), refused, advice };
  } finally {
    client.close();
  }
}

/** An older hub offers no tokens of devices, but answers all else; where none answers, the address is wrong. */
async function lookForHub(client: SyncClient): Promise<Omit<Contact, 'state'>> {
  try {
    await client.get('delta', { limit: '1' }, null, readDeltaPage);
    return { error: null, refused: false };
  } catch (error) {
    // A passing failure (429, 503, no answer) does not concern the address. A system's code marks a lost connection;
    // an unreadable answer has no code.
    const isLost = error instanceof Error && codeOf(error.cause) !== null;
    const passes = isLost || (error instanceof HubRefused && isWorthRetrying(error));
    return { error: messageOf(error), refused: !passes, advice: adviseOn(error) };
  }
}
