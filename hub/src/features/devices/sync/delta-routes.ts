// GET /ea/v1/sync/delta: answers from memory, without SQL, while neither the tenant nor the device has changes.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import { DELTA_LIMIT_DEFAULT } from '@gatewarden/shared/wire/sync/limits.ts';
import type { Static } from 'typebox';
import { type AgentPrincipal, agentOf } from '../../../platform/auth/agent.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { NotifiedCache } from '../../../platform/feed/notified-cache.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { FastPathResponse, FastPathRoute } from '../../../platform/http/limits/fast-path.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { matchesIfNoneMatch, NotModified } from '../../../platform/http/server/etag.ts';
import type { Installation } from '../../../platform/installation.ts';
import {
  checkDevice,
  type DeviceGate,
  type PolledDevice,
  type Sightings,
  selectDeviceState,
} from '../enrollment/index.ts';
import { deltaPage } from './delta-page.ts';
import { resolveCursor } from './resolve-cursor.ts';
import type { Snapshots } from './snapshot-cache.ts';
import { checkInventoryHash, mayReset, recheckAt } from './sync-health.ts';
import { createUnchangedResponseCache, type UnchangedResponse } from './unchanged-responses.ts';

/** About half a kilobyte each. */
const CACHED_RESPONSES_MAX = 50_000;

export interface DeltaDeps {
  db: Db;
  snapshots: Snapshots;
  devices: NotifiedCache<PolledDevice | 'unknown'>;
  gate: DeviceGate;
  sightings: Sightings;
  cursors: CursorSealer;
  installation: Installation;
  /** The poll interval in seconds. Under load the hub raises it; a device never polls more often than it is configured to. */
  pollAfterSeconds(): number;
}

type DeltaQuery = Static<(typeof SYNC_ENDPOINTS)['delta']['query']>;
type PolledState = PolledDevice | 'unknown';

/** A poll of a device, as far as the response depends on it. */
interface Poll {
  agent: AgentPrincipal;
  deviceId: string;
  query: DeltaQuery;
  now: Date;
  inputs: ReturnType<typeof responseInputsOf>;
}

/** Registers the route. Returns the fast path, which repeats the previous response of a device while nothing changed. */
export function registerDelta(app: App, deps: DeltaDeps): FastPathRoute {
  const endpoint = SYNC_ENDPOINTS.delta;
  const unchanged = createUnchangedResponseCache(CACHED_RESPONSES_MAX);
  app.get(
    endpoint.path,
    {
      config: { sync: 'get' },
      schema: {
        tags: ['device'],
        summary: endpoint.summary,
        querystring: endpoint.query,
        response: { 200: endpoint.answer, 304: NotModified },
      },
    },
    async (request, reply) => {
      const agent = agentOf(request);
      const deviceId = agent.deviceId ?? '';
      const now = new Date();
      const device = await loadCheckedDevice(deps, agent, deviceId, request.query, now);
      const inputs = responseInputsOf(request.url, agent, device, deps.pollAfterSeconds());
      const poll = { agent, deviceId, query: request.query, now, inputs };
      const { body, isRepeatable, ...cacheable } = await buildDelta(deps, poll);
      if (isRepeatable) unchanged.store(`${agent.tenantId}/${deviceId}`, cacheable);
      const { etag } = cacheable;
      reply.header('etag', etag);
      if (matchesIfNoneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return { ...body, server_time: new Date().toISOString() };
    },
  );
  return {
    path: endpoint.path,
    answer(request) {
      const admitted = deps.gate.peek(request);
      if (admitted === null) return null;
      const { agent } = admitted;
      const deviceId = agent.deviceId ?? '';
      const key = `${agent.tenantId}/${deviceId}`;
      const device = deps.devices.getIfCached(key);
      const snapshot = deps.snapshots.getIfCached(agent.tenantId);
      if (device === undefined || snapshot === null) return null;
      checkDevice(agent, deviceId, device === 'unknown' ? null : device);
      const inputs = responseInputsOf(request.url ?? '', agent, device, deps.pollAfterSeconds());
      const previous = unchanged.find(key, inputs, snapshot, Date.now());
      if (previous === undefined) return null;
      admitted.count();
      if (device !== 'unknown') recordLastSeen(deps, agent.tenantId, deviceId, previous.state);
      return sendUnchanged(request, previous);
    },
  };
}

/**
 * Returns the polled device after its inventory hash was compared with the stored hash. A mismatch can change the
 * device's inventory epoch, so that the device is loaded again.
 */
async function loadCheckedDevice(
  deps: DeltaDeps,
  agent: AgentPrincipal,
  deviceId: string,
  { inventory }: DeltaQuery,
  now: Date,
): Promise<PolledState> {
  const device = await loadPolledDevice(deps, agent, deviceId);
  if (device === 'unknown') return device;
  const isChanged = await checkInventoryHash(deps.db, agent.tenantId, device, inventory, now);
  if (!isChanged) return device;
  deps.devices.invalidate(`${agent.tenantId}/${deviceId}`);
  return loadPolledDevice(deps, agent, deviceId);
}

/** Returns the response to a poll and records the device as seen. Throws `cursor_expired` if the device is to be reset. */
async function buildDelta(deps: DeltaDeps, { agent, deviceId, query, now, inputs }: Poll) {
  const device = inputs.device === 'unknown' ? null : inputs.device;
  const binding = ['delta', agent.tenantId, deviceId, deps.installation.feedEpoch];
  const { snapshot, audience, from, state } = await resolveCursor(
    deps,
    { binding, tenantId: agent.tenantId, deviceId, subscriberId: inputs.subscriberId },
    query,
  );
  if (device !== null) {
    recordLastSeen(deps, agent.tenantId, deviceId, state);
    if (state === 'diverged') await resetIfDue(deps, agent.tenantId, device, now);
  }
  const limit = Number(query.limit ?? DELTA_LIMIT_DEFAULT);
  const page = deltaPage(snapshot, audience, from, limit, now.getTime());
  const body = {
    overrides: page.overrides,
    next_cursor: deps.cursors.seal(binding, page.cursor),
    has_more: page.hasMore,
    poll_after_seconds: inputs.pollAfter,
    enforcement_ceiling: snapshot.maxEnforcement,
    inventory_epoch: `${deps.installation.feedEpoch.slice(0, 8)}.${device?.inventory_epoch ?? 1}`,
    inventory_confirmed:
      query.inventory !== undefined && device?.inventory_hash.toString('hex') === query.inventory,
    discovery: snapshot.discovery,
    tray: snapshot.tray,
  };
  const text = JSON.stringify(body);
  return {
    ...inputs,
    snapshot,
    state,
    body,
    text,
    etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`,
    until: recheckAt(device, query.inventory),
    /** An empty page of a device in order: the next poll gets the same response until one of these inputs changes. */
    isRepeatable: page.overrides.length === 0 && !page.hasMore && state !== 'diverged',
  };
}

/** Throws `cursor_expired` if a device that diverged may be reset now; the device then starts again without cursor. */
async function resetIfDue(
  deps: DeltaDeps,
  tenantId: string,
  device: PolledDevice,
  now: Date,
): Promise<void> {
  const isReset = await mayReset(deps.db, tenantId, device, now);
  // The cached device is stale if this process or another process reset it.
  if (isReset !== null) deps.devices.invalidate(`${tenantId}/${device.device_id}`);
  if (isReset === true) throw new HubError('cursor_expired');
}

/** Returns the device's cached state. Throws if the token of the request belongs to another device. */
async function loadPolledDevice(
  { db, devices }: DeltaDeps,
  agent: AgentPrincipal,
  deviceId: string,
): Promise<PolledDevice | 'unknown'> {
  const device = await devices.get(
    `${agent.tenantId}/${deviceId}`,
    async () => (await selectDeviceState(db, agent.tenantId, deviceId)) ?? 'unknown',
  );
  checkDevice(agent, deviceId, device === 'unknown' ? null : device);
  return device;
}

function responseInputsOf(
  url: string,
  agent: AgentPrincipal,
  device: PolledDevice | 'unknown',
  pollAfter: number,
) {
  const subscriberId = device === 'unknown' ? agent.subscriberId : device.subscriber_id;
  return { url, device, subscriberId, pollAfter };
}

/** Repeats a response with the current time, or answers 304. */
function sendUnchanged(
  { headers }: IncomingMessage,
  { etag, text }: UnchangedResponse,
): FastPathResponse {
  if (matchesIfNoneMatch(headers['if-none-match'], etag)) return { status: 304, etag, text: '' };
  const body = `${text.slice(0, -1)},"server_time":"${new Date().toISOString()}"}`;
  return { status: 200, etag, text: body };
}

function recordLastSeen(deps: DeltaDeps, tenantId: string, deviceId: string, state: string): void {
  deps.sightings.record({
    tenant_id: tenantId,
    device_id: deviceId,
    last_seen_at: new Date().toISOString(),
    governance_state: state,
  });
}
