// Checks for the usual mistakes, each with its remedy. Earlier checks explain failures of later
// checks.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentStatus } from '@gatewarden/shared/wire/local/service.ts';
import type { AgentConfig } from '../config/agent-config.ts';
import { describeDevice, loadIdentity } from '../config/device-identity.ts';
import { openTokenStore } from '../config/token-store.ts';
import { readStoredSettings } from '../discovery/scan/discovery-settings.ts';
import { scanMachine } from '../discovery/scan/machine-scan.ts';
import { openKillSwitch } from '../enforcement/enforcement-mode.ts';
import { askService } from '../local-api/socket-client.ts';
import { socketPath } from '../local-api/socket-paths.ts';
import { AS_THE_AGENT, codeOf, messageOf, PlainError } from '../runtime/errors.ts';
import { uuid7 } from '../runtime/uuid7.ts';
import { hubTimeOfThisBoot } from '../store/hub-clock.ts';
import { openState } from '../store/state-store.ts';
import { inspectStore, isDataDirLocked, openStoreForReading } from '../store/store-database.ts';
import { loadTokens } from '../sync/device-token.ts';
import { createSyncClient } from '../sync/hub-client.ts';
import { proxyOnTheWay } from '../sync/hub-connector.ts';
import { readDeltaPage } from '../sync/hub-responses.ts';
import { AGENT_VERSION } from '../version.ts';
import { requireBackend } from './command-context.ts';
import { adviseOn } from './hub-advice.ts';
import { describeEnforcement } from './inspect-commands.ts';

export interface Check {
  check: string;
  ok: boolean;
  detail: string;
}

export interface Checked {
  config: AgentConfig;
  dataDir: string;
  env: NodeJS.ProcessEnv;
}

const MAX_SKEW_MS = 5 * 60_000;
const ROOM_BYTES = 50 * 1024 * 1024;
/** Returns the line of a passed check; throws the line of a failed check. */
type Look = (checked: Checked) => string | Promise<string>;

const CHECKS: Record<string, Look> = {
  configuration({ config }) {
    requireBackend(config);
    return config.file ?? 'defaults';
  },
  secrets({ config, dataDir }) {
    const holders = [join(dataDir, 'tokens.json'), join(dataDir, 'agent.db')];
    if (config.file !== null && config.backend?.authToken) holders.push(config.file);
    const open = holders.filter((file) => isOpenToOthers(file, 0o077));
    if (open.length === 0) return 'for their owner alone';
    throw new PlainError(`others can read ${open.join(', ')}: chmod 600`);
  },
  data_folder({ dataDir }) {
    try {
      accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') {
        throw new PlainError(`${dataDir} is not there: "enroll" or the service's start makes it`);
      }
      throw new PlainError(`${dataDir} is not this account's to use: ${AS_THE_AGENT}`);
    }
    const { uid } = statSync(dataDir);
    const own = process.getuid?.() ?? uid;
    if (uid !== own || isOpenToOthers(dataDir, 0o022)) {
      throw new PlainError(`others can write to ${dataDir}: it must be this account's, chmod 711`);
    }
    return dataDir;
  },
  disk({ dataDir }) {
    // `data_folder` reports a missing folder.
    if (!existsSync(dataDir)) return 'not known without the data folder';
    const { bavail, bsize } = statfsSync(dataDir);
    return describeDiskSpace(bavail * bsize, dataDir);
  },
  async store({ dataDir }) {
    const problem = inspectStore(dataDir);
    if (problem === null) return 'sound';
    const status = await statusOf(dataDir).catch(() => null);
    // A version on trial may store it in a schema that this version does not know.
    if (status !== null && isOnTrial(status)) return `kept by ${status.agent_version}, on trial`;
    throw new PlainError(problem);
  },
  async token({ config, dataDir, env }) {
    const place = await openTokenStore(dataDir, env);
    if (config.backend?.authToken != null) {
      return `agent token in ${config.file}: the service moves it into the ${place.where} when it starts`;
    }
    const device = (await place.read('device_token')) !== null;
    if (!device && (await place.read('agent_token')) === null) {
      throw new PlainError(`no token in the ${place.where}: run "enroll --auth-token-stdin"`);
    }
    return `${device ? 'device' : 'agent'} token in the ${place.where}`;
  },
  async service({ dataDir, env }) {
    const status = await statusOf(dataDir).catch((error: unknown) => {
      throw new PlainError(`${messageOf(error)}: restart the service`);
    });
    if (status === null && isDataDirLocked(dataDir)) {
      throw new PlainError(
        `an agent runs on ${dataDir}, and its socket is gone (${socketPath(dataDir, 'status', env)}): it is opened again within seconds, else restart the service`,
      );
    }
    if (status === null) throw new PlainError(`no agent runs on ${dataDir}: start the service`);
    // Until it has passed, the launcher has the version before answer.
    if (isOnTrial(status)) return `running, ${status.agent_version} is on trial`;
    if (status.agent_version !== AGENT_VERSION) {
      throw new PlainError(
        `${status.agent_version} runs, ${AGENT_VERSION} is installed: restart the service`,
      );
    }
    return `running, enforcement ${describeEnforcement(status)}`;
  },
  kill_switch({ dataDir }) {
    if (!openKillSwitch(dataDir).isOff()) return 'not used';
    throw new PlainError('enforcement was turned off here: "gatewarden on" turns it on again');
  },
  async hub(checked) {
    if (checked.config.backend === null) return 'not known without the configuration';
    try {
      await askHub(checked);
    } catch (error) {
      // `disk` reports a disk without room for a device id.
      if (codeOf(error) === 'ENOSPC') return 'not known while nothing can be written';
      throw error;
    }
    return `${requireBackend(checked.config).backend.baseUrl} answers`;
  },
  async updates({ dataDir }) {
    // `service` reports a service that does not answer.
    const status = await statusOf(dataDir).catch(() => null);
    if (status === null) return 'not known without the service';
    const { off, refused, failed = null, bad } = status.update;
    if (refused !== null) throw new PlainError(`an update was refused: ${refused}`);
    // `hub` reports an unreachable hub.
    if (failed !== null && status.hub.reachable) {
      throw new PlainError(
        `an update could not be requested or fetched: ${failed}: it is tried again; if that stays, check the way to the hub (a proxy, a filter)`,
      );
    }
    const [last] = bad.slice(-1);
    if (last !== undefined) {
      throw new PlainError(
        `${last.version} did not work here (${last.reason}): wait for a newer version`,
      );
    }
    return off === null ? `on, channel ${status.update.channel}` : `off: ${off}`;
  },
  async clock(checked) {
    // A clock that is far off is a reason for which the hub is not believed: then what was heard before counts.
    const serverMs = await askHub(checked).catch(() => heardBefore(checked.dataDir));
    if (serverMs === null) return 'not known without the hub';
    const skewS = Math.round((Date.now() - serverMs) / 1000);
    if (Math.abs(skewS) * 1000 > MAX_SKEW_MS) {
      throw new PlainError(`this clock is ${skewS} s away from the hub's: set it, use NTP`);
    }
    return `${Math.abs(skewS)} s away from the hub's`;
  },
  async sources({ config, env, dataDir }) {
    const settings = readStoredSettings(dataDir);
    const scan = await scanMachine({ sources: config.sources, env, settings, dataDir });
    // Files in a home belong to its user: a broken file there is no fault of the installation.
    const ours = scan.coverage.filter((row) => row.owner === null);
    const bad = ours.filter((row) => !['read', 'absent', 'skipped'].includes(row.state));
    if (bad.length > 0) {
      throw new PlainError(
        bad.map((row) => `${row.source} is ${row.state}: ${row.reason}`).join('; '),
      );
    }
    const sources = new Set(scan.coverage.map((row) => row.source)).size;
    return `${scan.entities.length} entities from ${sources} sources`;
  },
};

const statusOf = (dataDir: string): Promise<AgentStatus | null> =>
  askService<AgentStatus>(dataDir, 'status', 'GET', '/status');

const isOnTrial = ({ agent_version, update }: AgentStatus): boolean =>
  update.off === `${agent_version} is on trial`;

/** Runs all checks in order; a failed check stops no other. */
export async function runChecks(checked: Checked): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [check, look] of Object.entries(CHECKS)) {
    try {
      checks.push({ check, ok: true, detail: await look(checked) });
    } catch (error) {
      checks.push({ check, ok: false, detail: messageOf(error) });
    }
  }
  return checks;
}

/** Throws where so little is left that the agent will soon remember nothing. */
export function describeDiskSpace(bytes: number, dataDir: string): string {
  const room = `${Math.floor(bytes / 1024 / 1024)} MB left`;
  if (bytes >= ROOM_BYTES) return room;
  throw new PlainError(
    `${room} for ${dataDir}: make room, alerts wait in memory only once it is full`,
  );
}

function heardBefore(dataDir: string): number | null {
  const db = openStoreForReading(dataDir);
  try {
    return db === null ? null : hubTimeOfThisBoot(openState(db));
  } finally {
    db?.close();
  }
}

/** The hub's time. */
async function askHub({ config: found, dataDir, env }: Checked): Promise<number> {
  const { backend } = requireBackend(found);
  const { deviceId } = loadIdentity(dataDir, uuid7);
  const owner = `${deviceId}|${backend.tenantId}|${backend.subscriberId}`;
  const tokens = await loadTokens(await openTokenStore(dataDir, env), owner, Date.now);
  const device = describeDevice(deviceId);
  const client = createSyncClient({
    ...{ backend, device, env },
    token: () => backend.authToken ?? tokens.current(),
  });
  try {
    const { value } = await client.get('delta', { limit: '1' }, null, readDeltaPage);
    return Date.parse(value?.server_time ?? '');
  } catch (error) {
    const proxy = proxyOnTheWay(new URL(backend.baseUrl), backend.proxy, env);
    throw new PlainError(`${backend.baseUrl}: ${describe(error)}: ${adviseOn(error, proxy)}`);
  } finally {
    client.close();
  }
}

/** OpenSSL quotes its own source files. */
const describe = (error: unknown): string =>
  messageOf(error).replace(/[0-9A-F]{8,}:error:[0-9A-F]+:[^:]*:[^:]*:([^:]*):.*$/s, '$1');

function isOpenToOthers(path: string, bits: number): boolean {
  if (process.platform === 'win32') return false;
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (stat.mode & bits) !== 0;
}
