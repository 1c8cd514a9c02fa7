// The doors of the management API and how routes stand behind them.
export { createAdmission } from './admission.ts';
export { createAdminGate, createResourceGate, operatorGate, personGate } from './gate.ts';
export type { KeyState, Principal } from './principal.ts';
export {
  type Answered,
  type Call,
  prepareScope,
  type RouteSpec,
  refuseUnknown,
  registerFamily,
  route,
} from './routes.ts';
