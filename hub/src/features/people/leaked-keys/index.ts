// Leaked keys: finds keys of this hub in any text, such as a log or a repository, and revokes them.
// Main types: `FoundSecret` (in a text), `LeakedSecret` (with the key that was issued).
// Invariants: a secret is recognized by prefix, length and checksum, without a query; a revocation fails alone.
// Depends on platform/issued-secrets, where each kind of key registers itself.
// Start reading at find-secrets.ts, then match.ts.

export { findSecretsInStream } from './find-secrets.ts';
export { isActive, matchIssuedKeys, revokeLeakedKeys } from './match.ts';
export { KIND_LABELS, KIND_NAMES, registerLeakedKeys } from './routes.ts';
