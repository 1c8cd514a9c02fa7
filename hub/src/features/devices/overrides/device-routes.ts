// /devices/{device_id}/decisions: the policies in force on a device, and whether the device has received them.
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  type DeviceDecision,
  DeviceDecisionsAnswer,
  OfDeviceQuery,
} from '@gatewarden/shared/wire/console/devices.ts';
import { Type } from 'typebox';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { type DeviceRecord, selectDevice } from '../inventory/read-store.ts';
import type { Snapshots } from '../sync/snapshot-cache.ts';
import { loadInForcePage } from './in-force-response.ts';
import { joinScope } from './override-rules.ts';
import type { OverrideRecord } from './store.ts';

export function registerDeviceDecisions(
  app: App,
  deps: { db: Db; cursors: CursorSealer; snapshots: Snapshots },
): void {
  const { db } = deps;
  app.get(
    '/devices/:device_id/decisions',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['devices'],
        summary: 'List the policies in force on a device, newest first',
        params: Type.Object({ tenant_id: Type.String(), device_id: Uuid }),
        querystring: OfDeviceQuery,
        response: { 200: DeviceDecisionsAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const device = await selectDevice(db, tenantId, request.params.device_id.toLowerCase());
      if (device === null) throw new HubError('not_found');
      return loadInForcePage(request, {
        ...deps,
        list: 'device-decisions',
        device,
        item: (override, common): DeviceDecision => ({
          ...common,
          scope: joinScope(override.scope_kind, override.scope_id),
          applied: isApplied(device, override),
        }),
      });
    },
  );
}

/** Devices report a digest of all their overrides, so a report from before the change is no evidence. */
function isApplied(
  { governance_state: state, governance_at: reportedAt }: DeviceRecord,
  { updated_at, effective_at }: OverrideRecord,
): boolean | null {
  if (state === 'unknown' || reportedAt === null) return null;
  const changedAt = Math.max(updated_at.getTime(), effective_at?.getTime() ?? 0);
  return state === 'applied' && reportedAt.getTime() >= changedAt;
}
