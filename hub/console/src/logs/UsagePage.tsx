// Usage and cost: over time, and by day, app, user, model and provider as bars, as a table and as CSV.
import {
  USAGE_DIMENSIONS,
  type UsageAnswer,
  type UsageDimension,
  type UsageRow,
} from '@gatewarden/shared/wire/console/logs.ts';
import { Anchor, MultiSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { Static } from 'typebox';
import { tenantPath } from '../api/client.ts';
import { oneOf, withQuery } from '../api/query-string.ts';
import { useResource, useTenant } from '../api/tenant.ts';
import { Bars } from '../ui/Bars.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { DayFilter } from '../ui/DayFilter.tsx';
import { Name } from '../ui/Name.tsx';
import { Page, Section } from '../ui/Page.tsx';
import { dayText } from '../ui/time-text.ts';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { Budgets } from './Budgets.tsx';
import { DailyUsage } from './DailyUsage.tsx';
import { logTexts } from './texts.ts';
import { usd } from './usd.ts';

const t = logTexts.usage;
const route = getRouteApi('/t/$tenantId/gateway/usage');
const BARS = 15;
type Usage = Static<typeof UsageAnswer>;

export function UsagePage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { tenantId } = useTenant();
  const by = parseDimensions(search.by);
  const params = { from: search.from, to: search.to, by: by.join(',') };
  const isBackwards =
    search.from !== undefined && search.to !== undefined && search.from > search.to;
  const answer = useResource<Usage>('gateway', isBackwards ? null : '/llm/usage', params);
  const set = (part: Partial<typeof search>) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true });
  const usage = shownOf(answer);
  const csv = withQuery(`${tenantPath(tenantId)}/llm/usage`, { ...params, format: 'csv' });
  return (
    <Page title={t.title} lead={t.lead}>
      <div className="gw-filters">
        <DayFilter
          label={t.from}
          value={search.from ?? usage?.from}
          onChange={(from) => set({ from })}
        />
        <DayFilter
          label={t.to}
          value={search.to ?? usage?.to}
          error={isBackwards ? t.backwards : undefined}
          onChange={(to) => set({ to })}
        />
        <MultiSelect
          className="gw-grow"
          label={t.by}
          data={USAGE_DIMENSIONS.map((value) => ({ value, label: t.dimensions[value] }))}
          value={by}
          onChange={(chosen) => {
            if (chosen.length > 0) set({ by: chosen.join(',') });
          }}
        />
        {usage === undefined || usage.is_cut ? null : (
          <Anchor href={csv} download>
            {t.csv}
          </Anchor>
        )}
      </div>
      {isBackwards ? null : (
        <div className="gw-stack">
          <DailyUsage
            {...{ from: search.from, to: search.to }}
            measure={search.measure ?? 'cost'}
            by={search.stack ?? 'app'}
            onChange={set}
          />
          <Budgets />
          <Waiting answer={answer} />
          {usage === undefined ? null : <Shown usage={usage} by={by} />}
        </div>
      )}
    </Page>
  );
}

function Shown({ usage, by }: { usage: Usage; by: UsageDimension[] }) {
  // Usage over time shows that the period is empty.
  if (usage.items.length === 0) return null;
  const first = by[0] ?? 'day';
  const bars = toBars(usage.items, first);
  const shown = bars.slice(0, BARS);
  return (
    <div className="gw-stack">
      {/* Bars over a part of the rows would be wrong. */}
      {usage.is_cut ? (
        <p role="status">{t.cut}</p>
      ) : first === 'day' ? null : (
        <Section title={t.chart(t.dimensions[first])}>
          <Bars label={t.chart(t.dimensions[first])} bars={shown} />
          {shown.length === bars.length ? null : (
            <p className="gw-dimmed gw-small">{t.largest(shown.length, bars.length)}</p>
          )}
        </Section>
      )}
      <div className="gw-card">
        <DataTable
          caption={t.title}
          columns={[
            ...by.map(
              (dimension): Column<UsageRow> => ({
                key: dimension,
                header: t.dimensions[dimension],
                weight: 1.6,
                render: (row) =>
                  dimension === 'user' ? (
                    <UserLink value={row.user ?? t.unknown} />
                  ) : (
                    <Name value={dimensionValue(row, dimension)} clamp />
                  ),
              }),
            ),
            ...SUMS,
          ]}
          rows={usage.items}
          rowKey={(row) => JSON.stringify(by.map((dimension) => row[dimension]))}
          rowTestId="usage-row"
        />
      </div>
      <div className="gw-card">
        <DataTable
          caption={t.total}
          columns={[{ key: 'total', header: t.total, render: () => t.total }, ...SUMS]}
          rows={[usage.totals as UsageRow]}
          rowKey={() => 'total'}
          rowTestId="usage-total"
        />
      </div>
    </div>
  );
}

const number = (key: keyof UsageRow, header: string): Column<UsageRow> => ({
  key,
  header,
  align: 'end',
  render: (row) => <span className="gw-num">{Number(row[key]).toLocaleString('en-GB')}</span>,
});

const SUMS: readonly Column<UsageRow>[] = [
  number('requests', t.requests),
  number('blocked', t.blocked),
  number('failed', t.failed),
  number('tokens_request', t.tokensIn),
  number('tokens_response', t.tokensOut),
  {
    key: 'cost',
    header: t.cost,
    align: 'end',
    // The cost of requests without any known price is unknown, not zero.
    render: (row) => (
      <span className="gw-num">
        {usd(row.requests > 0 && row.without_price === row.requests ? null : row.cost_usd)}
      </span>
    ),
  },
  number('without_price', t.withoutPrice),
];

/** Returns the value of a dimension; days in the date format of the viewer. */
function dimensionValue(row: UsageRow, dimension: UsageDimension): string {
  const value = row[dimension] ?? t.unknown;
  return dimension === 'day' ? dayText(value) : value;
}

/** Returns a bar of each value of a dimension, the largest first. */
function toBars(items: readonly UsageRow[], by: UsageDimension) {
  const sums = new Map<string, number>();
  for (const row of items) {
    const name = row[by] ?? t.unknown;
    sums.set(name, (sums.get(name) ?? 0) + row.requests);
  }
  return [...sums].map(([name, value]) => ({ name, value })).toSorted((a, b) => b.value - a.value);
}

function parseDimensions(text: string | undefined): UsageDimension[] {
  const chosen = (text ?? 'day,app').split(',').map((item) => oneOf(USAGE_DIMENSIONS, item));
  const dimensions = chosen.filter((item) => item !== undefined);
  return dimensions.length === 0 ? ['day', 'app'] : [...new Set(dimensions)];
}
