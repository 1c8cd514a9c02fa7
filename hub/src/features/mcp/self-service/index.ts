// The pages of a signed-in user: usable servers, own connections, own calls, and the setup of MCP clients.
// Main types: `OfferDeps`.
// Invariant: only servers that the user may use are named; only the user's own calls are shown.
// Depends on access-policies, upstream-auth, backends, trace and logs.
// Start reading at `registerMcpOwn` in routes.ts.
export { registerOwnCalls } from './calls.ts';
export { type OfferDeps, offerFor } from './offer.ts';
export { isAvailableTo, registerSelfService } from './routes.ts';
