// The console's reading side of the inventory: devices and what is on them.

import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  DeviceAnswer,
  DeviceEntitiesAnswer,
  DeviceEntitiesDownloadQuery,
  DeviceEntitiesQuery,
  type DeviceEntity,
  DeviceNameAnswer,
  DeviceNameQuery,
  DeviceOverviewAnswer,
  type DeviceRow,
  DevicesAnswer,
  DevicesDownloadQuery,
  DevicesQuery,
} from '@gatewarden/shared/wire/console/devices.ts';
import { Type } from 'typebox';
import { personOf } from '../../../platform/auth/person.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  extractFilter,
  filterBinding,
  loadCountedPage,
  loadPage,
  type TenantList,
} from '../../../platform/http/lists/console-lists.ts';
import { type Columns, fileRoute, sendTenantFile } from '../../../platform/http/lists/download.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { etagOf } from '../../../platform/http/server/etag.ts';
import { selectGroupsOf } from '../groups/index.ts';
import { registerApplicationPages } from './application-routes.ts';
import { deviceRow, entitiesOf } from './device-rows.ts';
import {
  countDevices,
  countListedDevices,
  type DeviceRecord,
  selectCoverage,
  selectDevice,
  selectDeviceName,
  selectDevices,
} from './read-store.ts';

export const DeviceParams = Type.Object({ tenant_id: Type.String(), device_id: Uuid });

function registerDeviceLists(
  app: App,
  { db, cursors }: Pick<Parameters<typeof registerApplicationPages>[1], 'db' | 'cursors'>,
): void {
  const devices = (
    filter: Parameters<typeof selectDevices>[2],
  ): TenantList<DeviceRecord, DeviceRow> => ({
    cursors,
    list: 'devices',
    by: filterBinding(filter),
    fetch: (tenantId, after, limit) => selectDevices(db, tenantId, filter, after, limit),
    keyOf: (device) => [device.sort_key, device.device_id],
    item: deviceRow,
  });

  app.get(
    '/devices',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['devices'],
        summary: 'List devices',
        querystring: DevicesQuery,
        response: { 200: DevicesAnswer },
      },
    },
    async (request) => {
      const filter = extractFilter(request.query);
      const count = (tenantId: string) => countListedDevices(db, tenantId, filter);
      return loadCountedPage(request, { ...devices(filter), count });
    },
  );

  app.get(
    '/devices/download',
    fileRoute('Viewer', 'devices', 'the devices', DevicesAnswer, {
      querystring: DevicesDownloadQuery,
    }),
    (request, reply) => {
      const { format, ...filter } = request.query;
      return sendTenantFile(request, reply, devices(filter), { format, columns: COLUMNS });
    },
  );
}

/** Registers the routes of devices, of their entities and of applications. */
export function registerInventoryPages(
  app: App,
  deps: Parameters<typeof registerApplicationPages>[1],
): void {
  registerDevicePages(app, deps);
  registerApplicationPages(app, deps);
}

/** Registers the routes of devices and of their entities. */
export function registerDevicePages(
  app: App,
  deps: Pick<Parameters<typeof registerApplicationPages>[1], 'db' | 'cursors'>,
): void {
  const { db } = deps;
  registerDeviceLists(app, deps);

  app.get(
    '/device-name',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['devices'],
        summary: 'Get the name of a device and its user',
        querystring: DeviceNameQuery,
        response: { 200: DeviceNameAnswer },
      },
    },
    async (request) => {
      const name = await selectDeviceName(db, personOf(request).tenantId, request.query.of);
      if (name === null) throw new HubError('not_found');
      return { ...name, request_id: request.id };
    },
  );

  app.get(
    '/device-overview',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['devices'],
        summary: 'Count devices by state',
        response: { 200: DeviceOverviewAnswer },
      },
    },
    async (request) => ({
      ...(await countDevices(db, personOf(request).tenantId)),
      request_id: request.id,
    }),
  );

  app.get(
    '/devices/:device_id',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['devices'],
        summary: 'Get a device with its scan coverage and policies in force',
        params: DeviceParams,
        response: { 200: DeviceAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const device = await selectDevice(db, tenantId, request.params.device_id);
      if (device === null) throw new HubError('not_found');
      const coverage = await selectCoverage(db, tenantId, device.device_id);
      const groups = await selectGroupsOf(db, tenantId, device.device_id);
      const version = etagOf(device.version);
      reply.header('etag', version);
      return {
        device: { ...deviceRow(device), version, coverage, groups },
        request_id: request.id,
      };
    },
  );
  registerDeviceApps(app, deps);
}

function registerDeviceApps(
  app: App,
  deps: Pick<Parameters<typeof registerApplicationPages>[1], 'db' | 'cursors'>,
): void {
  const { db } = deps;
  app.get(
    '/devices/:device_id/entities',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['devices'],
        summary: 'List the entities of a device',
        params: DeviceParams,
        querystring: DeviceEntitiesQuery,
        response: { 200: DeviceEntitiesAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const device = await selectDevice(db, tenantId, request.params.device_id);
      if (device === null) throw new HubError('not_found');
      return loadPage(request, entitiesOf(deps, device.device_id, extractFilter(request.query)));
    },
  );

  app.get(
    '/devices/:device_id/entities/download',
    fileRoute('Viewer', 'devices', 'the entities of a device', DeviceEntitiesAnswer, {
      params: DeviceParams,
      querystring: DeviceEntitiesDownloadQuery,
    }),
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const device = await selectDevice(db, tenantId, request.params.device_id);
      if (device === null) throw new HubError('not_found');
      const { format, ...filter } = request.query;
      const list = entitiesOf(deps, device.device_id, filter);
      return sendTenantFile(request, reply, list, {
        format,
        columns: ENTITY_COLUMNS,
        pageSize: ENTITIES_AT_ONCE,
      });
    },
  );
}

const COLUMNS: Columns<DeviceRow> = {
  hostname: (row) => row.hostname,
  subscriber_id: (row) => row.subscriber_id,
  platform: (row) => row.platform,
  os_version: (row) => row.os_version,
  arch: (row) => row.arch,
  agent_version: (row) => row.agent_version,
  entity_count: (row) => row.entity_count,
  governance: (row) => row.governance.state,
  governance_since: (row) => row.governance.since,
  stale: (row) => String(row.stale),
  first_seen_at: (row) => row.first_seen_at,
  last_seen_at: (row) => row.last_seen_at,
  last_scan_at: (row) => row.last_scan_at,
  duplicate_since: (row) => row.duplicate_since,
  retired_at: (row) => row.retired_at,
  device_id: (row) => row.device_id,
};

/** Each may have megabytes of programs and permissions. */
const ENTITIES_AT_ONCE = 25;

const ENTITY_COLUMNS: Columns<DeviceEntity> = {
  name: (row) => row.name,
  version: (row) => row.version,
  publisher: (row) => row.publisher,
  kind: (row) => row.kind,
  source: (row) => row.source,
  install_path: (row) => row.install_path,
  executables: (row) => row.executables.join(' '),
  owners: (row) => [...new Set(row.instances.flatMap(({ owner }) => owner ?? []))].join(' '),
  installed_at: (row) => row.installed_at,
  first_seen_at: (row) => row.first_seen_at,
  last_seen_at: (row) => row.last_seen_at,
  removed_at: (row) => row.removed_at,
  entity_id: (row) => row.entity_id,
};
