// GET C/overview: the numbers of the start page, each the length of a list that another page shows.
import { OVERVIEW_MOST, OverviewAnswer } from '@gatewarden/shared/wire/console/overview.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/app.ts';
import { countOpenAlerts } from '../alerts/index.ts';
import { countDrifted, countFresh, countHealth, countPending } from '../inventory/index.ts';
import { countUnknown } from '../processes/index.ts';
import { countOpenRequests } from '../requests/index.ts';

const DAY_MS = 86_400_000;
const FRESH_DAYS = 7;

export function registerOverview(app: App, { db }: { db: Db }): void {
  app.get(
    '/overview',
    {
      config: { access: 'Viewer' },
      schema: { tags: ['devices'], response: { 200: OverviewAnswer } },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const now = Date.now();
      const [pending, drifted, unknownProcesses, requests, fresh, alerts, devices] =
        await Promise.all([
          countPending(db, tenantId),
          countDrifted(db, tenantId),
          countUnknown(db, tenantId, OVERVIEW_MOST),
          countOpenRequests(db, tenantId, OVERVIEW_MOST),
          countFresh(db, tenantId, new Date(now - FRESH_DAYS * DAY_MS)),
          countOpenAlerts(db, tenantId, OVERVIEW_MOST),
          countHealth(db, tenantId, new Date(now - DAY_MS)),
        ]);
      return {
        review: {
          pending,
          drifted: drifted.applications,
          unknown_processes: unknownProcesses,
          access_requests: requests,
        },
        fresh,
        alerts,
        devices,
        request_id: request.id,
      };
    },
  );
}
