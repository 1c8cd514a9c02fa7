// C/own/devices…: every person's own devices, identified by the e-mail address of the signed-in user;
// what is not theirs is nowhere.
import { foldName } from '@gatewarden/shared/names.ts';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import { DeviceEntitiesQuery } from '@gatewarden/shared/wire/console/devices.ts';
import {
  OwnActivityAnswer,
  type OwnDecision,
  OwnDecisionsAnswer,
  type OwnDevice,
  OwnDeviceAnswer,
  OwnDevicesAnswer,
  OwnDevicesQuery,
  OwnEntitiesAnswer,
} from '@gatewarden/shared/wire/console/own-devices.ts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { extractFilter, loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { activityRow, selectActivity } from '../activity/index.ts';
import {
  type DeviceRecord,
  deviceRow,
  entitiesOf,
  selectCoverage,
  selectPersonsDevice,
  selectPersonsDevices,
} from '../inventory/index.ts';
import { selectOwnedSince } from '../lifecycle/index.ts';
import {
  decideAboutApps,
  loadInForcePage,
  selectReleasedStarts,
  selectStoppedApps,
} from '../overrides/index.ts';
import type { Snapshots } from '../sync/index.ts';

const Params = Type.Object({ tenant_id: Type.String(), device_id: Uuid });
const access = { access: 'Member' as const };

export function registerOwnDevices(
  app: App,
  deps: { db: Db; cursors: CursorSealer; snapshots: Snapshots },
): void {
  const { db, cursors } = deps;

  app.get(
    '/own/devices',
    {
      config: access,
      schema: {
        tags: ['own'],
        summary: 'List your devices',
        querystring: OwnDevicesQuery,
        response: { 200: OwnDevicesAnswer },
      },
    },
    async (request) => {
      const me = foldName(personOf(request).email);
      return loadPage(request, {
        cursors,
        list: 'own-devices',
        by: [me],
        fetch: (tenantId, after, limit) => selectPersonsDevices(db, tenantId, me, after, limit),
        keyOf: (device) => [device.sort_key, device.device_id],
        item: ownDevice,
      });
    },
  );

  app.get(
    '/own/devices/:device_id',
    {
      config: access,
      schema: {
        tags: ['own'],
        summary: 'Get one of your devices',
        params: Params,
        response: { 200: OwnDeviceAnswer },
      },
    },
    async (request) => {
      const device = await deviceOf(db, request);
      const coverage = await selectCoverage(db, personOf(request).tenantId, device.device_id);
      return { device: { ...ownDevice(device), coverage }, request_id: request.id };
    },
  );

  app.get(
    '/own/devices/:device_id/entities',
    {
      config: access,
      schema: {
        tags: ['own'],
        summary: 'List the entities of one of your devices',
        params: Params,
        querystring: DeviceEntitiesQuery,
        response: { 200: OwnEntitiesAnswer },
      },
    },
    async (request) => {
      const device = await deviceOf(db, request);
      const filter = extractFilter(request.query);
      const page = await loadPage(request, entitiesOf({ db, cursors }, device.device_id, filter));
      const { tenantId } = personOf(request);
      const decisions = await decideAboutApps(deps.snapshots, tenantId, device, page.items);
      const items = page.items.map((entity) => ({
        ...entity,
        policy: decisions.get(entity.entity_id)?.override ?? null,
      }));
      return { ...page, items };
    },
  );
  registerOwnPolicies(app, deps);
  registerOwnActivity(app, deps);
}

function registerOwnPolicies(
  app: App,
  deps: { db: Db; cursors: CursorSealer; snapshots: Snapshots },
): void {
  const { db } = deps;

  app.get(
    '/own/devices/:device_id/decisions',
    {
      config: access,
      schema: {
        tags: ['own'],
        summary: 'List the policies in force on a device, newest first',
        params: Params,
        querystring: OwnDevicesQuery,
        response: { 200: OwnDecisionsAnswer },
      },
    },
    async (request) => {
      const device = await deviceOf(db, request);
      const stopped = await selectStoppedApps(deps, personOf(request).tenantId, device);
      return loadInForcePage(request, {
        ...deps,
        list: 'own-decisions',
        device,
        item: (override, common): OwnDecision => ({
          ...common,
          revision: override.revision,
          scope_kind: override.scope_kind,
          stopped_entity_id:
            stopped.get(override.product_policy_id ?? override.override_id) ?? null,
        }),
      });
    },
  );
}

function registerOwnActivity(
  app: App,
  deps: { db: Db; cursors: CursorSealer; snapshots: Snapshots },
): void {
  const { db, cursors } = deps;

  app.get(
    '/own/devices/:device_id/activity',
    {
      config: access,
      schema: {
        tags: ['own'],
        summary: 'List what was blocked or quarantined on your device',
        params: Params,
        querystring: OwnDevicesQuery,
        response: { 200: OwnActivityAnswer },
      },
    },
    async (request) => {
      const device = await deviceOf(db, request);
      const { device_id: deviceId } = device;
      const { tenantId } = personOf(request);
      const since = await selectOwnedSince(db, tenantId, deviceId);
      const page = await loadPage(request, {
        cursors,
        list: 'own-activity',
        by: [deviceId],
        fetch: (_tenant, after, limit) =>
          selectActivity(
            db,
            tenantId,
            { device_id: deviceId, stopped: true, ...(since === null ? {} : { since }) },
            after,
            limit,
          ),
        keyOf: (event) => [event.sort_key, event.activity_id],
        item: activityRow,
      });
      const released = await selectReleasedStarts(deps, tenantId, device, page.items);
      const items = page.items.map((event) => ({
        ...event,
        is_still_stopped: !released.has(event.activity_id),
      }));
      return { ...page, items };
    },
  );
}

/** The device that the path names, where it is the person's own; else 404, whether it is anywhere or not. */
async function deviceOf(
  db: Db,
  request: FastifyRequest & { params: { device_id: string } },
): Promise<DeviceRecord> {
  const { tenantId, email } = personOf(request);
  const deviceId = request.params.device_id.toLowerCase();
  const device = await selectPersonsDevice(db, tenantId, foldName(email), deviceId);
  if (device === null) throw new HubError('not_found');
  return device;
}

/** What was noticed of others who used the device's id stays out. */
function ownDevice(record: DeviceRecord): OwnDevice {
  const device = deviceRow(record);
  return {
    device_id: device.device_id,
    hostname: device.hostname,
    platform: device.platform,
    os_version: device.os_version,
    arch: device.arch,
    agent_version: device.agent_version,
    subscriber_id: device.subscriber_id,
    first_seen_at: device.first_seen_at,
    last_seen_at: device.last_seen_at,
    entity_count: device.entity_count,
    last_scan_at: device.last_scan_at,
    governance: device.governance,
  };
}
