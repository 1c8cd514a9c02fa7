// The device and its applications, as every response contains them.
import type { DeviceEntity, DeviceRow } from '@gatewarden/shared/wire/console/devices.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isoOrNull, type TenantList } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { type DeviceRecord, type EntityRecord, selectDeviceEntities } from './read-store.ts';

/** Returns the apps on the device, by name. */
export function entitiesOf(
  deps: { db: Db; cursors: CursorSealer },
  deviceId: string,
  asked: { query?: string; removed?: 'true' | 'false' },
): TenantList<EntityRecord, DeviceEntity> {
  const filter = {
    ...(asked.query ? { query: asked.query } : {}),
    removed: asked.removed === 'true',
  };
  return {
    cursors: deps.cursors,
    list: 'entities',
    by: [deviceId, filter],
    fetch: (tenantId, after, limit) =>
      selectDeviceEntities(deps.db, tenantId, deviceId, filter, after, limit),
    keyOf: (entity) => [entity.sort_key, entity.entity_id],
    item: ({ sort_key: _key, ...entity }) => ({
      ...entity,
      installed_at: isoOrNull(entity.installed_at),
      first_seen_at: entity.first_seen_at.toISOString(),
      last_seen_at: entity.last_seen_at.toISOString(),
      removed_at: isoOrNull(entity.removed_at),
    }),
  };
}

/** The device as lists show it. */
export function deviceRow(record: DeviceRecord): DeviceRow {
  const {
    sort_key: _key,
    version: _version,
    governance_state,
    governance_since,
    governance_at,
    claim,
    claimed_at: claimedAt,
    ...device
  } = record;
  return {
    ...device,
    first_seen_at: device.first_seen_at.toISOString(),
    last_seen_at: device.last_seen_at.toISOString(),
    last_scan_at: isoOrNull(device.last_scan_at),
    governance: {
      state: governance_state,
      since: isoOrNull(governance_since),
      as_of: isoOrNull(governance_at),
    },
    duplicate_since: isoOrNull(device.duplicate_since),
    claim: claim === null || claimedAt === null ? null : { ...claim, at: claimedAt.toISOString() },
    retired_at: isoOrNull(device.retired_at),
  };
}
