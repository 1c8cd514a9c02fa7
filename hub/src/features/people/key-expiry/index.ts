// Key expiry: creators get a mail a week and a day before a key expires; administrators see the keys that expire soon.
// Main types: `ExpiringKey` (in a mail), `KeyExpiryNotices` (evaluates what is due).
// Invariants: a notice is stored before its mail is queued, so over all hub processes it is sent once.
// Depends on leaked-keys for labels of kinds, and on platform/delivery for mail.
// Start reading at notice.ts, then send-notices.ts.
export { registerExpiringKeys } from './routes.ts';
export { type KeyExpiryNotices, startKeyExpiryNotices } from './send-notices.ts';
