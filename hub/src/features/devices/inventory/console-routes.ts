// The console's reading side of the inventory: devices and what is on them.

import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  DeviceAnswer,
  DeviceEntitiesAnswer,
  DeviceEntitiesQuery,
  DeviceNameAnswer,
  DeviceNameQuery,
  DeviceOverviewAnswer,
  DevicesAnswer,
  DevicesQuery,
} from '@gatewarden/shared/wire/console/devices.ts';
import { Type } from 'typebox';
import { personOf } from '../../../platform/auth/person.ts';
import type { App } from '../../../platform/http/app.ts';
import { answerList, boundBy, filterOf } from '../../../platform/http/console.ts';
import { HubError } from '../../../platform/http/errors.ts';
import { etagOf } from '../../../platform/http/etag.ts';
import { selectGroupsOf } from '../groups/index.ts';
import { registerApplicationPages } from './application-routes.ts';
import { deviceRow, entitiesPage } from './device-answers.ts';
import {
  countDevices,
  selectCoverage,
  selectDevice,
  selectDevices,
  selectHostname,
} from './read-store.ts';

export const DeviceParams = Type.Object({ tenant_id: Type.String(), device_id: Uuid });

export function registerInventoryPages(
  app: App,
  deps: Parameters<typeof registerApplicationPages>[1],
): void {
  const { db, cursors } = deps;

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
    async (request) => {
      const filter = filterOf(request.query);
      return answerList(request, {
        cursors,
        list: 'devices',
        by: boundBy(filter),
        fetch: (tenantId, after, limit) => selectDevices(db, tenantId, filter, after, limit),
        keyOf: (device) => [device.sort_key, device.device_id],
        item: deviceRow,
      });
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
      const page = await entitiesPage({ db, cursors }, tenantId, device.device_id, request.query);
      return { ...page, request_id: request.id };
    },
  );

  registerApplicationPages(app, deps);
}
