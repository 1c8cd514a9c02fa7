// C/own/devices…: every person's own devices, identified by the e-mail address of the signed-in user;
// what is not theirs is nowhere.
import { foldName } from '@gatewarden/shared/names.ts';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import { OwnActivityList } from '@gatewarden/shared/wire/console/alerts.ts';
import {
  DeviceEntitiesAnswer,
  DeviceEntitiesQuery,
} from '@gatewarden/shared/wire/console/devices.ts';
import {
  type OwnDecision,
  OwnDecisionsAnswer,
  type OwnDevice,
  OwnDeviceAnswer,
  OwnDevicesAnswer,
  OwnDevicesQuery,
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
import { loadInForcePage } from '../overrides/index.ts';
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
        response: { 200: DeviceEntitiesAnswer },
      },
    },
    async (request) => {
      const { device_id: deviceId } = await deviceOf(db, request);
      return loadPage(request, entitiesOf({ db, cursors }, deviceId, extractFilter(request.query)));
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
      return loadInForcePage(request, {
        ...deps,
        list: 'own-decisions',
        device,
        item: (override, common): OwnDecision => ({
          ...common,
          revision: override.revision,
          scope_kind: override.scope_kind,
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
        response: { 200: OwnActivityList },
      },
    },
    async (request) => {
      const { device_id: deviceId } = await deviceOf(db, request);
      const since = await selectOwnedSince(db, personOf(request).tenantId, deviceId);
      return loadPage(request, {
        cursors,
        list: 'own-activity',
        by: [deviceId],
        fetch: (tenantId, after, limit) =>
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
