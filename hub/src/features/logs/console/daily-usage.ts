// GET C/llm/usage/daily: a measure by day and by the largest apps, models or users, compared with the previous period.
import {
  DailyUsageAnswer,
  DailyUsageQuery,
  type DailyUsageSeries,
  USAGE_SERIES_MAX,
  type UsageMeasure,
} from '@gatewarden/shared/wire/console/logs.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { MICROS, type Micros, nowMicros } from '../events/index.ts';
import { retainedSince } from './settings.ts';
import {
  type DailyUsageRow,
  selectDailyUsage,
  selectTotals,
  type UsageRange,
  type UsageSums,
} from './store.ts';
import { daysOf, dayText } from './usage.ts';

/** Registers usage by day. */
export function registerDailyUsage(app: App, { db }: { db: Db }): void {
  app.get(
    '/llm/usage/daily',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['logs'],
        summary:
          'Get cost, tokens or requests by day and by the top apps, models or users, with the previous period',
        querystring: DailyUsageQuery,
        response: { 200: DailyUsageAnswer },
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const { by = 'app', measure = 'cost' } = request.query;
      const now = nowMicros();
      const retained = await retainedSince(db, tenantId);
      const period = clipPeriod(daysOf(request.query, now), retained, now);
      const range = { tenantId, start: Math.max(period.from, retained), end: period.end };
      const previous = previousRange(range, retained, now);
      const [sums, previousSums] = await Promise.all([
        selectDailyUsage(db, range, { by, measure }, USAGE_SERIES_MAX),
        previous === null ? null : selectTotals(db, previous),
      ]);
      const days = daysBetween(period.from, period.end);
      const all = sums.find(({ position }) => position === null) as DailyUsageRow;
      return {
        by,
        measure,
        days,
        series: seriesOf(sums, days),
        total: all.value,
        requests: all.requests,
        without_price: all.without_price,
        previous:
          previous === null || previousSums === null
            ? null
            : {
                from: dayText(previous.start),
                to: dayText(previous.end - 1),
                total: measureTotal(previousSums, measure),
                requests: previousSums.requests,
                without_price: previousSums.without_price,
              },
        request_id: request.id,
      };
    },
  );
}

/** Returns the days that may have rows: nodes report at most a day ahead, and the retention deletes old rows. */
function clipPeriod(
  { from, to }: { from: Micros; to: Micros },
  retained: Micros,
  now: Micros,
): { from: Micros; end: Micros } {
  const lastDay = Math.min(to, startOfDay(now + MICROS.day));
  return { from: Math.max(from, startOfDay(retained)), end: lastDay + MICROS.day };
}

/**
 * Returns the range of the same length before this range, until the same moment if the range has not ended; null if the
 * retention omits a part of either.
 */
function previousRange(range: UsageRange, retained: Micros, now: Micros): UsageRange | null {
  const length = range.end - range.start;
  const start = range.start - length;
  const end = Math.min(range.end, now) - length;
  return start < retained || end <= start ? null : { ...range, start, end };
}

function seriesOf(sums: readonly DailyUsageRow[], days: readonly string[]): DailyUsageSeries[] {
  const values = new Map(sums.map(({ position, day, value }) => [`${position} ${day}`, value]));
  return sums
    .filter(({ position, day }) => position !== null && day === null)
    .map(({ position, name, names, value }) => ({
      name,
      is_other: Number(position) > USAGE_SERIES_MAX,
      names,
      total: value,
      values: days.map((day) => values.get(`${position} ${day}`) ?? 0),
    }));
}

function measureTotal(sums: UsageSums, measure: UsageMeasure): number {
  if (measure === 'cost') return sums.cost_usd;
  if (measure === 'requests') return sums.requests;
  return Math.min(sums.tokens_request + sums.tokens_response, Number.MAX_SAFE_INTEGER);
}

function daysBetween(from: Micros, end: Micros): string[] {
  const count = Math.max(0, Math.round((end - from) / MICROS.day));
  return Array.from({ length: count }, (_, i) => dayText(from + i * MICROS.day));
}

const startOfDay = (at: Micros): Micros => at - (at % MICROS.day);
