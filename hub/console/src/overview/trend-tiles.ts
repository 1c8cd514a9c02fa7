// The tiles of Home from the hub's counts per day. Pure.
import { LOG_RETENTION_DAYS_MAX, type UsageRow } from '@gatewarden/shared/wire/console/logs.ts';
import type { TrendSeries, TrendsAnswer } from '@gatewarden/shared/wire/console/trends.ts';

/** The series with a tile, in their order. */
const TILE_SERIES = [
  'ai_tools',
  'mcp_servers',
  'devices_online',
  'open_alerts',
] as const satisfies readonly TrendSeries[];
export type TileSeries = (typeof TILE_SERIES)[number];
export type TileName = TileSeries | 'spend';

export interface TrendTile {
  name: TileName;
  /** Today's count; for spend the sum of the days in dollars. */
  value: number;
  /** Days with a value, oldest first. */
  days: { day: string; value: number }[];
}

export type UsageDay = Pick<UsageRow, 'day' | 'cost_usd'>;

/**
 * Returns a tile per series of Home that has a count, and a tile of LLM spend if there is any. Current counts in `live`
 * replace the last count of their series.
 */
export function trendTiles(
  trends: Pick<TrendsAnswer, 'series'>,
  usage: readonly UsageDay[],
  live: Partial<Record<TileSeries, number | undefined>> = {},
): TrendTile[] {
  const tiles = TILE_SERIES.flatMap((name): TrendTile[] => {
    const days = trends.series.find((item) => item.series === name)?.days ?? [];
    const today = days.at(-1);
    if (today === undefined) return [];
    const value = live[name] ?? today.value;
    return [{ name, value, days: [...days.slice(0, -1), { ...today, value }] }];
  });
  const spend = usage.flatMap(({ day, cost_usd: value }) =>
    day === undefined ? [] : [{ day, value }],
  );
  const sum = spend.reduce((total, { value }) => total + value, 0);
  return sum > 0 ? [...tiles, { name: 'spend', value: sum, days: spend }] : tiles;
}

/** Returns the first day of the spend in UTC, `YYYY-MM-DD`: gateway logs are kept no longer. */
export const firstSpendDay = (now: Date): string =>
  new Date(now.getTime() - (LOG_RETENTION_DAYS_MAX - 1) * 86_400_000).toISOString().slice(0, 10);
