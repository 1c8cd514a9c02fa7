// The job that moves rollouts on. Every hub process may run it at the same moment: each rollout is one transaction
// under its row's lock, so a step is taken once.
import { type Actor, recordAudit } from '../../../platform/audit.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { advanceFeed, notify } from '../../../platform/feed/feed.ts';
import { forEachIsolated } from '../../../platform/for-each-isolated.ts';
import { countBlocks } from '../activity/index.ts';
import { selectDevicesWithCode } from '../alerts/index.ts';
import { selectDevicesInScope } from '../inventory/scope-store.ts';
import { joinScope } from '../overrides/override-rules.ts';
import { type OverrideRecord, selectOverride } from '../overrides/store.ts';
import { setPercent } from '../overrides/write-override.ts';
import { rolloutAdmits } from '../sync/snapshot.ts';
import {
  blocksSince,
  nextStep,
  observedSince,
  type RingObservation,
  reachableSince,
  rolloutRow,
  type Step,
  type StoredRollout,
} from './rollout.ts';
import {
  deleteRollout,
  lockRunningRollout,
  selectRunning,
  updateChecked,
  writeRollout,
} from './store.ts';

const SYSTEM: Actor = { kind: 'hub', id: 'rollouts', email: null };
const SYSTEM_NAME = 'Gatewarden';

/** Takes the step that is due of each running rollout, if any. Safe to repeat. One that fails keeps no other back. */
export async function advanceRollouts(db: Db, now: Date): Promise<void> {
  await forEachIsolated(await selectRunning(db), 'some rollouts could not be moved on', (row) =>
    transact(db, (tx) => advanceRollout(tx, row.tenant_id, row.override_id, now)),
  );
}

async function advanceRollout(
  tx: Tx,
  tenantId: string,
  overrideId: string,
  now: Date,
): Promise<void> {
  const rollout = await lockRunningRollout(tx, tenantId, overrideId);
  if (rollout === null) return;
  const override = await selectOverride(tx, tenantId, overrideId);
  if (override === null) {
    await deleteRollout(tx, tenantId, overrideId);
    return;
  }
  const step = nextStep(rollout, await observeRing(tx, tenantId, override, rollout, now), now);
  await updateChecked(tx, tenantId, overrideId, {
    at: now,
    reachableSince: reachableSince(rollout, now),
  });
  if (step.do === 'wait') return;
  const after = {
    ...rollout,
    ...changeOf(step, now),
    checked_at: now,
    reachable_since: reachableSince(rollout, now),
    updated_at: now,
    updated_by: SYSTEM_NAME,
  };
  if (step.do === 'advance') {
    const revision = await advanceFeed(tx, tenantId, 'governance');
    // Behind the feed's lock once more: a person may have changed it while we waited.
    const present = await selectOverride(tx, tenantId, overrideId);
    if (present === null) return;
    await setPercent(tx, tenantId, present, {
      percent: step.percent,
      revision,
      by: SYSTEM_NAME,
      now,
    });
  }
  await writeRollout(tx, tenantId, overrideId, after);
  await recordAudit(tx, {
    tenantId,
    actor: SYSTEM,
    operation: `override.rollout_${step.do}`,
    resource: { kind: 'override', id: overrideId },
    requestId: null,
    detail: { before: rolloutRow(rollout), after: rolloutRow(after) },
  });
  await notify(tx, { kind: 'page', tenant: tenantId, topic: 'overrides' });
}

/** Returns the observations of the devices in the rollout's current scope. */
async function observeRing(
  tx: Tx,
  tenantId: string,
  override: OverrideRecord,
  rollout: StoredRollout,
  now: Date,
): Promise<RingObservation> {
  const { max_blocks_per_hour: maxBlocks, max_lost_devices_percent: maxLost } = rollout.limits;
  const blocks =
    maxBlocks === undefined
      ? 0
      : await blocksOf(tx, tenantId, override.override_id, blocksSince(rollout, now));
  if (maxLost === undefined) return { blocks, lastSeen: [] };
  const scope = joinScope(override.scope_kind, override.scope_id);
  const devices = await selectDevicesInScope(tx, tenantId, scope);
  const since = observedSince(rollout);
  const lastSeen = devices
    .filter((device) => device.last_seen_at >= since)
    .filter((device) =>
      rolloutAdmits(override.override_id, device.device_id, override.rollout_percent),
    )
    .map((device) => device.last_seen_at);
  return { blocks, lastSeen };
}

async function blocksOf(tx: Tx, tenantId: string, overrideId: string, since: Date) {
  const openBreakers = await selectDevicesWithCode(tx, tenantId, 'breaker_open', since);
  return countBlocks(tx, tenantId, { overrideId, since, openBreakers });
}

function changeOf(step: Exclude<Step, { do: 'wait' }>, now: Date): Partial<StoredRollout> {
  switch (step.do) {
    case 'advance':
      return { ring: step.ring, ring_started_at: now };
    case 'finish':
      return { state: 'done' };
    case 'stop':
      return { state: 'stopped', stopped_reason: step.reason };
  }
}
