// `doctor`: looks for the usual mistakes in configuration, data folder, tokens, hub, clock and sources.
import { accessSync, constants } from 'node:fs';
import { describeDevice, loadIdentity } from '../config/identity.ts';
import { openTokenStore } from '../config/token-store.ts';
import { askService } from '../control/client.ts';
import { scanMachine } from '../discovery/machine.ts';
import { rememberedSettings } from '../discovery/settings.ts';
import { messageOf, PlainError } from '../errors.ts';
import type { AgentStatus } from '../status.ts';
import { readDeltaPage } from '../sync/answers.ts';
import { createSyncClient } from '../sync/client.ts';
import { loadTokens } from '../sync/device-token.ts';
import { uuid7 } from '../uuid7.ts';
import { type CommandContext, oneLine, openContext, print, requireBackend } from './context.ts';
import type { GlobalOptions } from './locate.ts';

interface Check {
  check: string;
  ok: boolean;
  detail: string;
}

const MAX_SKEW_MS = 5 * 60_000;

/** The checks, in the order in which a mistake in one explains those after it. */
const CHECKS: Record<string, (context: CommandContext) => Promise<string>> = {
  configuration: async ({ config }) => {
    requireBackend(config);
    return config.file ?? 'defaults';
  },
  data_folder: async ({ dataDir }) => {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return dataDir;
  },
  token: async ({ dataDir, env }) => {
    const place = await openTokenStore(dataDir, env);
    const device = (await place.read('device_token')) !== null;
    if (!device && (await place.read('agent_token')) === null) {
      throw new PlainError(`no token in the ${place.where}: run "enroll --auth-token-stdin"`);
    }
    return `${device ? 'device' : 'agent'} token in the ${place.where}`;
  },
  service: async ({ dataDir }) => {
    const status = await askService<AgentStatus>(dataDir, 'status', 'GET', '/status');
    return status === null ? 'not running' : `running, enforcement ${status.enforcement}`;
  },
  hub_and_clock: askHub,
  sources: async ({ config, env, dataDir }) => {
    const { coverage, entities } = await scanMachine({
      sources: config.sources,
      env,
      settings: rememberedSettings(dataDir),
      dataDir,
    });
    // What stands in a person's home is that person's: a broken file there is no fault of the installation.
    const ours = coverage.filter((row) => row.owner === null);
    const bad = ours.filter((row) => !['read', 'absent', 'skipped'].includes(row.state));
    if (bad.length > 0) {
      throw new PlainError(
        bad.map((row) => `${row.source} is ${row.state}: ${row.reason}`).join('; '),
      );
    }
    return `${entities.length} entities from ${new Set(coverage.map((row) => row.source)).size} sources`;
  },
};

async function askHub({ config: found, dataDir, env }: CommandContext): Promise<string> {
  const config = requireBackend(found);
  const { baseUrl, tenantId, subscriberId } = config.backend;
  const { deviceId } = loadIdentity(dataDir, uuid7);
  const owner = `${deviceId}|${tenantId}|${subscriberId}`;
  const tokens = await loadTokens(await openTokenStore(dataDir, env), owner, Date.now);
  const device = describeDevice(deviceId);
  const { backend } = config;
  const client = createSyncClient({ backend, device, token: tokens.current, env });
  try {
    const { value } = await client.get('delta', { limit: '1' }, null, readDeltaPage);
    const skewMs = Date.now() - Date.parse(value?.server_time ?? '');
    if (Math.abs(skewMs) > MAX_SKEW_MS) {
      throw new PlainError(`this clock is ${Math.round(skewMs / 1000)} s away from the hub's`);
    }
    return `${baseUrl} answers, clocks are ${Math.abs(Math.round(skewMs / 1000))} s apart`;
  } finally {
    client.close();
  }
}

/** Runs all checks; exit 1 where one fails, with the first in the line. */
export async function doctor(options: GlobalOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const context = openContext(options, env);
  const checks: Check[] = [];
  for (const [check, look] of Object.entries(CHECKS)) {
    try {
      checks.push({ check, ok: true, detail: await look(context) });
    } catch (error) {
      checks.push({ check, ok: false, detail: messageOf(error) });
    }
  }
  print(context.json, { checks }, () =>
    checks.map((c) => `${c.ok ? 'ok  ' : 'BAD '} ${c.check.padEnd(14)} ${oneLine(c.detail)}`),
  );
  const bad = checks.filter((c) => !c.ok);
  if (bad.length > 0) {
    throw new PlainError(
      `${bad.length} of ${checks.length} checks failed: ${bad.map((c) => c.check).join(', ')}`,
    );
  }
}
