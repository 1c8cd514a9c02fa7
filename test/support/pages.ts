// Every page of the console in a single table. A test compares it with the router's addresses, so no page is forgotten.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const APP = join(import.meta.dirname, '../../hub/console/src/app');

/** Ids and names in the addresses of detail pages. */
export interface PageIds {
  entityId: string;
  productId: string;
  deviceId: string;
  groupId: string;
  routeId: string;
  appName: string;
  backendId: string;
  email: string;
}

/** Builders of addresses, by the address in the router's notation. */
export const PAGES: Record<string, (ids: PageIds) => string> = {
  '/settings/api-reference': () => 'settings/api-reference?query=device',
  '/settings/api-reference/$operationId': () => 'settings/api-reference/updateGatewayApp',
  '/settings/api-reference/errors': () => 'settings/api-reference/errors',
  '/settings/api-reference/errors/$code': () => 'settings/api-reference/errors/rollout_conflict',
  '/home': () => 'home',
  '/inventory/$list': () => 'inventory/ai-tools',
  '/inventory/all': () => 'inventory/all',
  '/inventory/products/$productId': ({ productId }) => `inventory/products/${productId}`,
  '/inventory/items/$entityId': ({ entityId }) => `inventory/items/${entityId}`,
  '/users/$email': ({ email }) => `users/${encodeURIComponent(email)}`,
  '/devices': () => 'devices',
  '/devices/$deviceId': ({ deviceId }) => `devices/${deviceId}`,
  '/devices/groups': () => 'devices/groups',
  '/devices/groups/$groupId': ({ groupId }) => `devices/groups/${groupId}`,
  '/policies/defaults': () => 'policies/defaults',
  '/inventory/unidentified-processes': () => 'inventory/unidentified-processes',
  '/policies': () => 'policies',
  '/activity/alerts': () => 'activity/alerts',
  '/settings/notifications': () => 'settings/notifications',
  '/settings/notifications/$channelId': ({ routeId }) => `settings/notifications/${routeId}`,
  '/activity/enforcement': () => 'activity/enforcement',
  '/gateway/apps': () => 'gateway/apps',
  '/gateway/apps/$appName': ({ appName }) => `gateway/apps/${appName}`,
  '/gateway/providers/prices': () => 'gateway/providers/prices',
  '/gateway/providers': () => 'gateway/providers',
  '/gateway/guardrails/definitions': () => 'gateway/guardrails/definitions',
  '/activity/audit-log/gateway': () => 'activity/audit-log/gateway',
  '/activity/llm-requests': () => 'activity/llm-requests',
  '/activity/tool-calls': () => 'activity/tool-calls',
  '/gateway/usage': () => 'gateway/usage',
  '/gateway/usage/metrics': () => 'gateway/usage/metrics',
  '/settings/log-export': () => 'settings/log-export',
  '/my/connect': () => 'my/connect',
  '/my/connect/connections': () => 'my/connect/connections',
  '/my/devices': () => 'my/devices',
  '/my/activity': () => 'my/activity',
  '/my/activity/llm-requests': () => 'my/activity/llm-requests',
  '/my/activity/stopped-apps': () => 'my/activity/stopped-apps',
  '/policies/access-requests': () => 'policies/access-requests',
  '/my/devices/$deviceId': ({ deviceId }) => `my/devices/${deviceId}`,
  '/gateway/mcp-servers': () => 'gateway/mcp-servers',
  '/gateway/mcp-servers/discovered': () => 'gateway/mcp-servers/discovered',
  '/gateway/mcp-servers/$backendId': ({ backendId }) => `gateway/mcp-servers/${backendId}`,
  '/gateway/mcp-access': () => 'gateway/mcp-access',
  '/gateway/guardrails': () => 'gateway/guardrails',
  '/my/requests/approvals': () => 'my/requests/approvals',
  '/gateway/tool-approvals': () => 'gateway/tool-approvals',
  '/my/requests': () => 'my/requests',
  '/policies/rollouts': () => 'policies/rollouts',
  '/gateway/mcp-access/sessions': () => 'gateway/mcp-access/sessions',
  '/gateway/mcp-access/clients': () => 'gateway/mcp-access/clients',
  '/settings/users/groups': () => 'settings/users/groups',
  '/settings/users': () => 'settings/users',
  '/devices/add': () => 'devices/add',
  '/devices/agent-versions': () => 'devices/agent-versions',
  '/settings/keys': () => 'settings/keys',
  '/settings/sign-in': () => 'settings/sign-in',
  '/settings/data': () => 'settings/data',
  '/settings/system-status': () => 'settings/system-status',
  '/activity/audit-log': () => 'activity/audit-log',
  '/my/sessions': () => 'my/sessions',
};

/** The addresses below a tenant, read from where the console declares them. */
export function declaredPages(): string[] {
  const text = readdirSync(APP)
    .filter((name) => /(^router|-routes?)\.ts$/.test(name))
    .map((name) => readFileSync(join(APP, name), 'utf8'))
    .join('\n');
  return [...text.matchAll(/^\s*path: '(\/[^']*)'/gm)]
    .map((found) => found[1] ?? '')
    .filter((path) => path !== '/' && path !== '/t/$tenantId')
    .sort();
}
