// Overview: GET C/overview, the counts of the start page.
// Main types: the wire type `OverviewAnswer`.
// Invariants: each count is the length of a list that another page shows, up to `OVERVIEW_MOST`.
// Depends on alerts, inventory, drift, processes, rollouts and access-requests.
// Start reading at `registerOverview`.
import { OVERVIEW_MOST, OverviewAnswer } from '@gatewarden/shared/wire/console/overview.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { countOpenRequests } from '../access-requests/index.ts';
import { countOpenAlerts } from '../alerts/index.ts';
import { countDrifted } from '../drift/index.ts';
import { type CoveredByName, countFresh, countHealth, countPending } from '../inventory/index.ts';
import { countUnknown } from '../processes/index.ts';
import { countStoppedRollouts } from '../rollouts/index.ts';

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
      const [pending, drifted, unknownProcesses, requests, stopped, fresh, alerts, devices] =
        await Promise.all([
          coveredByName(tenantId).then((covered) => countPending(db, tenantId, covered)),
          countDrifted(db, tenantId),
          countUnknown(db, tenantId, OVERVIEW_MOST),
          countOpenRequests(db, tenantId, OVERVIEW_MOST),
          countStoppedRollouts(db, tenantId, OVERVIEW_MOST),
          countFresh(db, tenantId),
          countOpenAlerts(db, tenantId, OVERVIEW_MOST),
          countHealth(db, tenantId),
        ]);
      return {
        review: {
          pending,
          drifted: drifted.applications,
          unknown_processes: unknownProcesses,
          access_requests: requests,
          rollouts_stopped: stopped,
        },
        fresh,
        alerts,
        devices,
        request_id: request.id,
      };
    },
  );
}
