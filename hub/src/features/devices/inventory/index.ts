// Inventory: what other features and server.ts may use.
export type { Arrival, ArrivalPolicies } from './arrivals.ts';
export { registerDevicePages, registerInventoryPages } from './console-routes.ts';
export {
  type CoveredByName,
  type CoveredProduct,
  decidedProducts,
} from './decided-products-store.ts';
export {
  type ReachedDevice,
  recordDecision,
  selectDevicesInScope,
  selectEntitiesInScope,
  selectEntitiesOf,
  selectEntityNamed,
  selectMatchingEntities,
  selectMeantProducts,
  selectProductNames,
  selectProductsCalled,
  selectProductsOfKind,
  selectProductsWith,
  selectRecordedStatus,
} from './decisions-store.ts';
export { deviceRow, entitiesOf } from './device-answers.ts';
export {
  clearDrifts,
  countDrifted,
  type DriftedEntity,
  deleteDrifts,
  selectDrifted,
} from './drift-store.ts';
export { searchDevices, searchProducts } from './global-search.ts';
export { findUnseen, holdPresent } from './hold-present.ts';
export { registerIngest } from './ingest.ts';
export { LOOKED_AT, NOBODY_YET } from './launch-forms.ts';
export { countAgentVersions, countFleet, countHealth } from './overview-store.ts';
export { SEARCHED_PRODUCTS, selectProduct } from './product-read-store.ts';
export { lookAtProducts, settleNames, sightRepeated } from './product-upkeep.ts';
export {
  countAppsOn,
  type DeviceRecord,
  SEARCHED_DEVICES,
  selectCoverage,
  selectDevice,
  selectPersonsDevice,
  selectPersonsDevices,
} from './read-store.ts';
export {
  deleteOld as deleteOldBatches,
  insertBatches,
  pairKey,
  selectBatches,
} from './scan-store.ts';
export { scopeInventories } from './scope-inventory.ts';
export { type ApprovedAmong, learnSeen, type MeantFor, rememberSeen } from './seen-launches.ts';
export { deleteSeen } from './seen-store.ts';
export { forgetInventory, lockInventories } from './store.ts';
