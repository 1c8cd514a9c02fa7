// Overview: GET C/overview, the counts of the start page.
// Main types: the wire type `OverviewAnswer`.
// Invariants: each count is the length of a list that another page shows, up to `OVERVIEW_MOST`.
// Depends on alerts, inventory, processes, products, rollouts and access-requests.
// Start reading at `registerOverview`.

import { OVERVIEW_MOST, OverviewAnswer } from '@gatewarden/shared/wire/console/overview.ts';
import { PRODUCT_CATEGORIES } from '@gatewarden/shared/wire/console/products.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { countOpenRequests } from '../access-requests/index.ts';
import { countOpenAlerts } from '../alerts/index.ts';
import { type CoveredByName, countHealth } from '../inventory/index.ts';
import { countUnknown } from '../processes/index.ts';
import {
  type CategoryNumbers,
  countAppsBySteps,
  countProductsForReview,
  selectNewestProducts,
} from '../products/index.ts';
import { countStoppedRollouts } from '../rollouts/index.ts';
import { countSteps } from './app-steps.ts';

/** New products that Home names. */
const NEWEST_MOST = 10;

export function registerOverview(
  app: App,
  { db, coveredByName }: { db: Db; coveredByName: CoveredByName },
): void {
  app.get(
    '/overview',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['devices'],
        summary: 'Get the items that need review',
        response: { 200: OverviewAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const covered = await coveredByName(tenantId);
      const [products, decided, newest, unknownProcesses, requests, stopped, alerts, devices] =
        await Promise.all([
          countProductsForReview(db, tenantId, covered),
          countAppsBySteps(db, tenantId, covered),
          selectNewestProducts(db, tenantId, covered, NEWEST_MOST),
          countUnknown(db, tenantId, OVERVIEW_MOST),
          countOpenRequests(db, tenantId, OVERVIEW_MOST),
          countStoppedRollouts(db, tenantId, OVERVIEW_MOST),
          countOpenAlerts(db, tenantId, OVERVIEW_MOST),
          countHealth(db, tenantId),
        ]);
      const reviewed = products.filter(({ category }) => category !== 'package');
      return {
        review: {
          pending: numbersOf(reviewed, 'pending'),
          drifted: numbersOf(products, 'drifted'),
          unknown_processes: unknownProcesses,
          access_requests: requests,
          rollouts_stopped: stopped,
        },
        fresh: numbersOf(reviewed, 'fresh'),
        newest,
        apps: countSteps(products, decided),
        alerts,
        devices,
        request_id: request.id,
      };
    },
  );
}

/** Returns a number per category, in the order of the inventory's tabs, without empty categories. */
function numbersOf(products: readonly CategoryNumbers[], name: 'pending' | 'drifted' | 'fresh') {
  return PRODUCT_CATEGORIES.flatMap((category) => {
    const count = products.find((numbers) => numbers.category === category)?.[name] ?? 0;
    return count === 0 ? [] : [{ category, count }];
  });
}
