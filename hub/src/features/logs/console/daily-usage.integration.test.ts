// Usage by day: series and totals equal sums in SQL and the totals of the usage report.
import type { DailyUsageAnswer } from '@gatewarden/shared/wire/console/logs.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { aNode, aRequestLine } from '../../../../../test/support/logs.ts';
import { makeProvider, manage } from '../../../../../test/support/management.ts';
import { rows } from '../../../platform/db/database.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await sharedTestHub();
});
afterAll(() => hub.stop());

const DAY = 86_400_000;
const MINUTE = 60_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const LAST_DAY = dayOf(Date.now());
const midnight = Date.parse(`${LAST_DAY}T00:00:00Z`);
const WEEK = { from: dayOf(midnight - 6 * DAY), to: LAST_DAY };

const SQL_MEASURES = {
  cost: sql`coalesce(sum(cost_usd::numeric), 0)`,
  tokens: sql`coalesce(sum(tokens_request), 0) + coalesce(sum(tokens_response), 0)`,
  requests: sql`count(*)`,
};
const SQL_NAMES = { app: sql`app_name`, model: sql`model`, user: sql`user_email` };
type Measure = keyof typeof SQL_MEASURES;
type By = keyof typeof SQL_NAMES;

/** A tenant with nine models in 14 days; one request has neither a user nor a price. */
async function tenantWithRows(name: string) {
  const tenant = await hub.newTenant(name);
  const of = { tenantId: tenant.tenantId, token: tenant.adminToken };
  const models = Array.from({ length: 9 }, (_, i) => `model-${i}`);
  await makeProvider(await manage({ url: hub.url, ...tenant }), 'priced', {
    selected_models: models,
    model_costs: Object.fromEntries(
      models.map((model, i) => [model, { input_per_1m: 0.1 * (i + 1), output_per_1m: 3.3 }]),
    ),
  });
  const node = await aNode(hub, tenant.tenantId);
  const lines = Array.from({ length: 14 * 9 }, (_, i) =>
    aRequestLine(
      {
        timestamp: new Date(Date.now() - (i % 14) * DAY - (i % 5) * MINUTE).toISOString(),
        ...{ provider: 'priced', model: models[i % 9] ?? null },
      },
      {
        app: { name: `app-${i % 3}` },
        tokens: { request: 1_000 + i * 7, response: i },
        metadata: { user_email: `user-${i % 4}@example.com` },
      },
    ),
  );
  lines.push(aRequestLine({ timestamp: new Date(midnight).toISOString() }));
  // Later than this time of day a week ago: outside of the previous period.
  const later = new Date(Date.now() - 7 * DAY + 5 * MINUTE).toISOString();
  lines.push(aRequestLine({ timestamp: later }));
  expect((await node.send('llm-requests', lines)).status).toBe(202);
  return of;
}

type Call = { tenantId: string; token: string };
async function dailyUsage(of: Call, query: Record<string, string>): Promise<DailyUsageAnswer> {
  const { status, body } = await hub.console(
    'GET',
    `/llm/usage/daily?${new URLSearchParams(query)}`,
    of,
  );
  expect(status).toBe(200);
  return body;
}

async function sqlSums(tenantId: string, measure: Measure, by: By, range: [string, string]) {
  const sums = await rows(
    hub.context.database.db,
    sql<{ day: string; name: string | null; value: number }>`
      SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, ${SQL_NAMES[by]} AS name,
        (${SQL_MEASURES[measure]})::float8 AS value
      FROM llm_requests WHERE tenant_id = ${tenantId}
        AND at >= ${range[0]}::timestamptz AND at < ${range[1]}::timestamptz
      GROUP BY 1, 2`,
  );
  return sums;
}

const add = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

it('returns series that equal the sums in SQL for each measure and dimension', async () => {
  const of = await tenantWithRows('Daily sums');
  const range: [string, string] = [`${WEEK.from}T00:00:00Z`, dayOf(midnight + DAY)];
  for (const measure of ['cost', 'tokens', 'requests'] as const) {
    for (const by of ['app', 'model', 'user'] as const) {
      const usage = await dailyUsage(of, { ...WEEK, measure, by });
      const sums = await sqlSums(of.tenantId, measure, by, range);
      expect(usage.days).toEqual(
        Array.from({ length: 7 }, (_, i) => dayOf(midnight - (6 - i) * DAY)),
      );
      expect(usage.total).toBeCloseTo(add(sums.map(({ value }) => value)), 9);
      for (const series of usage.series.filter(({ is_other }) => !is_other)) {
        const own = sums.filter(({ name }) => name === series.name);
        const values = usage.days.map((day) => own.find((sum) => sum.day === day)?.value ?? 0);
        expect([by, measure, series.values]).toEqual([by, measure, values]);
      }
      for (const [i, day] of usage.days.entries()) {
        const ofDay = sums.filter((sum) => sum.day === day).map(({ value }) => value);
        expect(add(usage.series.map(({ values }) => values[i] ?? 0))).toBeCloseTo(add(ofDay), 9);
      }
      expect(add(usage.series.map(({ total }) => total))).toBeCloseTo(usage.total, 9);
    }
  }
});

it('returns the totals of the usage report for this period and for the previous period', async () => {
  const of = await tenantWithRows('Daily totals');
  const totalsOf = async (range: { from: string; to: string }) =>
    (await hub.console('GET', `/llm/usage?${new URLSearchParams({ ...range, by: 'day' })}`, of))
      .body.totals;
  const usage = await dailyUsage(of, { measure: 'cost' });
  const totals = await totalsOf(WEEK);
  expect([usage.total, usage.requests, usage.without_price]).toEqual([
    totals.cost_usd,
    totals.requests,
    totals.without_price,
  ]);
  const ended = { from: dayOf(midnight - 3 * DAY), to: dayOf(midnight - 1 * DAY) };
  const before = { from: dayOf(midnight - 6 * DAY), to: dayOf(midnight - 4 * DAY) };
  const { previous } = await dailyUsage(of, { ...ended, measure: 'tokens' });
  const previousTotals = await totalsOf(before);
  expect(previous).toEqual({
    ...before,
    total: previousTotals.tokens_request + previousTotals.tokens_response,
    requests: previousTotals.requests,
    without_price: previousTotals.without_price,
  });
});

it('compares a period that has not ended with the previous period until the same time', async () => {
  const of = await tenantWithRows('Daily partial');
  const { previous } = await dailyUsage(of, { ...WEEK, measure: 'requests' });
  const until = new Date(Date.now() - 7 * DAY).toISOString();
  const sums = await sqlSums(of.tenantId, 'requests', 'app', [dayOf(midnight - 13 * DAY), until]);
  expect(previous?.total).toBe(add(sums.map(({ value }) => value)));
  expect(previous?.from).toBe(dayOf(midnight - 13 * DAY));
});

it('gives the six largest names a series and sums up the remaining names', async () => {
  const of = await tenantWithRows('Daily names');
  const { series } = await dailyUsage(of, { ...WEEK, by: 'model', measure: 'tokens' });
  expect(series.map(({ is_other, names }) => [is_other, names])).toEqual([
    ...Array.from({ length: 6 }, () => [false, 1]),
    // Three models, and requests without a model.
    [true, 4],
  ]);
  const totals = series.slice(0, 6).map(({ total }) => total);
  expect(totals).toEqual(totals.toSorted((a, b) => b - a));
  const apps = await dailyUsage(of, { ...WEEK, by: 'app', measure: 'requests' });
  expect(apps.series.map(({ name }) => name).toSorted()).toEqual([
    'app-0',
    'app-1',
    'app-2',
    'logged',
  ]);
});

it('limits the days to the retention, and omits a previous period that it does not include', async () => {
  const of = await tenantWithRows('Daily retention');
  const { days, previous } = await dailyUsage(of, { from: '1990-01-01', to: '2199-01-01' });
  expect(days.length).toBeLessThanOrEqual(17);
  expect([days[0], days.at(-1)]).toEqual([dayOf(Date.now() - 15 * DAY), dayOf(Date.now() + DAY)]);
  expect(previous).toBe(null);
  const past = await dailyUsage(of, { from: '1990-01-01', to: '1990-01-31' });
  expect([past.days, past.series, past.total, past.previous]).toEqual([[], [], 0, null]);
});

it('counts rows of its own tenant only, and rejects a period that ends before it starts', async () => {
  await tenantWithRows('Daily neighbor');
  const empty = await hub.newTenant('Daily empty');
  const of = { tenantId: empty.tenantId, token: empty.adminToken };
  const usage = await dailyUsage(of, WEEK);
  expect([usage.series, usage.requests, usage.total]).toEqual([[], 0, 0]);
  expect(usage.previous).toMatchObject({ requests: 0, total: 0 });
  const { status } = await hub.console('GET', '/llm/usage/daily?from=2026-02-02&to=2026-02-01', of);
  expect(status).toBe(400);
});
