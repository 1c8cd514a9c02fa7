// Erases what a tenant no longer lets discovery look at: a device that was away may still send some, so every inventory
// that changed is evaluated again. The device is asked for a full upload, because its cached inventory names erased entities.
import { type Db, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { applyProductDeltas } from './entity-store.ts';
import { mergeRemovals } from './merge.ts';
import { pairKey } from './scan-store.ts';
import {
  deleteOutOfScope,
  markScoped,
  selectDevicesToScope,
  selectOutOfScope,
  stripOwners,
} from './scope-store.ts';

/** Safe to repeat, in any hub process. */
export async function eraseOutOfScope(db: Db): Promise<void> {
  for (;;) {
    const devices = await selectDevicesToScope(db);
    for (const { tenant_id: tenantId, device_id: deviceId } of devices) {
      await eraseFromDevice(db, tenantId, deviceId);
    }
    if (devices.length === 0) return;
  }
}

async function eraseFromDevice(db: Db, tenantId: string, deviceId: string): Promise<void> {
  await transact(db, async (tx) => {
    const found = await selectOutOfScope(tx, tenantId, deviceId);
    if (found === null) return;
    const { exclusive, shared } = found;
    const merge = mergeRemovals([...exclusive, ...shared].filter((entity) => !entity.removed));
    await deleteOutOfScope(
      tx,
      tenantId,
      deviceId,
      exclusive.map((entity) => entity.entity_id),
    );
    await stripOwners(
      tx,
      tenantId,
      deviceId,
      shared.map((entity) => entity.entity_id),
    );
    const isChanged = exclusive.length > 0 || shared.length > 0;
    await markScoped(tx, tenantId, deviceId, {
      isChanged,
      hashChange: merge.hashChange,
      entityCountChange: merge.entityCountChange,
    });
    await applyProductDeltas(tx, tenantId, merge.products, new Map());
    if (!isChanged) return;
    await notify(tx, { kind: 'forget', cache: 'device', keys: [pairKey(tenantId, deviceId)] });
    await notify(tx, { kind: 'page', tenant: tenantId, topic: 'devices' });
    await notify(tx, { kind: 'page', tenant: tenantId, topic: 'applications' });
  });
}
