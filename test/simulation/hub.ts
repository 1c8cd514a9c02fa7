// A process of the hub: its rules and its memory over the records that all processes share. Its answers are text, as
// on the wire.

import { createHash } from 'node:crypto';
import type { HubRequest, HubResponse } from '@gatewarden/agent/src/sync/http-exchange.ts';
import { checkDevice } from '@gatewarden/hub/src/features/devices/enrollment/check-device.ts';
import type { PolledDevice } from '@gatewarden/hub/src/features/devices/enrollment/index.ts';
import { deltaPage } from '@gatewarden/hub/src/features/devices/sync/delta-page.ts';
import { resolveCursor } from '@gatewarden/hub/src/features/devices/sync/resolve-cursor.ts';
import {
  applyChanges,
  baseSnapshot,
  type Snapshot,
} from '@gatewarden/hub/src/features/devices/sync/snapshot.ts';
import { createSnapshots } from '@gatewarden/hub/src/features/devices/sync/snapshot-cache.ts';
import {
  inventoryVerdict,
  isSuspect,
  recheckAt,
  resetCooldownStart,
  suspectCooldownStart,
} from '@gatewarden/hub/src/features/devices/sync/sync-health.ts';
import { createUnchangedResponseCache } from '@gatewarden/hub/src/features/devices/sync/unchanged-responses.ts';
import type { AgentPrincipal } from '@gatewarden/hub/src/platform/auth/agent.ts';
import type { Notice } from '@gatewarden/hub/src/platform/feed/notifications.ts';
import { createNotifiedCache } from '@gatewarden/hub/src/platform/feed/notified-cache.ts';
import { ERRORS } from '@gatewarden/hub/src/platform/http/errors/error-list.ts';
import { HubError } from '@gatewarden/hub/src/platform/http/errors/errors.ts';
import { checkBatchItems } from '@gatewarden/hub/src/platform/http/lists/batch-items.ts';
import { createCursorSealer } from '@gatewarden/hub/src/platform/http/lists/cursors.ts';
import { matchesIfNoneMatch } from '@gatewarden/hub/src/platform/http/server/etag.ts';
import type { AlertsRequest } from '@gatewarden/shared/wire/sync/alerts.ts';
import type { DiscoveredAppsRequest } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { SYNC_PATHS } from '@gatewarden/shared/wire/sync/limits.ts';
import { storeBatch } from './ingest.ts';
import { DEVICE_ID, FEED_EPOCH, newDevice, type Records, TENANT_ID } from './records.ts';
import type { SimulatedEnvironment } from './simulated-environment.ts';

/** Faults that a test plants in the hub. */
export interface HubPlants {
  /** Acknowledges alerts that it did not store. */
  acknowledgesUnstored?: boolean;
  /** Knows the ids of alerts only as long as its process lives. */
  forgetsAlertIds?: boolean;
  /** Treats a repeated batch as new. */
  forgetsBatchIds?: boolean;
  /** Gives a cursor that is ahead of what it sent. */
  cursorRunsAhead?: boolean;
}

/** Events that the simulation observes from outside. */
export interface Watched {
  /** Reports a page and the position that its cursor encodes. */
  paged(cursor: string, page: ReturnType<typeof deltaPage>): void;
  acknowledged(what: 'alert' | 'batch', id: string, answer: string): void;
  notify(notice: Notice): void;
}

export interface HubProcess {
  answer(asking: HubRequest): Promise<HubResponse>;
  /** Receives a notice of another process's commit. */
  hear(notice: Notice): void;
  /** The connection for notices is lost, and the hub notices that. */
  lose(): void;
  listenAgain(): void;
}

const POLL_AFTER_S = 60;
const CURSOR_KEY = Buffer.alloc(32, 7);
const cursors = createCursorSealer(CURSOR_KEY);
const BINDING = ['delta', TENANT_ID, DEVICE_ID, FEED_EPOCH];

export function startHub(parts: {
  world: SimulatedEnvironment;
  records: Records;
  watched: Watched;
  /** How long reading from the database takes. */
  readMs: () => number;
  pageLimit: number;
  plants: HubPlants;
}): HubProcess {
  const { world, records, watched, plants } = parts;
  const { notices, losses, notifications } = simulateNotifications();
  const read = async (_tenant: string, before: Snapshot): Promise<Snapshot> => {
    const { tenant } = records;
    const from = baseSnapshot(before, tenant.floor);
    const snapshot = applyChanges(from, tenant.changesAfter(from.n));
    await world.sleep(parts.readMs());
    return snapshot;
  };
  const snapshots = createSnapshots(read, notifications);
  const devices = createNotifiedCache<PolledDevice | 'unknown'>({
    name: 'device',
    max: 10,
    notifications,
  });
  const quiet = createUnchangedResponseCache(10);
  const knownAlerts = new Set<string>();
  const deviceKey = `${TENANT_ID}/${DEVICE_ID}`;
  const deviceChanged = () => {
    devices.invalidate(deviceKey);
    watched.notify({ kind: 'forget', cache: 'device', keys: [deviceKey] });
  };

  /** Updates the row as the hub's statements do; returns whether it changed. */
  const judge = (known: PolledDevice, inventory: string | undefined, now: Date): boolean => {
    const { device } = records;
    if (inventory === undefined || device === null) return false;
    const verdict = inventoryVerdict(known, inventory, now);
    if (verdict === 'settled') return false;
    if (verdict === 'equal') device.inventory_unequal_since = null;
    else if (device.inventory_hash.toString('hex') !== inventory) {
      device.inventory_unequal_since ??= now;
      const doubted = device.inventory_doubted_at;
      const mayDoubt = doubted === null || doubted < suspectCooldownStart(now);
      if (isSuspect(device.inventory_unequal_since, now) && mayDoubt) {
        device.inventory_epoch++;
        device.scan_base = Math.max(device.scan_base, device.highest_scan + 1);
        device.inventory_doubted_at = now;
        device.inventory_unequal_since = null;
      }
    }
    deviceChanged();
    return true;
  };

  const mayReset = (known: PolledDevice, now: Date): boolean => {
    const last = known.governance_reset_at;
    if (last !== null && last >= resetCooldownStart(now)) return false;
    const { device } = records;
    devices.invalidate(deviceKey);
    if (device === null) return false;
    if (
      device.governance_reset_at !== null &&
      device.governance_reset_at >= resetCooldownStart(now)
    ) {
      return false;
    }
    device.governance_reset_at = now;
    return true;
  };

  const knownDevice = async (agent: AgentPrincipal) => {
    const found = await devices.get(deviceKey, async () =>
      records.device === null ? 'unknown' : { ...records.device },
    );
    checkDevice(agent, DEVICE_ID, found === 'unknown' ? null : found);
    return found;
  };

  const delta = async (agent: AgentPrincipal, asking: HubRequest): Promise<HubResponse> => {
    const url = asking.pathAndQuery;
    const ifNoneMatch = asking.headers['if-none-match'];
    const query = Object.fromEntries(new URL(url, 'http://hub').searchParams);
    const peeked = devices.getIfCached(deviceKey);
    const atHand = snapshots.getIfCached(TENANT_ID);
    const askedOf = (found: PolledDevice | 'unknown') => ({
      url,
      device: found,
      subscriberId: found === 'unknown' ? agent.subscriberId : found.subscriber_id,
      pollAfter: POLL_AFTER_S,
    });
    if (peeked !== undefined && atHand !== null) {
      const same = quiet.find(deviceKey, askedOf(peeked), atHand, world.now);
      if (same !== undefined) {
        if (matchesIfNoneMatch(ifNoneMatch, same.etag)) return answered(304, '', same.etag);
        return answered(200, timed(same.text, world.now), same.etag);
      }
    }
    const known = await knownDevice(agent);
    const now = new Date(world.now);
    const isJudged = known !== 'unknown' && judge(known, query.inventory, now);
    const found = isJudged ? await knownDevice(agent) : known;
    const asked = askedOf(found);
    const device = found === 'unknown' ? null : found;
    const { subscriberId } = asked;
    const { snapshot, audience, from, state } = await resolveCursor(
      { cursors, snapshots },
      { binding: BINDING, tenantId: TENANT_ID, deviceId: DEVICE_ID, subscriberId },
      query,
    );
    if (state === 'diverged' && device !== null && mayReset(device, now)) {
      throw new HubError('cursor_expired');
    }
    const whole = deltaPage(snapshot, audience, from, parts.pageLimit, now.getTime());
    const page = plants.cursorRunsAhead ? { ...whole, overrides: whole.overrides.slice(1) } : whole;
    const cursor = cursors.seal(BINDING, page.cursor);
    watched.paged(cursor, page);
    const text = JSON.stringify({
      overrides: page.overrides,
      next_cursor: cursor,
      has_more: page.hasMore,
      poll_after_seconds: POLL_AFTER_S,
      enforcement_ceiling: snapshot.maxEnforcement,
      inventory_epoch: `${FEED_EPOCH.slice(0, 8)}.${device?.inventory_epoch ?? 1}`,
      inventory_confirmed:
        query.inventory !== undefined && device?.inventory_hash.toString('hex') === query.inventory,
      discovery: snapshot.discovery,
      tray: snapshot.tray,
    });
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
    if (page.overrides.length === 0 && !page.hasMore && state !== 'diverged') {
      const until = recheckAt(device, query.inventory);
      quiet.store(deviceKey, { ...asked, snapshot, state, etag, text, until });
    }
    if (matchesIfNoneMatch(ifNoneMatch, etag)) return answered(304, '', etag);
    return answered(200, timed(text, world.now), etag);
  };

  const alerts = (agent: AgentPrincipal, request: AlertsRequest): HubResponse => {
    checkBatchItems('alerts', request.alerts, 'alert_id');
    admit(records, agent, request.device);
    for (const alert of request.alerts) {
      const id = alert.alert_id.toLowerCase();
      const isKnown = plants.forgetsAlertIds ? knownAlerts.has(id) : records.alerts.has(id);
      if (isKnown || plants.acknowledgesUnstored) continue;
      knownAlerts.add(id);
      records.alerts.set(id, alert);
      records.notified.set(id, (records.notified.get(id) ?? 0) + 1);
    }
    const accepted = request.alerts.map((alert) => alert.alert_id);
    for (const id of accepted) watched.acknowledged('alert', id, '');
    deviceChanged();
    return answered(202, JSON.stringify({ accepted, request_id: 'r' }));
  };

  const discovered = (agent: AgentPrincipal, body: string): HubResponse => {
    const request = JSON.parse(body) as DiscoveredAppsRequest;
    admit(records, agent, request.device);
    const counts = storeBatch(records, agent, request, body, plants.forgetsBatchIds ?? false);
    deviceChanged();
    const answer = { batch_id: request.batch_id, ...counts };
    watched.acknowledged('batch', request.batch_id, JSON.stringify(counts));
    return answered(202, JSON.stringify({ ...answer, request_id: 'r' }));
  };

  return {
    async answer(asking) {
      try {
        const agent = principalOf(asking);
        const path = asking.pathAndQuery.split('?')[0];
        if (path === SYNC_PATHS.delta) return await delta(agent, asking);
        if (path === SYNC_PATHS.processMap) {
          if (asking.headers['if-none-match'] === '"map"') return answered(304, '', '"map"');
          return answered(200, '{"version":1,"mappings":[]}', '"map"');
        }
        if (path === SYNC_PATHS.alerts) {
          return alerts(agent, JSON.parse(asking.body ?? '') as AlertsRequest);
        }
        if (path === SYNC_PATHS.discoveredApps) return discovered(agent, asking.body ?? '');
        return refused('not_found');
      } catch (error) {
        if (error instanceof HubError) return refused(error.code);
        throw error;
      }
    },
    hear: (notice) => {
      if (notifications.isLive) for (const listener of notices) listener(notice);
    },
    lose() {
      notifications.isLive = false;
      for (const listener of losses) listener();
    },
    listenAgain() {
      notifications.isLive = true;
    },
  };
}

/** A connection for notices that the simulation breaks and restores. */
function simulateNotifications() {
  const notices: ((notice: Notice) => void)[] = [];
  const losses: (() => void)[] = [];
  const notifications = {
    isLive: true,
    onNotice: (listener: (notice: Notice) => void) => {
      notices.push(listener);
      return () => undefined;
    },
    onLost: (listener: () => void) => {
      losses.push(listener);
      return () => undefined;
    },
    stop: async () => undefined,
  };
  return { notices, losses, notifications };
}

/** Returns an error response in the hub's format. */
export function refused(code: keyof typeof ERRORS, retryAfter?: string): HubResponse {
  const { status, message } = ERRORS[code];
  const body = JSON.stringify({ error: { code, message }, request_id: 'r' });
  return { status, etag: null, retryAfter, body };
}

const answered = (status: number, body: string, etag: string | null = null): HubResponse => ({
  status,
  etag,
  retryAfter: undefined,
  body,
});

const timed = (text: string, now: number) =>
  `${text.slice(0, -1)},"server_time":"${new Date(now).toISOString()}"}`;

function principalOf({ headers }: HubRequest): AgentPrincipal {
  return {
    tenantId: headers['x-tenant-id'] ?? '',
    subscriberId: headers['x-subscriber-id'] ?? '',
    deviceId: headers['x-device-id'] ?? null,
    token: { enrolOnly: false, deviceId: null, subscriberId: null },
  };
}

/** The first report of a device enrolls it; the latest report decides whose it is. */
function admit(records: Records, agent: AgentPrincipal, facts: AlertsRequest['device']): void {
  const { device } = records;
  checkDevice(agent, facts.device_id, device);
  if (device === null) records.device = newDevice(agent.subscriberId, facts);
  else device.subscriber_id = agent.subscriberId;
}
