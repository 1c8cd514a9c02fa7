// SCIM 2.0: a company's directory provisions users, their roles and their groups (RFC 7643, RFC 7644).
// Main types: `ScimUserRow`, `UserInput` and `GroupInput` (the values of a directory), `ScimGrant` (of a token).
// Invariants: the tenant is that of the token; a write takes the roles lock first; a deprovisioned user keeps the id.
// Depends on groups and identity; parsing and PATCH come from scimmy.
// Start reading at routes.ts, then user-routes.ts and users.ts.
export { registerScim } from './routes.ts';
export { registerScimTokens } from './token-routes.ts';
export { ISSUED_SCIM_TOKENS } from './tokens.ts';
