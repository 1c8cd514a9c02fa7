// Renders a part of the console, or a page at an address, with the providers of `main.tsx`: theme, queries, router and tenant.
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, render } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import type { FunctionComponent, ReactElement } from 'react';
import { TenantContext } from '../api/tenant.ts';
import { createQueries } from '../app/queries.ts';
import { searchFormat } from '../app/search-format.ts';
import { theme } from '../app/theme.ts';
import { TENANT_ID } from './responder.ts';

/** The e-mail address of the signed-in user. */
export const SELF = 'ada@example.com';

export interface Rendered {
  user: UserEvent;
  queries: QueryClient;
  /** The search parameters of the address. */
  search: () => Record<string, string>;
  /** The address below the tenant, without its search parameters. */
  path: () => string;
  /** Follows a link to this address below the tenant. */
  goTo: (to: string) => Promise<void>;
}

interface PageAddress {
  /** The path below the tenant, as the router declares it: `/devices/groups`, `/gateway/mcp-servers/$backendId`. */
  route: string;
  validateSearch?: (raw: Record<string, unknown>) => object;
  /** The address to open, below the tenant: `/alerts?state=open`. */
  address: string;
  role?: Role;
}

/** Renders an element inside of a tenant, at no page's address. The default role is Admin. */
export function renderPart(part: ReactElement, role: Role = 'Admin'): Promise<Rendered> {
  return renderPage(() => part, { route: '/part', address: '/part', role });
}

/** Renders a page at its address; links lead to other addresses, at which nothing is shown. */
export async function renderPage(Page: FunctionComponent, at: PageAddress): Promise<Rendered> {
  const queries = createQueries();
  // No delay before retries, because the responses come from the test process.
  const defaults = queries.getDefaultOptions();
  queries.setDefaultOptions({ ...defaults, queries: { ...defaults.queries, retryDelay: 0 } });
  const router = routerFor(Page, at);
  const resolved = new Promise<void>((resolve) => {
    router.subscribe('onResolved', () => resolve());
  });
  const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
  render(
    <MantineProvider env="test" theme={theme}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
      <Notifications />
    </MantineProvider>,
  );
  await act(() => resolved);
  return {
    user,
    queries,
    search: () => router.state.location.search as Record<string, string>,
    path: () => router.state.location.pathname.replace(`/t/${TENANT_ID}`, ''),
    goTo: (to) => act(async () => router.history.push(`/console/t/${TENANT_ID}${to}`)),
  };
}

function routerFor(Page: FunctionComponent, { route, validateSearch, address, role }: PageAddress) {
  const tenant = {
    ...{ tenantId: TENANT_ID, name: 'Example', email: SELF, csrfToken: 'csrf' },
    role: role ?? ('Admin' as const),
  };
  const rootRoute = createRootRoute();
  const tenantRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/t/$tenantId',
    component: () => (
      <TenantContext value={tenant}>
        <Outlet />
      </TenantContext>
    ),
    notFoundComponent: () => null,
  });
  const pageRoute = createRoute({
    getParentRoute: () => tenantRoute,
    path: route,
    component: Page,
    ...(validateSearch ? { validateSearch } : {}),
  });
  return createRouter({
    routeTree: rootRoute.addChildren([tenantRoute.addChildren([pageRoute])]),
    basepath: '/console',
    history: createMemoryHistory({ initialEntries: [`/console/t/${TENANT_ID}${address}`] }),
    ...searchFormat,
  });
}
