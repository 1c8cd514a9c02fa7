// The chart of a histogram: stacked bars. It imports nothing of the page, so that its chunk is the chart library alone.
import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import { CHART_MARGIN } from './chart-margin.ts';

export interface HistogramChartProps {
  title: string;
  /** In CSS pixels. */
  height: number;
  /** The start of the bucket as `at` and, by its name, the count of each series. */
  rows: Record<string, string | number>[];
  series: { name: string; label: string; color: string }[];
  axisText: (at: string) => string;
  bucketText: (at: string) => string;
}

const BAR_WIDTH_MAX = 40;
const AXIS_HEIGHT = 16;
const AXIS_TICK = { transform: 'translate(0, 2)', fontSize: 11, fill: 'currentColor' };

export default function HistogramChart(props: HistogramChartProps) {
  const { title, height, rows, series, axisText, bucketText } = props;
  return (
    <BarChart
      h={height}
      type="stacked"
      data={rows}
      dataKey="at"
      series={series}
      maxBarWidth={BAR_WIDTH_MAX}
      withYAxis={false}
      gridAxis="none"
      tickLine="none"
      xAxisProps={{
        height: AXIS_HEIGHT,
        tick: AXIS_TICK,
        minTickGap: 48,
        interval: 'preserveStartEnd',
        tickFormatter: axisText,
      }}
      tooltipProps={{ labelFormatter: (at) => bucketText(String(at)), wrapperStyle: { zIndex: 3 } }}
      barProps={{ isAnimationActive: false }}
      barChartProps={{
        title,
        // The table has the numbers, and buckets are no stops of the keyboard.
        accessibilityLayer: false,
        margin: { top: 2, right: CHART_MARGIN, bottom: 0, left: CHART_MARGIN },
        barCategoryGap: 1,
      }}
    />
  );
}
