// Usage over time: cost, tokens or requests per day, stacked by app, model or user, as a chart or as a table.
import './usage.css';
import '../ui/series-colors.css';
import {
  type DailyUsageAnswer,
  USAGE_MEASURES,
  USAGE_SERIES,
  type UsageMeasure,
  type UsageSeriesDimension,
} from '@gatewarden/shared/wire/console/logs.ts';
import { Button, Skeleton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useResource } from '../api/tenant.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Section } from '../ui/Page.tsx';
import { dayText } from '../ui/time-text.ts';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import {
  axisText,
  type ChartRow,
  changeText,
  chartRows,
  isUnknown,
  measureText,
  seriesColor,
  seriesKey,
  seriesName,
  sumText,
} from './daily-usage.ts';
import { logTexts } from './texts.ts';

const t = logTexts.daily;
const CHART_HEIGHT = 280;
/** The chart library is as large as a page, and loads while the numbers are read. */
const StackedDays = lazy(() => import('./StackedDays.tsx'));

interface Period {
  from: string | undefined;
  to: string | undefined;
}

interface DailyUsageProps extends Period {
  measure: UsageMeasure;
  by: UsageSeriesDimension;
  onChange: (choice: { measure?: UsageMeasure; stack?: UsageSeriesDimension }) => void;
}

/** Usage per day of the period, by default of the last seven days. */
export function DailyUsage({ from, to, measure, by, onChange }: DailyUsageProps) {
  const [isTable, setTable] = useState(false);
  const answer = useResource<DailyUsageAnswer>('gateway', '/llm/usage/daily', {
    ...{ from, to, by, measure },
  });
  const usage = shownOf(answer);
  return (
    <Section
      title={t.title}
      aside={
        <Button size="compact-sm" variant="subtle" onClick={() => setTable(!isTable)}>
          {isTable ? t.showChart : t.showTable}
        </Button>
      }
    >
      <div className="gw-daily-usage">
        <div className="gw-filters">
          <Filter
            label={t.measure}
            all={null}
            values={USAGE_MEASURES}
            names={t.measures}
            value={measure}
            onChange={(chosen) => onChange({ measure: chosen ?? measure })}
          />
          <Filter
            label={t.by}
            all={null}
            values={USAGE_SERIES}
            names={t.dimensions}
            value={by}
            onChange={(chosen) => onChange({ stack: chosen ?? by })}
          />
        </div>
        <Waiting answer={answer} />
        {usage === undefined ? null : (
          <>
            <Comparison usage={usage} />
            <Days usage={usage} isTable={isTable} />
            <Notes usage={usage} from={from} />
          </>
        )}
      </div>
    </Section>
  );
}

function Comparison({ usage }: { usage: DailyUsageAnswer }) {
  const { measure, previous, days } = usage;
  const hasEnded = (days.at(-1) ?? '') < new Date().toISOString().slice(0, 10);
  const periodText = hasEnded ? t.previousDays : t.previousUntilNow;
  if (usage.requests === 0 && (previous?.requests ?? 0) === 0) return null;
  return (
    <Facts>
      <Fact name={t.period}>
        <strong className="gw-num">{sumText(measure, usage)}</strong>
      </Fact>
      {previous === null ? null : (
        <>
          <Fact name={t.previous}>
            <span className="gw-num">{sumText(measure, previous)}</span>
            <div className="gw-dimmed gw-small">
              {periodText(dayText(previous.from), dayText(previous.to))}
            </div>
          </Fact>
          <Fact name={t.change}>
            <span className="gw-num">{changeText(measure, usage, previous)}</span>
          </Fact>
        </>
      )}
    </Facts>
  );
}

function Days({ usage, isTable }: { usage: DailyUsageAnswer; isTable: boolean }) {
  if (usage.requests === 0) return <Empty title={logTexts.usage.empty} />;
  if (isUnknown(usage.measure, usage)) return <Empty title={t.noPrice} />;
  return isTable ? <DayTable usage={usage} /> : <DayChart usage={usage} />;
}

function DayChart({ usage }: { usage: DailyUsageAnswer }) {
  const { by, measure, series } = usage;
  return (
    <>
      <Suspense fallback={<Skeleton h={CHART_HEIGHT} />}>
        <StackedDays
          title={t.chartOf(measure, by)}
          height={CHART_HEIGHT}
          rows={chartRows(usage)}
          series={series.map((item, i) => ({
            name: seriesKey(i),
            label: seriesName(item),
            color: seriesColor(i, item),
          }))}
          valueText={(value) => measureText(measure, value)}
          axisText={(value) => axisText(measure, value)}
        />
      </Suspense>
      <ul className="gw-legend" aria-label={t.dimensions[by]}>
        {series.map((item, i) => (
          <li key={seriesKey(i)} data-testid="daily-usage-series">
            <span
              className="gw-legend-color"
              style={{ background: seriesColor(i, item) }}
              aria-hidden="true"
            />
            <bdi>{seriesName(item)}</bdi>
            <span className="gw-num gw-dimmed">{measureText(measure, item.total)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function DayTable({ usage }: { usage: DailyUsageAnswer }) {
  const { by, measure, series } = usage;
  const value = (
    key: string,
    header: string,
    select: (row: ChartRow) => number,
  ): Column<ChartRow> => ({
    ...{ key, header, align: 'end' },
    render: (row) => <span className="gw-num">{measureText(measure, select(row))}</span>,
  });
  return (
    <DataTable
      caption={t.chartOf(measure, by)}
      columns={[
        { key: 'day', header: t.day, weight: 1.4, render: ({ day }) => dayText(day) },
        ...series.map((item, i) =>
          value(seriesKey(i), seriesName(item), (row) => Number(row[seriesKey(i)])),
        ),
        value('total', t.total, (row) =>
          series.reduce((sum, _, i) => sum + Number(row[seriesKey(i)]), 0),
        ),
      ]}
      rows={chartRows(usage).toReversed()}
      rowKey={({ day }) => day}
      rowTestId="daily-usage-row"
    />
  );
}

function Notes({ usage, from }: { usage: DailyUsageAnswer; from: string | undefined }) {
  const [firstDay] = usage.days;
  const isPartlyPriced = usage.without_price > 0 && usage.without_price < usage.requests;
  const notes = [
    usage.measure === 'cost' && isPartlyPriced
      ? t.withoutPrice(usage.without_price, usage.requests)
      : null,
    from !== undefined && firstDay !== undefined && firstDay > from
      ? t.firstDay(dayText(firstDay))
      : null,
    usage.previous === null && usage.requests > 0 ? t.noPrevious : null,
  ].filter((note) => note !== null);
  return notes.length === 0 ? null : <p className="gw-dimmed gw-small">{notes.join(' ')}</p>;
}
