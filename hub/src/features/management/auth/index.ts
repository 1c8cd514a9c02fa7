// Authentication of the management API, and the registration of its routes.
// Start reading at gate.ts, then routes.ts.
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
