// Releases: which version of the agent each device is offered, by rings and device groups.
// Main types: the wire types of releases; see rules.ts.
// Invariants: a device is never offered an older version than it runs; a withdrawn release is offered to no device.
// Depends on enrollment and groups.
// Start reading at rules.ts, then routes.ts (devices) and operator.ts (commands).
export {
  addRelease,
  giveToGroup,
  listReleases,
  setRing,
  withdrawRelease,
} from './operator.ts';
export { registerReleasePages } from './pages.ts';
export { registerReleases } from './routes.ts';
