// The root routes: the console, and a tenant in it.
import { createRootRoute, createRoute } from '@tanstack/react-router';
import { PageNotFound } from './Fallbacks.tsx';
import { SignedIn } from './SignedIn.tsx';
import { TenantShell } from './TenantShell.tsx';

export const rootRoute = createRootRoute({
  component: SignedIn,
  notFoundComponent: PageNotFound,
});

export const tenantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/t/$tenantId',
  component: TenantShell,
});
