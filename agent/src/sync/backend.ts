// Purpose: opens everything that talks to the hub or stores its data, together over a single store.
// Main types: `Backend`, `Surface` (what a simulation replaces).
// Invariants: alerts are durable before they are sent; pages of the hub are stored before they are applied.
// Depends on: hub-client and hub-circuit-breaker (requests), governance-puller, inventory-pusher, alert-queue, store/.
// Start reading at `openBackend`, then at sync-loops.ts for the order of polls and pushes.
import { basename } from 'node:path';
import { EMPTY_INVENTORY } from '@gatewarden/shared/digests.ts';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import type { BackendConfig } from '../config/agent-config.ts';
import { describeDevice, loadIdentity } from '../config/device-identity.ts';
import type { TokenPlace } from '../config/token-store.ts';
import { openTerminationJournal } from '../enforcement/termination-journal.ts';
import type { Log } from '../runtime/log.ts';
import { SYSTEM_TIMING, type Timing } from '../runtime/timing.ts';
import { uuid7 } from '../runtime/uuid7.ts';
import { type NewAlert, openAlerts } from '../store/alert-store.ts';
import { type HubClock, openHubClock } from '../store/hub-clock.ts';
import { openInventory } from '../store/inventory-store.ts';
import { openOverrides } from '../store/override-store.ts';
import { claimStore, openState, type State } from '../store/state-store.ts';
import { type Db, openStore } from '../store/store-database.ts';
import { openAccessRequests } from './access-requests.ts';
import { createActivitySender } from './activity-sender.ts';
import { startAlertQueue } from './alert-queue.ts';
import { loadTokens } from './device-token.ts';
import { createPuller } from './governance-puller.ts';
import type { Exchange } from './http-exchange.ts';
import { createSyncClient } from './hub-client.ts';
import { createPusher } from './inventory-pusher.ts';

export type Backend = Awaited<ReturnType<typeof joinBackend>>;

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
  const { dataDir, log } = options;
  const identity = loadIdentity(dataDir, uuid7);
  if (identity.made !== null) {
    log.info({ device_id: identity.deviceId, why: identity.made }, 'made a device id');
  }
  if (!identity.machineKnown)
    log.warn('this system has no machine id: a clone cannot be recognized');
  const { db, setAside, updatedStore, isGone } = openStore(dataDir, Date.now, {
    suspect: options.suspect ?? false,
    before: options.storeBefore ?? null,
  });
  const backend = await joinBackend({
    ...options,
    db,
    device: describeDevice(identity.deviceId),
    backend: options.config.backend,
  });
  if (setAside !== null) {
    log.error({ set_aside: setAside }, 'the store was damaged and is begun anew');
    backend.alertAboutAgent(
      'store_reset',
      'high',
      'The local store was damaged; it was set aside and begun anew. Alerts that waited in it may be lost',
    );
  }
  if (isGone) {
    log.error('the store is gone and is begun anew');
    backend.alertAboutAgent(
      'store_reset',
      'high',
      'The local store was taken away or emptied, and is begun anew. Alerts that waited in it are lost',
    );
  }
  if (updatedStore !== null) {
    log.error({ set_aside: updatedStore }, 'an update failed: the store from before it is used');
    backend.alertAboutAgent(
      'store_reset',
      'high',
      `An update failed: the local store from before it is in use again. Alerts that waited since then are in ${basename(updatedStore)}`,
    );
  }
  return backend;
}

/**
 * Returns the digest of an empty inventory once a scan was confirmed: without it the hub could not notice a lost
 * inventory.
 */
function digestOfNothing(state: State): string | null {
  return state.get('full_scan_confirmed_at') === null ? null : EMPTY_INVENTORY.toString('hex');
}

/** The parts of the system that a simulation turns itself. */
export interface Surface {
  timing: Timing;
  exchange?: Exchange;
  makeId: () => string;
  openClock: (state: State) => HubClock;
  /** Bound of waiting alerts; the queue's own limit by default. */
  alertLimit?: number;
}

const SYSTEM: Surface = { timing: SYSTEM_TIMING, makeId: uuid7, openClock: openHubClock };

/** The same over a store that is open. */
export async function joinBackend(options: {
  db: Db;
  device: WireDevice;
  backend: BackendConfig;
  tokens: TokenPlace;
  env: NodeJS.ProcessEnv;
  log: Log;
  storeFailed: (error: unknown) => void;
  surface?: Surface;
}) {
  const { db, device, log, surface = SYSTEM } = options;
  const { timing, makeId } = surface;
  const { tenantId, subscriberId } = options.backend;
  const deviceId = device.device_id;
  const state = openState(db);
  const { forgotten } = claimStore(db, state, `${tenantId}|${deviceId}`);
  if (forgotten) log.warn('another tenant or device: what was remembered is forgotten');
  const overrides = openOverrides(db, state);
  overrides.applyInboxIfRoom();
  const clock = surface.openClock(state);
  const inventory = openInventory(db);
  const owner = `${deviceId}|${tenantId}|${subscriberId}`;
  const tokens = await loadTokens(options.tokens, owner, timing.now);
  const client = createSyncClient({
    backend: options.backend,
    device,
    token: tokens.current,
    env: options.env,
    now: () => new Date(timing.now()),
    exchange: surface.exchange,
    timing,
  });
  const alertStore = openAlerts(db, state, {
    ...(surface.alertLimit === undefined ? {} : { limit: surface.alertLimit }),
    makeId,
    now: timing.now,
  });
  const listeners: Listeners = {};
  const warn = (fields: object, message: string) => log.warn(fields, message);
  const { storeFailed } = options;
  const alerts = startAlertQueue({ store: alertStore, client, log: warn, storeFailed, timing });
  const pusher = createPusher({
    ...{ client, inventory, state, makeId, now: timing.now },
    log: (fields, message) => log.info(fields, message),
  });
  return {
    db,
    state,
    overrides,
    clock,
    client,
    tokens,
    alertStore,
    alerts,
    journal: openTerminationJournal(state),
    activity: createActivitySender(client, (error) => log.debug({ err: error }, 'activity lost')),
    accessRequests: openAccessRequests({ client, state, makeId, now: timing.now, log: warn }),
    pusher,
    puller: createPuller({
      ...{ client, state, overrides, clock },
      inventoryDigest: () => inventory.digest() ?? digestOfNothing(state),
      governanceChanged: () => listeners.governance?.(),
      processMapChanged: (mappings) => listeners.processMap?.(mappings),
      fullScanWanted: () => listeners.fullScan?.(),
      discoveryChanged: pusher.forget,
    }),
    alertAboutAgent: createSelfAlert(alerts.raise, surface),
    ...subscriptions(listeners),
    close: () => db.close(),
  };
}

interface Listeners {
  governance?: () => void;
  processMap?: (mappings: readonly ProcessMapping[]) => void;
  fullScan?: () => void;
}

/** Returns the setters of the listeners; each event has a single listener. */
function subscriptions(listeners: Listeners) {
  return {
    onGovernanceChanged: (listener: () => void) => {
      listeners.governance = listener;
    },
    onProcessMapChanged: (listener: (mappings: readonly ProcessMapping[]) => void) => {
      listeners.processMap = listener;
    },
    onFullScanWanted: (listener: () => void) => {
      listeners.fullScan = listener;
    },
  };
}

/** Returns a function that raises an alert of the agent about itself. */
function createSelfAlert(
  raise: (alert: NewAlert) => void,
  { makeId, timing }: Pick<Surface, 'makeId' | 'timing'>,
) {
  return (code: string, severity: 'critical' | 'high' | 'medium', message: string): void =>
    raise({
      alert_id: makeId(),
      occurred_at: new Date(timing.now()).toISOString(),
      severity,
      action: 'agent',
      code,
      application_name: null,
      process: null,
      override_id: null,
      outcome: null,
      message,
    });
}
