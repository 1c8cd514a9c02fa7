// Addresses of whole areas: `/inventory`, `/gateway` and `/my` lead to the first tab that the role may open.
import { createRoute, Navigate } from '@tanstack/react-router';
import { createElement } from 'react';
import { useTenant } from '../api/tenant.ts';
import { linkTo } from './area-link.ts';
import { AREAS, MY_AREA, visibleArea } from './areas.ts';
import { OLD_ADDRESSES } from './old-addresses.ts';
import { tenantRoute } from './tenant-route.ts';

const TAKEN = new Set([
  ...[...AREAS, MY_AREA].flatMap(({ tabs }) => tabs.map(({ path }) => path)),
  ...OLD_ADDRESSES.map(({ from }) => from),
]);

const routes = [...AREAS, MY_AREA]
  .filter(({ key }) => !TAKEN.has(`/${key}`))
  .map((area) =>
    createRoute({
      getParentRoute: () => tenantRoute,
      path: `/${area.key}`,
      component: function AreaHome() {
        const { tenantId, role } = useTenant();
        const [first] = visibleArea(area, role).tabs;
        if (first === undefined) return null;
        return createElement(Navigate, { ...linkTo(first.path, tenantId), replace: true });
      },
    }),
  );

/** Without types of their own: no page of the console links to them. */
export const areaRoutes = routes as unknown as readonly [];
