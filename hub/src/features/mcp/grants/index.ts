// People's OAuth connections with servers behind the gateway: what the composition may use.
export { registerGrantCallback } from './callback.ts';
export { DiscoveryFailed } from './discovery.ts';
export { createGrants, type Grants, LoginAway } from './grants.ts';
export { registerGrants } from './routes.ts';
export { createServerMetadata, type ServerMetadata } from './server-metadata.ts';
export {
  deleteGrantsOf,
  deleteOldStarts,
  eraseGrants,
  type GrantKey,
  SEALED_CLIENTS,
  SEALED_GRANTS,
  SEALED_STARTS,
} from './store.ts';
