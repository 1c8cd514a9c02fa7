// The addresses of the settings, and of one's own sessions.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from './lazy-page.ts';
import { auditSearch, peopleSearch } from './search.ts';
import { tenantRoute } from './tenant-route.ts';

const peopleRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/people',
  validateSearch: peopleSearch,
  component: lazyPage(() => import('../settings/PeoplePage.tsx'), 'PeoplePage'),
});

const enrolmentRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/enrolment',
  component: lazyPage(() => import('../settings/EnrolmentPage.tsx'), 'EnrolmentPage'),
});

const releasesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/agent-releases',
  component: lazyPage(() => import('../settings/ReleasesPage.tsx'), 'ReleasesPage'),
});

const keysRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/keys',
  component: lazyPage(() => import('../settings/KeysPage.tsx'), 'KeysPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/settings',
  component: lazyPage(() => import('../settings/SettingsPage.tsx'), 'SettingsPage'),
});

const hubHealthRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/hub-health',
  component: lazyPage(() => import('../settings/HubHealthPage.tsx'), 'HubHealthPage'),
});

const tenantAuditRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/audit',
  validateSearch: auditSearch,
  component: lazyPage(() => import('../settings/AuditPage.tsx'), 'AuditPage'),
});

const mySessionsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/my-sessions',
  component: lazyPage(() => import('../settings/Sessions.tsx'), 'MySessionsPage'),
});

export const settingsRoutes = [
  peopleRoute,
  enrolmentRoute,
  releasesRoute,
  keysRoute,
  settingsRoute,
  hubHealthRoute,
  tenantAuditRoute,
  mySessionsRoute,
] as const;
