// Gateway credentials: what other features may use.
export { checkedKeyName, issueAppKey } from './issue.ts';
export { appKeyRoutes } from './routes.ts';
