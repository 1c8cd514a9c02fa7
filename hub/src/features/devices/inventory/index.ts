// Inventory: the read side of what devices reported. Lists and pages of devices and apps, and lookups for overrides.
// Main types: `DeviceRecord`, `ReachedDevice` (a device in a scope), `CoveredProduct`.
// Invariants: every query names its tenant; removed entities never count; names are settled by what most devices report.
// Depends on enrollment, groups and drift; ingest writes the tables that this room reads.
// Start reading at read-store.ts (devices) and product-read-store.ts (apps).

export { applicationStatus, OPEN_DRIFT } from './application-status-store.ts';
export {
  type CoveredByName,
  type CoveredProduct,
  decidedProducts,
} from './covered-products-store.ts';
export { registerDevicePages, registerInventoryPages } from './device-routes.ts';
export { deviceRow, entitiesOf } from './device-rows.ts';
export { searchDevices, searchProducts } from './global-search.ts';
export {
  countAgentVersions,
  countFleet,
  countHealth,
} from './overview-store.ts';
export { appPolicyStep, isCustomPolicy } from './policy-step-store.ts';
export { SEARCHED_PRODUCTS, selectProduct } from './product-read-store.ts';
export { classifyDriftCapability, resolveNameConflicts, touchLastSeen } from './product-upkeep.ts';
export {
  countAppsOn,
  type DeviceRecord,
  SEARCHED_DEVICES,
  SEEN_TODAY,
  selectCoverage,
  selectDevice,
  selectPersonsDevice,
  selectPersonsDevices,
} from './read-store.ts';
export {
  selectEntitiesOf,
  selectEntityNamed,
  selectProductNames,
  selectProductsWith,
} from './scope-store.ts';
