// The histogram above the table of an Activity tab: a chart that filters the range, or a table with the same counts.
import type {
  HistogramAnswer,
  HistogramSeries,
} from '@gatewarden/shared/wire/console/histogram.ts';
import { ActionIcon, Button, Skeleton } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { lazy, type PointerEvent, Suspense, useState } from 'react';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Time } from '../ui/Time.tsx';
import { visible } from '../ui/visible.ts';
import { bucketText } from './bucket-text.ts';
import { bucketAt } from './chart-margin.ts';
import { type FacetView, facetLabel, seriesColor } from './facet-view.ts';
import { shellTexts as t } from './texts.ts';
import { type Period, periodOfBuckets } from './time-range.ts';

const CHART_HEIGHT = 54;
const HistogramChart = lazy(() => import('./HistogramChart.tsx'));

interface HistogramProps {
  histogram: HistogramAnswer | undefined;
  /** The facet that is stacked. */
  facet: FacetView;
  onPeriod: (period: Period) => void;
}

export function Histogram({ histogram, facet, onPeriod }: HistogramProps) {
  const [isTable, setTable] = useState(false);
  if (histogram === undefined) {
    return (
      <div className="gw-card gw-histogram">
        <Skeleton h={CHART_HEIGHT} />
      </div>
    );
  }
  const choose = (first: string, last: string) =>
    onPeriod(periodOfBuckets(first, last, histogram.bucket_seconds));
  const Icon = isTable ? IconChartBar : IconTable;
  return (
    <section className="gw-card gw-histogram" aria-label={t.histogram}>
      {isTable ? (
        <BucketTable histogram={histogram} facet={facet} onChoose={choose} />
      ) : (
        <BucketChart histogram={histogram} facet={facet} onChoose={choose} />
      )}
      <ActionIcon
        className="gw-histogram-switch"
        size="sm"
        variant="subtle"
        color="gray"
        aria-label={isTable ? t.showChart : t.showTable}
        onClick={() => setTable(!isTable)}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
      {histogram.counted_from === null ? null : (
        <p className="gw-flat gw-small gw-dimmed">
          {t.countedFrom} <Time at={histogram.counted_from} full />. {t.narrow}
        </p>
      )}
    </section>
  );
}

interface BucketsProps {
  histogram: HistogramAnswer;
  facet: FacetView;
  onChoose: (first: string, last: string) => void;
}

/** Keys instead of values: values of users are no safe property paths. */
const seriesKey = (index: number) => `s${index}`;
const seriesName = (facet: FacetView, series: HistogramSeries) =>
  series.is_other ? t.other : facetLabel(facet, series.value);

function BucketChart({ histogram, facet, onChoose }: BucketsProps) {
  const { buckets, series, bucket_seconds: seconds } = histogram;
  const { drag, handlers } = useBucketDrag(buckets, onChoose);
  return (
    <div className="gw-histogram-chart" {...handlers}>
      {drag === null ? null : <ChosenBuckets drag={drag} buckets={buckets.length} />}
      <Suspense fallback={<Skeleton h={CHART_HEIGHT} />}>
        <HistogramChart
          title={t.chartOf(facet.label)}
          height={CHART_HEIGHT}
          rows={buckets.map((at, place) => ({
            at,
            ...Object.fromEntries(
              series.map(({ values }, index) => [seriesKey(index), values[place] ?? 0]),
            ),
          }))}
          series={series.map((item, index) => ({
            name: seriesKey(index),
            label: visible(seriesName(facet, item)),
            color: seriesColor(facet, item.is_other ? null : item.value, index),
          }))}
          axisText={(at) => bucketText(at, seconds, true)}
          bucketText={(at) => bucketText(at, seconds)}
        />
      </Suspense>
    </div>
  );
}

/** The indexes of the bucket at which a drag began, and of the bucket under the pointer. */
interface Drag {
  start: number;
  end: number;
}

/** Follows a click or a drag over the bars. Users of a keyboard choose a bucket in the table. */
function useBucketDrag(buckets: readonly string[], onChoose: BucketsProps['onChoose']) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const indexOf = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return bucketAt(clientX - left, width, buckets.length);
  };
  return {
    drag,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const index = indexOf(event);
        setDrag({ start: index, end: index });
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (drag !== null) setDrag({ ...drag, end: indexOf(event) });
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        const [first, last] = [buckets[drag?.start ?? -1], buckets[indexOf(event)]];
        setDrag(null);
        if (first !== undefined && last !== undefined) onChoose(first, last);
      },
      onPointerCancel: () => setDrag(null),
    },
  };
}

function ChosenBuckets({ drag: { start, end }, buckets }: { drag: Drag; buckets: number }) {
  const [first, last] = [Math.min(start, end), Math.max(start, end)];
  return (
    <div
      className="gw-histogram-chosen"
      style={{
        left: `${(first / buckets) * 100}%`,
        width: `${((last - first + 1) / buckets) * 100}%`,
      }}
    />
  );
}

interface BucketRow {
  at: string;
  counts: readonly number[];
}

function BucketTable({ histogram, facet, onChoose }: BucketsProps) {
  const { buckets, series, bucket_seconds: seconds } = histogram;
  const rows = buckets
    .map((at, place) => ({ at, counts: series.map(({ values }) => values[place] ?? 0) }))
    .filter(({ counts }) => counts.some((count) => count > 0))
    .toReversed();
  const number = (key: string, header: string, of: (row: BucketRow) => number) => ({
    ...{ key, header, align: 'end' as const },
    render: (row: BucketRow) => <span className="gw-num">{of(row).toLocaleString('en-US')}</span>,
  });
  const columns: Column<BucketRow>[] = [
    { key: 'at', header: t.from, weight: 1.6, render: ({ at }) => bucketText(at, seconds) },
    ...series.map((item, index) =>
      number(
        seriesKey(index),
        visible(seriesName(facet, item)),
        ({ counts }) => counts[index] ?? 0,
      ),
    ),
    number('total', t.total, ({ counts }) => counts.reduce((sum, count) => sum + count, 0)),
    {
      key: 'show',
      header: t.show,
      hiddenHeader: true,
      align: 'end',
      render: ({ at }) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t.showPeriod(bucketText(at, seconds))}
          onClick={() => onChoose(at, at)}
        >
          {t.show}
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      caption={t.chartOf(facet.label)}
      columns={columns}
      rows={rows}
      rowKey={({ at }) => at}
      rowTestId="histogram-row"
    />
  );
}
