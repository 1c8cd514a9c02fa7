// Decision trace: explains to administrators why an app has its state on a device.
// Main types: `DecisionChain`, the ordered candidates and the override that decided.
// Invariants: the trace evaluates the same snapshot and the same rules as the device.
// Depends on inventory and overrides.
// Start reading at trace.ts.
export { registerWhy } from './routes.ts';
