// Trends: counts per day and tenant, so that charts cost no scan.
// Main types: the wire types `TrendsAnswer` and `TrendSeries`.
// Invariants: a row per tenant, series and day (UTC); past days never change. Depends on inventory, and on the tables of alerts.
// Start reading at `registerTrends`, then store.ts.
import { NoQuery } from '@gatewarden/shared/wire/console/common.ts';
import { TREND_DAYS, TREND_SERIES, TrendsAnswer } from '@gatewarden/shared/wire/console/trends.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { countDaysOf, type DailyCount, selectTrends } from './store.ts';

export { countDays } from './store.ts';

/** Registers the counts of the last 30 days. */
export function registerTrends(app: App, { db }: { db: Db }): void {
  app.get(
    '/trends',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['devices'],
        summary: 'List counts per day',
        querystring: NoQuery,
        response: { 200: TrendsAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const counts = await readTrends(db, tenantId);
      const series = TREND_SERIES.map((name) => ({
        series: name,
        days: counts
          .filter((count) => count.series === name)
          .map(({ day, value }) => ({ day, value })),
      }));
      return { series, request_id: request.id };
    },
  );
}

/** Returns the counts of a tenant. The first reading counts at once instead of waiting for the job. */
async function readTrends(db: Db, tenantId: string): Promise<DailyCount[]> {
  const counts = await selectTrends(db, tenantId, TREND_DAYS);
  if (counts.length > 0) return counts;
  await countDaysOf(db, tenantId);
  return selectTrends(db, tenantId, TREND_DAYS);
}
