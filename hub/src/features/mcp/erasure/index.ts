// Erasure of a user's data from the MCP gateway, by e-mail address.
// Main functions: `erasePersonsMcp`.
// Invariant: a transaction erases all tables; caches are invalidated after the commit.
// Depends on the other rooms that store data of users.
// Start reading at erase.ts.
export { eraseUser } from './erase.ts';
