// Releases of the agent: what server.ts and the command line may use.
export {
  addRelease,
  giveToGroup,
  listReleases,
  setRing,
  withdrawRelease,
} from './operator.ts';
export { registerReleasePages } from './pages.ts';
export { registerReleases } from './routes.ts';
