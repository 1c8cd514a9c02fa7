// Gateway credentials of apps: issued, shown, revealed and revoked.
// Start reading at issue.ts, then routes.ts.
export { checkedKeyName, issueAppKey, keyDocs, SEALED_KEYS } from './issue.ts';
export { ISSUED_APP_KEYS } from './issued.ts';
export { appKeyRoutes } from './routes.ts';
export { recordKeyUses, selectAppsWithKey } from './store.ts';
