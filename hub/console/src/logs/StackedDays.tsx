// A chart with a bar per day, stacked by series. It imports nothing of the page, so that its chunk is the chart library alone.
import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import { dayText } from '../ui/time-text.ts';

export interface StackedDaysProps {
  title: string;
  /** In CSS pixels. */
  height: number;
  /** The day and, by its name, the value of each series. */
  rows: Record<string, string | number>[];
  series: { name: string; label: string; color: string }[];
  valueText: (value: number) => string;
  axisText: (value: number) => string;
}

const AXIS_WIDTH = 64;
const BAR_WIDTH_MAX = 48;

/** Arrow keys move the tooltip through the days. */
export default function StackedDays(props: StackedDaysProps) {
  const { title, height, rows, series, valueText, axisText } = props;
  return (
    <BarChart
      h={height}
      type="stacked"
      data={rows}
      dataKey="day"
      series={series}
      maxBarWidth={BAR_WIDTH_MAX}
      valueFormatter={valueText}
      yAxisProps={{ width: AXIS_WIDTH, tickFormatter: axisText }}
      xAxisProps={{ tickFormatter: (day: string) => dayText(day) }}
      tooltipProps={{ labelFormatter: (day) => dayText(String(day)) }}
      barProps={{ stroke: 'var(--gw-surface)', strokeWidth: 1, strokeOpacity: 1 }}
      barChartProps={{ title }}
    />
  );
}
