// Everything that talks to the hub or remembers what it said, opened together over one store.
import { basename } from 'node:path';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import { describeDevice, loadIdentity } from '../config/identity.ts';
import type { TokenPlace } from '../config/token-store.ts';
import type { BackendConfig } from '../config/toml.ts';
import type { Log } from '../log.ts';
import { openAlerts } from '../store/alerts.ts';
import { openStore } from '../store/database.ts';
import { openHubClock } from '../store/hub-clock.ts';
import { openInventory } from '../store/inventory.ts';
import { openOverrides } from '../store/overrides.ts';
import { claimStore, openState } from '../store/state.ts';
import { uuid7 } from '../uuid7.ts';
import { openAccessRequests } from './access-requests.ts';
import { createActivitySender } from './activity.ts';
import { startAlertQueue } from './alert-queue.ts';
import { createSyncClient } from './client.ts';
import { loadTokens } from './device-token.ts';
import { createPuller } from './pull.ts';
import { createPusher } from './push.ts';

export type Backend = Awaited<ReturnType<typeof openBackend>>;

/** Opens store, tokens and client, and applies what a crash left received and not applied. */
export async function openBackend(options: {
  config: { backend: BackendConfig };
  dataDir: string;
  tokens: TokenPlace;
  env: NodeJS.ProcessEnv;
  log: Log;
  storeFailed: (error: unknown) => void;
  suspect?: boolean;
  /** The store as it was before a newer version took over, where a copy was kept. */
  storeBefore?: string | null;
}) {
  const { config, dataDir, log } = options;
  const { tenantId, subscriberId } = config.backend;
  const identity = loadIdentity(dataDir, uuid7);
  if (identity.made !== null) {
    log.info({ device_id: identity.deviceId, why: identity.made }, 'made a device id');
  }
  if (!identity.machineKnown) log.warn('this system has no machine id: a clone cannot be told');
  const { db, setAside, wentBack } = openStore(dataDir, Date.now, {
    suspect: options.suspect ?? false,
    before: options.storeBefore ?? null,
  });
  const state = openState(db);
  const { forgotten } = claimStore(db, state, `${tenantId}|${identity.deviceId}`);
  if (forgotten) log.warn('another tenant or device: what was remembered is forgotten');
  const overrides = openOverrides(db, state);
  overrides.applyInbox();
  const clock = openHubClock(state);
  const inventory = openInventory(db);
  const device = describeDevice(identity.deviceId);
  const owner = `${identity.deviceId}|${tenantId}|${subscriberId}`;
  const tokens = await loadTokens(options.tokens, owner, Date.now);
  const client = createSyncClient({
    backend: config.backend,
    device,
    token: tokens.current,
    env: options.env,
  });
  const alertStore = openAlerts(db, state, { makeId: uuid7, now: Date.now });
  const listeners: {
    governance?: () => void;
    processMap?: (mappings: readonly ProcessMapping[]) => void;
    fullScan?: () => void;
  } = {};
  const alerts = startAlertQueue({
    store: alertStore,
    client,
    log: (fields, message) => log.warn(fields, message),
    storeFailed: options.storeFailed,
  });
  const pusher = createPusher({
    client,
    inventory,
    state,
    makeId: uuid7,
    now: Date.now,
    log: (fields, message) => log.info(fields, message),
  });
  const backend = {
    db,
    state,
    overrides,
    clock,
    client,
    tokens,
    alertStore,
    alerts,
    activity: createActivitySender(client, (error) => log.debug({ err: error }, 'activity lost')),
    accessRequests: openAccessRequests({
      client,
      state,
      makeId: uuid7,
      now: Date.now,
      log: (fields, message) => log.warn(fields, message),
    }),
    pusher,
    puller: createPuller({
      client,
      state,
      overrides,
      clock,
      inventoryDigest: inventory.digest,
      governanceChanged: () => listeners.governance?.(),
      processMapChanged: (mappings) => listeners.processMap?.(mappings),
      fullScanWanted: () => listeners.fullScan?.(),
      discoveryChanged: pusher.forget,
    }),
    /** Raises an alert of the agent about itself. */
    alertAboutAgent(code: string, severity: 'critical' | 'high' | 'medium', message: string) {
      alerts.raise({
        alert_id: uuid7(),
        occurred_at: new Date().toISOString(),
        severity,
        action: 'agent',
        code,
        application_name: null,
        process: null,
        override_id: null,
        outcome: null,
        message,
      });
    },
    onGovernanceChanged: (listener: () => void) => {
      listeners.governance = listener;
    },
    onProcessMapChanged: (listener: (mappings: readonly ProcessMapping[]) => void) => {
      listeners.processMap = listener;
    },
    onFullScanWanted: (listener: () => void) => {
      listeners.fullScan = listener;
    },
    close: () => db.close(),
  };
  if (setAside !== null) {
    log.error({ set_aside: setAside }, 'the store was damaged and is begun anew');
    backend.alertAboutAgent(
      'store_reset',
      'high',
      'The local store was damaged; it was set aside and begun anew. Alerts that waited in it may be lost',
    );
  }
  if (wentBack !== null) {
    const told = {
      high: 'waiting alerts were taken over',
      critical: 'alerts that waited could not be read there and are kept in that file',
    };
    const severity = wentBack.alerts === null ? 'critical' : 'high';
    log.error(
      { set_aside: wentBack.setAside, alerts: wentBack.alerts },
      'a newer version had changed the store: it is set aside',
    );
    backend.alertAboutAgent(
      'store_reset',
      severity,
      `A newer version had changed the local store so that this one cannot use it: it was set aside as ${basename(wentBack.setAside)}; ${told[severity]}`,
    );
  }
  return backend;
}
