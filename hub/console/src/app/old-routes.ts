// Routes of the old addresses; each only redirects.
import { createRoute, redirect } from '@tanstack/react-router';
import { newAddress, OLD_ADDRESSES } from './old-addresses.ts';
import { tenantRoute } from './tenant-route.ts';

const OLD_PATHS = [...new Set(OLD_ADDRESSES.map(({ from }) => from))];

const routes = OLD_PATHS.map((path) =>
  createRoute({
    getParentRoute: () => tenantRoute,
    path,
    validateSearch: (raw: Record<string, unknown>) => raw,
    beforeLoad: ({ params, search }) => {
      const address = newAddress(path, search);
      if (address === undefined) return;
      throw redirect({
        to: `/t/$tenantId${address.to}` as never,
        params: params as never,
        search: address.search as never,
        replace: true,
      });
    },
  }),
);

/** Without types of their own: no page of the console links to an old address. */
export const oldRoutes = routes as unknown as readonly [];
