// Sync: what each device is sent of the tenant's overrides and settings, as deltas of a feed.
// Main types: `Snapshot` (a tenant's overrides in memory), `DeltaCursor` (Incremental | Resync | OwnerChange), `ScopeExit`.
// Invariants: a device that follows its cursor ends with exactly the overrides that aim at it; a poll without changes runs no SQL.
// Depends on enrollment, groups and overrides. See ADR 0026 (tombstones) and ADR 0027 (state digest).
// Start reading at delta-routes.ts, then delta-cursor.ts. A device that does not converge: `convergence` in resolve-cursor.ts
// computes its state, sync-health.ts repairs it. The rate limit of polls is in enrollment/device-auth.ts.
export { registerDelta } from './delta-routes.ts';
export { DISCOVERY_SCOPE } from './discovery-scope.ts';
export { registerEmergencyStop } from './emergency-stop.ts';
export { pruneTombstones } from './prune-tombstones.ts';
export { hashSubscriber, rolloutAdmits } from './snapshot.ts';
export { createSnapshots, readSnapshot, type Snapshots } from './snapshot-cache.ts';
export { registerSyncedSetting } from './tenant-setting.ts';
export { TRAY_SETTING } from './tray-setting.ts';
