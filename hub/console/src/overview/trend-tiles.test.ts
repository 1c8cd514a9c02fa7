import { expect, it } from 'vitest';
import { firstSpendDay, trendTiles } from './trend-tiles.ts';

const days = [
  { day: '2026-01-30', value: 3 },
  { day: '2026-01-31', value: 5 },
];

it('creates a tile of each series with a count, today’s value first', () => {
  const tiles = trendTiles(
    {
      series: [
        { series: 'ai_tools', days },
        { series: 'devices', days },
        { series: 'devices_online', days: [] },
      ],
    },
    [],
  );
  expect(tiles).toEqual([{ name: 'ai_tools', value: 5, days }]);
});

it('shows the current count instead of the last count of a series', () => {
  const series = [{ series: 'open_alerts', days } as const];
  expect(trendTiles({ series }, [], { open_alerts: 9 })).toEqual([
    { name: 'open_alerts', value: 9, days: [days[0], { day: '2026-01-31', value: 9 }] },
  ]);
  expect(trendTiles({ series }, [], { open_alerts: undefined })).toMatchObject([{ value: 5 }]);
});

it('sums the spend of the days, and has no tile without spend', () => {
  const usage = [
    { day: '2026-01-30', cost_usd: 1.5 },
    { day: '2026-01-31', cost_usd: 2 },
  ];
  expect(trendTiles({ series: [] }, usage)).toMatchObject([{ name: 'spend', value: 3.5 }]);
  expect(trendTiles({ series: [] }, [{ day: '2026-01-31', cost_usd: 0 }])).toEqual([]);
});

it('begins the spend 14 days before today, so that it covers the fifteen days of stored logs', () => {
  expect(firstSpendDay(new Date('2026-01-31T12:00:00Z'))).toBe('2026-01-17');
});
