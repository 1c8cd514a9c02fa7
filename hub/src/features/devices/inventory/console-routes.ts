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
import type { App } from '../../../platform/http/app.ts';
import { answerList, boundBy, filterOf, type TenantList } from '../../../platform/http/console.ts';
import { type Columns, fileRoute, sendTenantFile } from '../../../platform/http/download.ts';
import { HubError } from '../../../platform/http/errors.ts';
import { etagOf } from '../../../platform/http/etag.ts';
import { selectGroupsOf } from '../groups/index.ts';
import { registerApplicationPages } from './application-routes.ts';
import { deviceRow, entitiesOf } from './device-answers.ts';
import {
  countDevices,
  type DeviceRecord,
  selectCoverage,
  selectDevice,
  selectDevices,
  selectHostname,
} from './read-store.ts';

export const DeviceParams = Type.Object({ tenant_id: Type.String(), device_id: Uuid });

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
  const { db, cursors } = deps;
  const devices = (
    filter: Parameters<typeof selectDevices>[2],
  ): TenantList<DeviceRecord, DeviceRow> => ({
    cursors,
    list: 'devices',
    by: boundBy(filter),
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
        summary: 'The devices, by page',
        querystring: DevicesQuery,
        response: { 200: DevicesAnswer },
      },
    },
    async (request) => answerList(request, devices(filterOf(request.query))),
  );

  app.get(
    '/devices/download',
    fileRoute('Viewer', 'devices', 'The devices', DevicesAnswer, {
      querystring: DevicesDownloadQuery,
    }),
    (request, reply) => {
      const { format, ...filter } = request.query;
      return sendTenantFile(request, reply, devices(filter), { format, columns: COLUMNS });
    },
  );

  app.get(
    '/device-name',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['devices'],
        summary: 'The name of a device',
        querystring: DeviceNameQuery,
        response: { 200: DeviceNameAnswer },
      },
    },
    async (request) => {
      const hostname = await selectHostname(db, personOf(request).tenantId, request.query.of);
      if (hostname === null) throw new HubError('not_found');
      return { hostname, request_id: request.id };
    },
  );

  app.get(
    '/device-overview',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['devices'],
        summary: 'How many devices are fresh, stale, diverged or need a look',
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
        summary: 'A device: what it is, coverage by source, decisions in force',
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

  app.get(
    '/devices/:device_id/entities',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['devices'],
        summary: 'What was found on a device, by page',
        params: DeviceParams,
        querystring: DeviceEntitiesQuery,
        response: { 200: DeviceEntitiesAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const device = await selectDevice(db, tenantId, request.params.device_id);
      if (device === null) throw new HubError('not_found');
      return answerList(request, entitiesOf(deps, device.device_id, filterOf(request.query)));
    },
  );

  app.get(
    '/devices/:device_id/entities/download',
    fileRoute('Viewer', 'devices', 'What was found on a device,', DeviceEntitiesAnswer, {
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
        page: ENTITIES_AT_ONCE,
      });
    },
  );
}

const COLUMNS: Columns<DeviceRow> = {
  hostname: (one) => one.hostname,
  subscriber_id: (one) => one.subscriber_id,
  platform: (one) => one.platform,
  os_version: (one) => one.os_version,
  arch: (one) => one.arch,
  agent_version: (one) => one.agent_version,
  entity_count: (one) => one.entity_count,
  governance: (one) => one.governance.state,
  governance_since: (one) => one.governance.since,
  stale: (one) => String(one.stale),
  first_seen_at: (one) => one.first_seen_at,
  last_seen_at: (one) => one.last_seen_at,
  last_scan_at: (one) => one.last_scan_at,
  duplicate_since: (one) => one.duplicate_since,
  retired_at: (one) => one.retired_at,
  device_id: (one) => one.device_id,
};

/** Each may have megabytes of programs and permissions. */
const ENTITIES_AT_ONCE = 25;

const ENTITY_COLUMNS: Columns<DeviceEntity> = {
  name: (one) => one.name,
  version: (one) => one.version,
  publisher: (one) => one.publisher,
  kind: (one) => one.kind,
  source: (one) => one.source,
  install_path: (one) => one.install_path,
  executables: (one) => one.executables.join(' '),
  owners: (one) => [...new Set(one.instances.flatMap(({ owner }) => owner ?? []))].join(' '),
  installed_at: (one) => one.installed_at,
  first_seen_at: (one) => one.first_seen_at,
  last_seen_at: (one) => one.last_seen_at,
  removed_at: (one) => one.removed_at,
  entity_id: (one) => one.entity_id,
};
