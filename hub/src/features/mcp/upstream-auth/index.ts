// Credentials for MCP servers: shared headers, keys of users, OAuth connections of users, and which of them a call sends.
// Main types: `CredentialDeps`, `UserKeys`, `OAuthConnections`.
// Invariant: a user's credential is sealed at rest, sent to its own server only, and used for that user's calls only.
// Depends on upstream, backends, access-tokens and people.
// Start reading at `credentialsFor` in resolve-credentials.ts, then keys/ and oauth/.
export {
  createUserKeys,
  forgetSecretEverywhere,
  registerUserKeys,
  type UserKeys,
} from './keys/keys.ts';
export { deleteSecretsOf, eraseSecrets, SEALED_CONNECTIONS } from './keys/store.ts';
export { registerOAuthCallback } from './oauth/callback.ts';
export { createOAuthConnections, type OAuthConnections } from './oauth/connections.ts';
export { DiscoveryError } from './oauth/discovery.ts';
export { registerOAuthConnections } from './oauth/routes.ts';
export { createServerMetadata, type ServerMetadata } from './oauth/server-metadata.ts';
export {
  deleteGrantsOf,
  deleteOldStarts,
  eraseGrants,
  SEALED_CLIENTS,
  SEALED_GRANTS,
  SEALED_STARTS,
} from './oauth/store.ts';
export { type Asking, type CredentialDeps, credentialsFor } from './resolve-credentials.ts';
