// Every page of the console, in one table that is compared with the console's own addresses: a new page cannot be forgotten.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const APP = join(import.meta.dirname, '../../hub/console/src/app');

/** What stands in the addresses of single things. */
export interface PageIds {
  entityId: string;
  deviceId: string;
  groupId: string;
  routeId: string;
  appName: string;
  backendId: string;
}

/** By the address as the router has it. */
export const PAGES: Record<string, (ids: PageIds) => string> = {
  '/overview': () => 'overview',
  '/applications': () => 'applications',
  '/applications/$entityId': ({ entityId }) => `applications/${entityId}`,
  '/devices': () => 'devices',
  '/devices/$deviceId': ({ deviceId }) => `devices/${deviceId}`,
  '/device-groups': () => 'device-groups',
  '/device-groups/$groupId': ({ groupId }) => `device-groups/${groupId}`,
  '/default-policies': () => 'default-policies',
  '/unknown-processes': () => 'unknown-processes',
  '/decisions': () => 'decisions',
  '/alerts': () => 'alerts',
  '/alert-routes': () => 'alert-routes',
  '/alert-routes/$routeId': ({ routeId }) => `alert-routes/${routeId}`,
  '/activity': () => 'activity',
  '/access-requests': () => 'access-requests',
  '/gateway/apps': () => 'gateway/apps',
  '/gateway/apps/$appName': ({ appName }) => `gateway/apps/${appName}`,
  '/gateway/providers': () => 'gateway/providers',
  '/gateway/catalogs': () => 'gateway/catalogs',
  '/gateway/audit': () => 'gateway/audit',
  '/gateway/requests': () => 'gateway/requests',
  '/gateway/tool-calls': () => 'gateway/tool-calls',
  '/gateway/usage': () => 'gateway/usage',
  '/gateway/metrics': () => 'gateway/metrics',
  '/gateway/export-keys': () => 'gateway/export-keys',
  '/mcp-servers': () => 'mcp-servers',
  '/mcp-servers/$backendId': ({ backendId }) => `mcp-servers/${backendId}`,
  '/mcp-rules': () => 'mcp-rules',
  '/mcp-call-rules': () => 'mcp-call-rules',
  '/mcp-tokens': () => 'mcp-tokens',
  '/mcp-settings': () => 'mcp-settings',
  '/people-groups': () => 'people-groups',
  '/people': () => 'people',
  '/enrolment': () => 'enrolment',
  '/agent-releases': () => 'agent-releases',
  '/keys': () => 'keys',
  '/settings': () => 'settings',
  '/hub-health': () => 'hub-health',
  '/audit': () => 'audit',
  '/reference': () => 'reference?query=device',
  '/reference/$operationId': () => 'reference/management_patch_apps_app_name',
  '/reference/errors': () => 'reference/errors',
  '/reference/errors/$code': () => 'reference/errors/rollout_conflict',
  '/connect': () => 'connect',
  '/connections': () => 'connections',
  '/approvals': () => 'approvals',
  '/my-devices': () => 'my-devices',
  '/my-devices/$deviceId': ({ deviceId }) => `my-devices/${deviceId}`,
  '/my-calls': () => 'my-calls',
  '/my-requests': () => 'my-requests',
  '/my-sessions': () => 'my-sessions',
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
