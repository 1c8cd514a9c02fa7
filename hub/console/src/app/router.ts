// Every page's address, with its filters typed. Pages are loaded when they are first visited.
import { createRoute, createRouter } from '@tanstack/react-router';
import { PageError } from './Fallbacks.tsx';
import { lazyPage } from './lazy-page.ts';
import { referenceRoutes } from './reference-routes.ts';
import { FirstTenant, TenantHome } from './SignedIn.tsx';
import {
  accessRequestsSearch,
  activitySearch,
  alertsSearch,
  applicationsSearch,
  approvalsSearch,
  connectionsSearch,
  decisionsSearch,
  deviceSearch,
  devicesSearch,
  gatewayAppSearch,
  gatewayAppsSearch,
  gatewayAuditSearch,
  groupsSearch,
  mcpRulesSearch,
  metricsSearch,
  myDeviceSearch,
  ownLogSearch,
  processesSearch,
  requestsSearch,
  toolCallsSearch,
  usageSearch,
  whySearch,
} from './search.ts';
import { searchFormat } from './search-format.ts';
import { settingsRoutes } from './settings-routes.ts';
import { rootRoute, tenantRoute } from './tenant-route.ts';

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: FirstTenant,
});

const tenantHomeRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/',
  component: TenantHome,
});

const overviewRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/overview',
  component: lazyPage(() => import('../overview/OverviewPage.tsx'), 'OverviewPage'),
});

const applicationsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/applications',
  validateSearch: applicationsSearch,
  component: lazyPage(() => import('../applications/ApplicationsPage.tsx'), 'ApplicationsPage'),
});

const applicationRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/applications/$entityId',
  validateSearch: whySearch,
  component: lazyPage(() => import('../applications/ApplicationPage.tsx'), 'ApplicationPage'),
});

const devicesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/devices',
  validateSearch: devicesSearch,
  component: lazyPage(() => import('../devices/DevicesPage.tsx'), 'DevicesPage'),
});

const deviceRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/devices/$deviceId',
  validateSearch: deviceSearch,
  component: lazyPage(() => import('../devices/DevicePage.tsx'), 'DevicePage'),
});

const groupsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/device-groups',
  validateSearch: groupsSearch,
  component: lazyPage(() => import('../groups/GroupsPage.tsx'), 'GroupsPage'),
});

const groupRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/device-groups/$groupId',
  component: lazyPage(() => import('../groups/GroupPage.tsx'), 'GroupPage'),
});

const defaultsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/default-policies',
  component: lazyPage(() => import('../defaults/DefaultPoliciesPage.tsx'), 'DefaultPoliciesPage'),
});

const processesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/unknown-processes',
  validateSearch: processesSearch,
  component: lazyPage(
    () => import('../processes/UnknownProcessesPage.tsx'),
    'UnknownProcessesPage',
  ),
});

const decisionsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/decisions',
  validateSearch: decisionsSearch,
  component: lazyPage(() => import('../decisions/DecisionsPage.tsx'), 'DecisionsPage'),
});

const alertsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/alerts',
  validateSearch: alertsSearch,
  component: lazyPage(() => import('../alerts/AlertsPage.tsx'), 'AlertsPage'),
});

const alertRoutesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/alert-routes',
  component: lazyPage(() => import('../alert-routes/AlertRoutesPage.tsx'), 'AlertRoutesPage'),
});

const alertRouteRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/alert-routes/$routeId',
  component: lazyPage(() => import('../alert-routes/AlertRoutePage.tsx'), 'AlertRoutePage'),
});

const activityRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/activity',
  validateSearch: activitySearch,
  component: lazyPage(() => import('../activity/ActivityPage.tsx'), 'ActivityPage'),
});

const gatewayAppsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/apps',
  validateSearch: gatewayAppsSearch,
  component: lazyPage(() => import('../gateway/AppsPage.tsx'), 'AppsPage'),
});

const gatewayAppRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/apps/$appName',
  validateSearch: gatewayAppSearch,
  component: lazyPage(() => import('../gateway/AppPage.tsx'), 'AppPage'),
});

const providersRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/providers',
  component: lazyPage(() => import('../gateway/ProvidersPage.tsx'), 'ProvidersPage'),
});

const catalogsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/catalogs',
  component: lazyPage(() => import('../gateway/CatalogsPage.tsx'), 'CatalogsPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/audit',
  validateSearch: gatewayAuditSearch,
  component: lazyPage(() => import('../gateway/AuditPage.tsx'), 'AuditPage'),
});

const requestsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/requests',
  validateSearch: requestsSearch,
  component: lazyPage(() => import('../logs/LogPages.tsx'), 'RequestsPage'),
});

const toolCallsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/tool-calls',
  validateSearch: toolCallsSearch,
  component: lazyPage(() => import('../logs/LogPages.tsx'), 'ToolCallsPage'),
});

const usageRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/usage',
  validateSearch: usageSearch,
  component: lazyPage(() => import('../logs/UsagePage.tsx'), 'UsagePage'),
});

const metricsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/metrics',
  validateSearch: metricsSearch,
  component: lazyPage(() => import('../logs/MetricsPage.tsx'), 'MetricsPage'),
});

const exportKeysRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/export-keys',
  component: lazyPage(() => import('../logs/ExportKeysPage.tsx'), 'ExportKeysPage'),
});

const connectRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/connect',
  component: lazyPage(() => import('../own/ConnectPage.tsx'), 'ConnectPage'),
});

const connectionsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/connections',
  validateSearch: connectionsSearch,
  component: lazyPage(() => import('../own/ConnectionsPage.tsx'), 'ConnectionsPage'),
});

const myDevicesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/my-devices',
  component: lazyPage(() => import('../own/MyDevicesPage.tsx'), 'MyDevicesPage'),
});

const myCallsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/my-calls',
  validateSearch: ownLogSearch,
  component: lazyPage(() => import('../own/MyCallsPage.tsx'), 'MyCallsPage'),
});

const myRequestsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/my-requests',
  validateSearch: ownLogSearch,
  component: lazyPage(() => import('../own/MyRequestsPage.tsx'), 'MyRequestsPage'),
});

const accessRequestsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/access-requests',
  validateSearch: accessRequestsSearch,
  component: lazyPage(() => import('../requests/RequestsPage.tsx'), 'RequestsPage'),
});

const myDeviceRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/my-devices/$deviceId',
  validateSearch: myDeviceSearch,
  component: lazyPage(() => import('../own/MyDevicePage.tsx'), 'MyDevicePage'),
});

const mcpServersRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/mcp-servers',
  component: lazyPage(() => import('../mcp/ServersPage.tsx'), 'ServersPage'),
});

const mcpServerRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/mcp-servers/$backendId',
  component: lazyPage(() => import('../mcp/ServerPage.tsx'), 'ServerPage'),
});

const mcpRulesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/mcp-rules',
  validateSearch: mcpRulesSearch,
  component: lazyPage(() => import('../mcp/RulesPage.tsx'), 'RulesPage'),
});

const mcpCallRulesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/mcp-call-rules',
  component: lazyPage(() => import('../mcp/CallRulesPage.tsx'), 'CallRulesPage'),
});

const approvalsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/approvals',
  validateSearch: approvalsSearch,
  component: lazyPage(() => import('../own/ApprovalsPage.tsx'), 'ApprovalsPage'),
});

const mcpTokensRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/mcp-tokens',
  component: lazyPage(() => import('../mcp/TokensPage.tsx'), 'TokensPage'),
});

const mcpSettingsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/mcp-settings',
  component: lazyPage(() => import('../mcp/SettingsPage.tsx'), 'SettingsPage'),
});

const peopleGroupsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/people-groups',
  component: lazyPage(() => import('../mcp/PeopleGroupsPage.tsx'), 'PeopleGroupsPage'),
});

export function createConsoleRouter() {
  return createRouter({
    routeTree: rootRoute.addChildren([
      startRoute,
      tenantRoute.addChildren([
        tenantHomeRoute,
        overviewRoute,
        applicationsRoute,
        applicationRoute,
        devicesRoute,
        deviceRoute,
        groupsRoute,
        groupRoute,
        defaultsRoute,
        processesRoute,
        decisionsRoute,
        alertsRoute,
        alertRoutesRoute,
        alertRouteRoute,
        activityRoute,
        gatewayAppsRoute,
        gatewayAppRoute,
        providersRoute,
        catalogsRoute,
        auditRoute,
        requestsRoute,
        toolCallsRoute,
        usageRoute,
        metricsRoute,
        exportKeysRoute,
        accessRequestsRoute,
        myDevicesRoute,
        myCallsRoute,
        myRequestsRoute,
        myDeviceRoute,
        connectRoute,
        connectionsRoute,
        mcpServersRoute,
        mcpCallRulesRoute,
        approvalsRoute,
        mcpServerRoute,
        mcpRulesRoute,
        mcpTokensRoute,
        mcpSettingsRoute,
        peopleGroupsRoute,
        ...settingsRoutes,
        ...referenceRoutes,
      ]),
    ]),
    basepath: '/console',
    defaultPreload: 'intent',
    defaultErrorComponent: PageError,
    scrollRestoration: true,
    ...searchFormat,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
