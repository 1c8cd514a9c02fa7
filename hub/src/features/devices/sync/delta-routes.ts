// GET /ea/v1/sync/delta: from memory, without SQL while this tenant and this device have nothing new.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import { DELTA_LIMIT_DEFAULT } from '@gatewarden/shared/wire/sync/limits.ts';
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
  /** The hub only ever raises a device's own interval, as its load asks for. */
  pollAfterSeconds(): number;
}

/** Gives what answers the usual poll, which is the one before it once more, without the application. */
export function registerDelta(app: App, deps: DeltaDeps): FastPathRoute {
  const endpoint = SYNC_ENDPOINTS.delta;
  const quiet = createUnchangedResponseCache(CACHED_RESPONSES_MAX);
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
      const key = `${agent.tenantId}/${deviceId}`;
      const { inventory } = request.query;
      const known = await loadPolledDevice(deps, agent, deviceId);
      const now = new Date();
      const isJudged =
        known !== 'unknown' &&
        (await checkInventoryHash(deps.db, agent.tenantId, known, inventory, now));
      if (isJudged) deps.devices.invalidate(key);
      const found = isJudged ? await loadPolledDevice(deps, agent, deviceId) : known;
      const device = found === 'unknown' ? null : found;
      const asked = responseInputsOf(request.url, agent, found, deps.pollAfterSeconds());
      const binding = ['delta', agent.tenantId, deviceId, deps.installation.feedEpoch];
      const { snapshot, audience, from, state } = await resolveCursor(
        deps,
        { binding, tenantId: agent.tenantId, deviceId, subscriberId: asked.subscriberId },
        request.query,
      );
      if (device !== null) recordLastSeen(deps, agent.tenantId, deviceId, state);
      if (state === 'diverged' && device !== null) {
        const isReset = await mayReset(deps.db, agent.tenantId, device, now);
        // Whether it is reset now or was by another process: our picture of it is old.
        if (isReset !== null) deps.devices.invalidate(key);
        if (isReset === true) throw new HubError('cursor_expired');
      }
      const page = deltaPage(
        snapshot,
        audience,
        from,
        Number(request.query.limit ?? DELTA_LIMIT_DEFAULT),
        now.getTime(),
      );
      const answer = {
        overrides: page.overrides,
        next_cursor: deps.cursors.seal(binding, page.cursor),
        has_more: page.hasMore,
        poll_after_seconds: asked.pollAfter,
        enforcement_ceiling: snapshot.maxEnforcement,
        inventory_epoch: `${deps.installation.feedEpoch.slice(0, 8)}.${device?.inventory_epoch ?? 1}`,
        inventory_confirmed:
          inventory !== undefined && device?.inventory_hash.toString('hex') === inventory,
        discovery: snapshot.discovery,
        tray: snapshot.tray,
      };
      const text = JSON.stringify(answer);
      const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
      // Nothing new, and nothing odd: the next poll says the same, until one of these changes.
      if (page.overrides.length === 0 && !page.hasMore && state !== 'diverged') {
        quiet.store(key, {
          ...asked,
          snapshot,
          state,
          etag,
          text,
          until: recheckAt(device, inventory),
        });
      }
      reply.header('etag', etag);
      if (matchesIfNoneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return { ...answer, server_time: new Date().toISOString() };
    },
  );
  return {
    path: endpoint.path,
    answer(request) {
      const letIn = deps.gate.peek(request);
      if (letIn === null) return null;
      const { agent } = letIn;
      const deviceId = agent.deviceId ?? '';
      const key = `${agent.tenantId}/${deviceId}`;
      const found = deps.devices.getIfCached(key);
      const snapshot = deps.snapshots.getIfCached(agent.tenantId);
      if (found === undefined || snapshot === null) return null;
      checkDevice(agent, deviceId, found === 'unknown' ? null : found);
      const asked = responseInputsOf(request.url ?? '', agent, found, deps.pollAfterSeconds());
      const same = quiet.find(key, asked, snapshot, Date.now());
      if (same === undefined) return null;
      letIn.count();
      if (found !== 'unknown') recordLastSeen(deps, agent.tenantId, deviceId, same.state);
      return sendUnchanged(request, same);
    },
  };
}

/** The device as any hub process knows it now. Throws where the request may not speak for it. */
async function loadPolledDevice(
  { db, devices }: DeltaDeps,
  agent: AgentPrincipal,
  deviceId: string,
): Promise<PolledDevice | 'unknown'> {
  const found = await devices.get(
    `${agent.tenantId}/${deviceId}`,
    async () => (await selectDeviceState(db, agent.tenantId, deviceId)) ?? 'unknown',
  );
  checkDevice(agent, deviceId, found === 'unknown' ? null : found);
  return found;
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

/** The answer of before with the time of now. */
function sendUnchanged(
  { headers }: IncomingMessage,
  { etag, text }: UnchangedResponse,
): FastPathResponse {
  if (matchesIfNoneMatch(headers['if-none-match'], etag)) return { status: 304, etag, text: '' };
  const whole = `${text.slice(0, -1)},"server_time":"${new Date().toISOString()}"}`;
  return { status: 200, etag, text: whole };
}

function recordLastSeen(deps: DeltaDeps, tenantId: string, deviceId: string, state: string): void {
  deps.sightings.record({
    tenant_id: tenantId,
    device_id: deviceId,
    last_seen_at: new Date().toISOString(),
    governance_state: state,
  });
}
