// Usage over time in its states: a chart, a table, a single series, an empty period, unknown prices and an error.
import type {
  DailyUsageAnswer,
  UsageMeasure,
  UsageSeriesDimension,
} from '@gatewarden/shared/wire/console/logs.ts';
import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { refusal, respond, respondWith, sentTo } from '../testing/responder.ts';
import { DailyUsage } from './DailyUsage.tsx';
import { logTexts } from './texts.ts';

const t = logTexts.daily;
const TARGET = 'GET /llm/usage/daily';

const SERIES = {
  ...{ name: 'assistant', is_other: false, names: 1, total: 3, values: [1, 2] },
};
const USAGE: DailyUsageAnswer = {
  ...{ by: 'app', measure: 'cost', days: ['2026-03-01', '2026-03-02'] },
  series: [SERIES, { name: null, is_other: true, names: 4, total: 1.5, values: [0, 1.5] }],
  ...{ total: 4.5, requests: 10, without_price: 0 },
  previous: {
    ...{ from: '2026-02-27', to: '2026-02-28', total: 3, requests: 5, without_price: 0 },
  },
  request_id: 'r-1',
};

/** The choices that a page keeps in its address. */
function ChosenUsage({ from }: { from: string | undefined }) {
  const [measure, setMeasure] = useState<UsageMeasure>('cost');
  const [by, setBy] = useState<UsageSeriesDimension>('app');
  return (
    <DailyUsage
      {...{ from, to: undefined, measure, by }}
      onChange={(choice) => {
        if (choice.measure !== undefined) setMeasure(choice.measure);
        if (choice.stack !== undefined) setBy(choice.stack);
      }}
    />
  );
}

async function openUsage(part: Partial<DailyUsageAnswer> = {}, from?: string) {
  respondWith(TARGET, { ...USAGE, ...part });
  return renderPart(<ChosenUsage from={from} />);
}
const factText = (name: string) => screen.getByText(name).nextElementSibling?.textContent;

it('names the series with their sums, and compares the period with the previous period', async () => {
  await openUsage();
  const series = await screen.findAllByTestId('daily-usage-series');
  expect(series.map(({ textContent }) => textContent)).toEqual([
    'assistant$3.00',
    'Other (4)$1.50',
  ]);
  expect(factText(t.period)).toBe('$4.50');
  expect(factText(t.previous)).toMatch(/^\$3\.00/);
  expect(factText(t.change)).toBe('+50%');
});

it('shows the days as a table, newest first, with their totals', async () => {
  const { user } = await openUsage();
  await screen.findAllByTestId('daily-usage-series');
  await user.click(screen.getByRole('button', { name: t.showTable }));
  const table = within(screen.getByRole('table', { name: t.chartOf('cost', 'app') }));
  const sums = table.getAllByTestId('daily-usage-row').map((row) =>
    within(row)
      .getAllByText(/^\$/)
      .map(({ textContent }) => textContent),
  );
  expect(sums).toEqual([
    ['$2.00', '$1.50', '$3.50'],
    ['$1.00', '$0.00', '$1.00'],
  ]);
  await user.click(screen.getByRole('button', { name: t.showChart }));
  expect(screen.queryByRole('table')).toBe(null);
});

it('requests the chosen measure and dimension, and writes tokens without a currency', async () => {
  const { user } = await openUsage({ series: [SERIES] });
  respond(TARGET, ({ query }) => ({
    status: 200,
    body: { ...USAGE, ...query, series: [{ ...SERIES, total: 1_234 }], total: 1_234 },
  }));
  await screen.findByTestId('daily-usage-series');
  await user.selectOptions(screen.getByLabelText(t.measure), 'tokens');
  await user.selectOptions(screen.getByLabelText(t.by), 'user');
  await screen.findByRole('list', { name: t.dimensions.user });
  expect(screen.getByTestId('daily-usage-series').textContent).toBe('assistant1,234');
  expect(sentTo(TARGET).at(-1)?.query).toEqual({ by: 'user', measure: 'tokens' });
});

it('states that the period is empty, and still compares it', async () => {
  await openUsage({ series: [], total: 0, requests: 0 });
  await screen.findByText(logTexts.usage.empty);
  expect(factText(t.change)).toBe('-100%');
  expect(screen.queryByTestId('daily-usage-series')).toBe(null);
});

it('shows no cost of requests without a known price', async () => {
  await openUsage({ total: 0, without_price: 10 });
  await screen.findByText(t.noPrice);
  expect(factText(t.period)).toBe('–');
  expect(factText(t.change)).toBe('–');
});

it('states what the cost, the days and the comparison leave out', async () => {
  await openUsage({ without_price: 2, previous: null }, '2026-01-01');
  const note = (await screen.findByText(/Cost leaves out/)).textContent ?? '';
  expect(note).toContain(t.withoutPrice(2, 10));
  expect(note).toContain(t.noPrevious);
  expect(note).toMatch(/Stored logs start on/);
});

it('shows an error with a retry', async () => {
  respond(TARGET, () => refusal(500, 'internal', 'Something failed'));
  const { user } = await renderPart(<ChosenUsage from={undefined} />);
  const retry = await screen.findByRole('button', { name: /try again|retry/i });
  respondWith(TARGET, USAGE);
  await user.click(retry);
  expect(await screen.findAllByTestId('daily-usage-series')).toHaveLength(2);
});
