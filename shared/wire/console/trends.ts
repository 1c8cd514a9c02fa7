// C/trends: counts of the last days, for charts.
import { type Static, Type } from 'typebox';
import { OneOf } from '../common.ts';

/**
 * `ai_tools` and `mcp_servers` count products, `devices` those enrolled, `devices_online` those seen in the 24 hours before the
 * count, `open_alerts` those not acknowledged.
 */
export const TREND_SERIES = [
  'ai_tools',
  'mcp_servers',
  'devices',
  'devices_online',
  'open_alerts',
] as const;
export type TrendSeries = (typeof TREND_SERIES)[number];

export const TREND_DAYS = 30;

export const TrendsAnswer = Type.Object({
  /** An entry per series; days without a count are left out. */
  series: Type.Array(
    Type.Object({
      series: OneOf(TREND_SERIES),
      /** Oldest first. `day`: a date in UTC. */
      days: Type.Array(Type.Object({ day: Type.String(), value: Type.Integer() })),
    }),
  ),
  request_id: Type.String(),
});
export type TrendsAnswer = Static<typeof TrendsAnswer>;
