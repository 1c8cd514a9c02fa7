// The addresses of the settings, and of the user's own sessions.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from './lazy-page.ts';
import { auditSearch, peopleSearch } from './search.ts';
import { tenantRoute } from './tenant-route.ts';

const peopleRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/settings/users',
  validateSearch: peopleSearch,
  component: lazyPage(() => import('../settings/PeoplePage.tsx'), 'PeoplePage'),
});

const addDevicesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/devices/add',
  component: lazyPage(() => import('../add-devices/AddDevicesPage.tsx'), 'AddDevicesPage'),
});

const releasesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/devices/agent-versions',
  component: lazyPage(() => import('../settings/ReleasesPage.tsx'), 'ReleasesPage'),
});

const keysRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/settings/keys',
  component: lazyPage(() => import('../settings/KeysPage.tsx'), 'KeysPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/settings/sign-in',
  component: lazyPage(() => import('../settings/SettingsPage.tsx'), 'SettingsPage'),
});

const dataRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/settings/data',
  component: lazyPage(() => import('../settings/DataPage.tsx'), 'DataPage'),
});

const hubHealthRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/settings/system-status',
  component: lazyPage(() => import('../settings/HubHealthPage.tsx'), 'HubHealthPage'),
});

const tenantAuditRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/activity/audit-log',
  validateSearch: auditSearch,
  component: lazyPage(() => import('../settings/AuditPage.tsx'), 'AuditPage'),
});

const mySessionsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/my/sessions',
  component: lazyPage(() => import('../settings/Sessions.tsx'), 'MySessionsPage'),
});

export const settingsRoutes = [
  peopleRoute,
  addDevicesRoute,
  releasesRoute,
  keysRoute,
  settingsRoute,
  dataRoute,
  hubHealthRoute,
  tenantAuditRoute,
  mySessionsRoute,
] as const;
