// The addresses of the API reference: its list, each operation, and each error code.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from './lazy-page.ts';
import { errorCodesSearch, referenceSearch } from './search.ts';
import { tenantRoute } from './tenant-route.ts';

const referenceRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/settings/api-reference',
  validateSearch: referenceSearch,
  component: lazyPage(() => import('../reference/ReferencePage.tsx'), 'ReferencePage'),
});

const operationRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/settings/api-reference/$operationId',
  component: lazyPage(() => import('../reference/OperationPage.tsx'), 'OperationPage'),
});

const errorCodesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/settings/api-reference/errors',
  validateSearch: errorCodesSearch,
  component: lazyPage(() => import('../reference/ErrorCodesPages.tsx'), 'ErrorCodesPage'),
});

const errorCodeRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/settings/api-reference/errors/$code',
  component: lazyPage(() => import('../reference/ErrorCodesPages.tsx'), 'ErrorCodePage'),
});

export const referenceRoutes = [
  referenceRoute,
  operationRoute,
  errorCodesRoute,
  errorCodeRoute,
] as const;
