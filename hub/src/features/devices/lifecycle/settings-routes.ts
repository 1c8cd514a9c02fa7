// Settings for all devices of a tenant: the days after which a device counts as stale.
import {
  DeviceSettings,
  DeviceSettingsAnswer,
} from '@gatewarden/shared/wire/console/device-lifecycle.ts';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { selectSettings, updateSettings } from './store.ts';

/** Reading for everybody who sees devices, storing for administrators. */
export function registerDeviceSettings(app: App, db: Db): void {
  app.get(
    '/device-settings',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['devices'],
        summary: 'Get the device settings',
        response: { 200: DeviceSettingsAnswer },
      },
    },
    async (request) => {
      const settings = await selectSettings(db, personOf(request).tenantId);
      if (settings === null) throw new HubError('not_found');
      return { settings, request_id: request.id };
    },
  );
  app.put(
    '/device-settings',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['devices'],
        summary: 'Update the device settings',
        body: DeviceSettings,
        response: { 200: DeviceSettingsAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const settings = request.body;
      await transact(db, async (tx) => {
        const before = await selectSettings(tx, person.tenantId);
        if (before === null) throw new HubError('not_found');
        if (before.stale_after_hours === settings.stale_after_hours) return;
        await updateSettings(tx, person.tenantId, settings);
        await recordByPerson(tx, request, {
          operation: 'device_settings.update',
          resource: { kind: 'tenant', id: person.tenantId },
          detail: { before, after: settings },
        });
        await notify(tx, { kind: 'page', tenant: person.tenantId, topic: 'devices' });
      });
      return { settings, request_id: request.id };
    },
  );
}
