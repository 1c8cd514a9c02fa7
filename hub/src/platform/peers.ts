// Other hub processes of this database, and settings in which they differ from this process. Each process stores a row with a
// keyed digest of every setting that must be equal; values never enter the database.
import { createHmac, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { type Db, rows } from './db/database.ts';

/** Settings that must be equal in all hubs of a database, by variable (docs/how-to/scale-out.md lists them). */
const SHARED_SETTINGS = {
  GATEWAY_BASE_URL: (config) => config.baseUrl,
  HUB_ALLOWED_PRIVATE_NETWORKS: (config) => config.allowedPrivateNetworks.map(String).sort(),
  HUB_TRUSTED_PROXIES: (config) => config.trustedProxies.map(String).sort(),
  HUB_SMTP_URL: (config) => config.mail,
  LOGIN_ISSUER: (config) => config.login,
  LLMGATEWAY_MANAGEMENT_API_ENABLED: (config) => config.managementApi.enabled,
  MCP_OAUTH_PKCE: (config) => config.mcpPkce,
  COMPLETELY_NO_GPU: (config) => config.noModelTests,
  HUB_PROVIDER_NAMES: (config) => config.providerNames,
  HUB_LLM_GATEWAY_URL: (config) => config.llmGatewayUrl,
  HUB_DEVICE_RATE: (config) => config.deviceRate,
  HUB_TOKEN_RATE: (config) => config.tokenRate,
  HUB_NODE_RATE: (config) => config.nodeRate,
  HUB_TENANT_STREAMS: (config) => config.tenantStreams,
  HUB_POLL_SECONDS_MAX: (config) => config.pollSecondsMax,
} as const satisfies Record<string, (config: Config) => unknown>;
export type SharedSetting = keyof typeof SHARED_SETTINGS;
const NAMES = Object.keys(SHARED_SETTINGS) as SharedSetting[];

type Digests = Record<string, string>;

const HEARTBEAT_MS = 30_000;
/** A process is dead after three missed heartbeats. */
const ALIVE_SECONDS = 90;

export interface Peers {
  /** Id of this process. */
  id: string;
  /** The settings in which another running hub differs from this one. */
  differing(): Promise<SharedSetting[]>;
}

/** Returns the keyed digest of each shared setting. */
export function digestsOf(config: Config, key: Buffer): Digests {
  return Object.fromEntries(
    NAMES.map((name) => {
      const value = JSON.stringify(SHARED_SETTINGS[name](config));
      return [name, createHmac('sha256', key).update(`setting ${name} ${value}`).digest('hex')];
    }),
  );
}

/** Registers this process, and logs a warning if its settings differ from another running hub. */
export async function joinPeers(
  db: Db,
  config: Config,
  key: Buffer,
  log: Logger,
): Promise<Peers & { leave(): Promise<void> }> {
  const id = randomUUID();
  const own = digestsOf(config, key);
  const sendHeartbeat = () =>
    sql`
    INSERT INTO hub_processes (process_id, seen_at, settings)
    VALUES (${id}, ${new Date()}::timestamptz, ${JSON.stringify(own)}::jsonb)
    ON CONFLICT (process_id) DO UPDATE SET seen_at = excluded.seen_at`.execute(db);
  await sql`
    DELETE FROM hub_processes WHERE seen_at < now() - make_interval(secs => ${ALIVE_SECONDS})`.execute(
    db,
  );
  await sendHeartbeat();
  const peers: Peers = {
    id,
    async differing() {
      const others = await rows(
        db,
        sql<{ settings: Digests }>`
          SELECT settings FROM hub_processes WHERE process_id <> ${id}
            AND seen_at >= now() - make_interval(secs => ${ALIVE_SECONDS})`,
      );
      return NAMES.filter((name) => others.some(({ settings }) => settings[name] !== own[name]));
    },
  };
  const settings = await peers.differing();
  if (settings.length > 0) {
    log.warn(
      { event: 'settings_differ', settings },
      'settings differ from another hub of this database, but must be equal',
    );
  }
  const timer = setInterval(() => {
    sendHeartbeat().catch((error: unknown) => log.debug({ err: error }, 'heartbeat not stored'));
  }, HEARTBEAT_MS).unref();
  return {
    ...peers,
    async leave() {
      clearInterval(timer);
      await sql`DELETE FROM hub_processes WHERE process_id = ${id}`
        .execute(db)
        .catch(() => undefined);
    },
  };
}
