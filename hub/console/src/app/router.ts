// The routes of all pages with their typed search parameters. Pages are loaded on their first visit.
import { createRoute, createRouter } from '@tanstack/react-router';
import { areaRoutes } from './area-routes.ts';
import { PageError } from './Fallbacks.tsx';
import { lazyPage } from './lazy-page.ts';
import { operationLinkRoute } from './OperationLink.tsx';
import { oldRoutes } from './old-routes.ts';
import { referenceRoutes } from './reference-routes.ts';
import { FirstTenant, TenantHome } from './SignedIn.tsx';
import {
  accessRequestsSearch,
  activitySearch,
  alertsSearch,
  applicationsSearch,
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
  productsSearch,
  requestsSearch,
  rolloutsSearch,
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
  path: '/home',
  component: lazyPage(() => import('../overview/OverviewPage.tsx'), 'OverviewPage'),
});

/** The tabs of the inventory, each with the products of a category; see `products/lists.ts`. */
const productsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/inventory/$list',
  validateSearch: productsSearch,
  component: lazyPage(() => import('../products/ProductsPage.tsx'), 'ProductsPage'),
});

const productRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/inventory/products/$productId',
  component: lazyPage(() => import('../products/ProductPage.tsx'), 'ProductPage'),
});

const applicationsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/inventory/all',
  validateSearch: applicationsSearch,
  component: lazyPage(() => import('../applications/ApplicationsPage.tsx'), 'ApplicationsPage'),
});

const applicationRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/inventory/items/$entityId',
  validateSearch: whySearch,
  component: lazyPage(() => import('../applications/ApplicationPage.tsx'), 'ApplicationPage'),
});

const userRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/users/$email',
  component: lazyPage(() => import('../users/UserPage.tsx'), 'UserPage'),
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
  path: '/devices/groups',
  validateSearch: groupsSearch,
  component: lazyPage(() => import('../groups/GroupsPage.tsx'), 'GroupsPage'),
});

const groupRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/devices/groups/$groupId',
  component: lazyPage(() => import('../groups/GroupPage.tsx'), 'GroupPage'),
});

const defaultsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/policies/defaults',
  component: lazyPage(() => import('../defaults/DefaultPoliciesPage.tsx'), 'DefaultPoliciesPage'),
});

const processesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/inventory/unidentified-processes',
  validateSearch: processesSearch,
  component: lazyPage(
    () => import('../processes/UnknownProcessesPage.tsx'),
    'UnknownProcessesPage',
  ),
});

const decisionsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/policies',
  validateSearch: decisionsSearch,
  component: lazyPage(() => import('../policies/DecisionsPage.tsx'), 'DecisionsPage'),
});

const alertsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/activity/alerts',
  validateSearch: alertsSearch,
  component: lazyPage(() => import('../alerts/AlertsPage.tsx'), 'AlertsPage'),
});

const notificationChannelsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/settings/notifications',
  component: lazyPage(
    () => import('../notification-channels/NotificationChannelsPage.tsx'),
    'NotificationChannelsPage',
  ),
});

const notificationChannelRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/settings/notifications/$channelId',
  component: lazyPage(
    () => import('../notification-channels/NotificationChannelPage.tsx'),
    'NotificationChannelPage',
  ),
});

const activityRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/activity/enforcement',
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

const pricesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/providers/prices',
  component: lazyPage(() => import('../gateway/PricesPage.tsx'), 'PricesPage'),
});

const catalogsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/guardrails/definitions',
  component: lazyPage(() => import('../gateway/CatalogsPage.tsx'), 'CatalogsPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/activity/audit-log/gateway',
  validateSearch: gatewayAuditSearch,
  component: lazyPage(() => import('../gateway/AuditPage.tsx'), 'AuditPage'),
});

const requestsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/activity/llm-requests',
  validateSearch: requestsSearch,
  component: lazyPage(() => import('../logs/LlmRequestsPage.tsx'), 'LlmRequestsPage'),
});

const toolCallsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/activity/tool-calls',
  validateSearch: toolCallsSearch,
  component: lazyPage(() => import('../logs/ToolCallsPage.tsx'), 'ToolCallsPage'),
});

const usageRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/usage',
  validateSearch: usageSearch,
  component: lazyPage(() => import('../logs/UsagePage.tsx'), 'UsagePage'),
});

const metricsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/usage/metrics',
  validateSearch: metricsSearch,
  component: lazyPage(() => import('../logs/MetricsPage.tsx'), 'MetricsPage'),
});

const exportKeysRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/settings/log-export',
  component: lazyPage(() => import('../logs/ExportKeysPage.tsx'), 'ExportKeysPage'),
});

const connectRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/my/connect',
  component: lazyPage(() => import('../own/ConnectPage.tsx'), 'ConnectPage'),
});

const connectionsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/my/connect/connections',
  validateSearch: connectionsSearch,
  component: lazyPage(() => import('../own/ConnectionsPage.tsx'), 'ConnectionsPage'),
});

const myDevicesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/my/devices',
  component: lazyPage(() => import('../own/MyDevicesPage.tsx'), 'MyDevicesPage'),
});

const myCallsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/my/activity',
  validateSearch: ownLogSearch,
  component: lazyPage(() => import('../own/MyCallsPage.tsx'), 'MyCallsPage'),
});

const myRequestsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/my/activity/llm-requests',
  validateSearch: ownLogSearch,
  component: lazyPage(() => import('../own/MyRequestsPage.tsx'), 'MyRequestsPage'),
});

const myStoppedRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/my/activity/stopped-apps',
  validateSearch: whySearch,
  component: lazyPage(() => import('../own/MyStoppedPage.tsx'), 'MyStoppedPage'),
});

const accessRequestsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/policies/access-requests',
  validateSearch: accessRequestsSearch,
  component: lazyPage(() => import('../requests/RequestsPage.tsx'), 'RequestsPage'),
});

const myDeviceRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/my/devices/$deviceId',
  validateSearch: myDeviceSearch,
  component: lazyPage(() => import('../own/MyDevicePage.tsx'), 'MyDevicePage'),
});

const mcpServersRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/mcp-servers',
  component: lazyPage(() => import('../mcp/ServersPage.tsx'), 'ServersPage'),
});

const discoveredServersRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/mcp-servers/discovered',
  component: lazyPage(() => import('../mcp/DiscoveredServersPage.tsx'), 'DiscoveredServersPage'),
});

const mcpServerRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/mcp-servers/$backendId',
  component: lazyPage(() => import('../mcp/ServerPage.tsx'), 'ServerPage'),
});

const mcpRulesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/mcp-access',
  validateSearch: mcpRulesSearch,
  component: lazyPage(() => import('../mcp/RulesPage.tsx'), 'RulesPage'),
});

const mcpCallRulesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/guardrails',
  component: lazyPage(() => import('../mcp/CallRulesPage.tsx'), 'CallRulesPage'),
});

const ownApprovalsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/my/requests/approvals',
  component: lazyPage(() => import('../own/ApprovalsPage.tsx'), 'OwnApprovalsPage'),
});

const toolApprovalsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/tool-approvals',
  component: lazyPage(() => import('../own/ApprovalsPage.tsx'), 'ToolApprovalsPage'),
});

const myAccessRequestsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/my/requests',
  component: lazyPage(() => import('../own/OwnRequests.tsx'), 'MyAccessRequestsPage'),
});

const rolloutsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/policies/rollouts',
  validateSearch: rolloutsSearch,
  component: lazyPage(() => import('../policies/RolloutsPage.tsx'), 'RolloutsPage'),
});

const mcpTokensRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/mcp-access/sessions',
  component: lazyPage(() => import('../mcp/TokensPage.tsx'), 'TokensPage'),
});

const mcpSettingsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/gateway/mcp-access/clients',
  component: lazyPage(() => import('../mcp/SettingsPage.tsx'), 'SettingsPage'),
});

const peopleGroupsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/settings/users/groups',
  component: lazyPage(() => import('../mcp/PeopleGroupsPage.tsx'), 'PeopleGroupsPage'),
});

export function createConsoleRouter() {
  return createRouter({
    routeTree: rootRoute.addChildren([
      startRoute,
      operationLinkRoute,
      tenantRoute.addChildren([
        tenantHomeRoute,
        overviewRoute,
        productsRoute,
        productRoute,
        applicationsRoute,
        applicationRoute,
        userRoute,
        devicesRoute,
        deviceRoute,
        groupsRoute,
        groupRoute,
        defaultsRoute,
        processesRoute,
        decisionsRoute,
        alertsRoute,
        notificationChannelsRoute,
        notificationChannelRoute,
        activityRoute,
        gatewayAppsRoute,
        gatewayAppRoute,
        providersRoute,
        pricesRoute,
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
        myStoppedRoute,
        myDeviceRoute,
        connectRoute,
        connectionsRoute,
        mcpServersRoute,
        discoveredServersRoute,
        mcpCallRulesRoute,
        ownApprovalsRoute,
        toolApprovalsRoute,
        myAccessRequestsRoute,
        rolloutsRoute,
        mcpServerRoute,
        mcpRulesRoute,
        mcpTokensRoute,
        mcpSettingsRoute,
        peopleGroupsRoute,
        ...settingsRoutes,
        ...referenceRoutes,
        ...areaRoutes,
        ...oldRoutes,
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
