// Prices of models: the public list, and the prices that the organization set instead.
import type { ListPrice, PricesAnswer } from '@gatewarden/shared/wire/console/llm-prices.ts';
import type { ModelCost } from '@gatewarden/shared/wire/management/providers.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMayAdminister, useResource } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { dayText } from '../ui/time-text.ts';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { PriceDialog } from './PriceDialog.tsx';
import { priceTexts as t } from './price-texts.ts';
import '../policies/policies.css';
import './gateway.css';

/** A model with its price in force. */
interface PriceRow {
  model: string;
  vendor: string | null;
  cost: ModelCost;
  isOverride: boolean;
}

export function PricesPage() {
  const mayAdminister = useMayAdminister();
  const [query, setQuery] = useState('');
  /** The model in the dialog; an empty name for a model to add. */
  const [opened, setOpened] = useState<string | null>(null);
  const answer = useResource<PricesAnswer>('gateway', '/llm/prices');
  const prices = shownOf(answer);
  const rows = prices === undefined ? [] : priceRows(prices.list, prices.overrides);
  const needle = query.trim().toLowerCase();
  const matches = rows.filter(({ model, vendor }) =>
    `${model} ${vendor ?? ''}`.toLowerCase().includes(needle),
  );
  return (
    <Page title={t.title} lead={t.lead}>
      <div className="gw-filters">
        <SearchBox label={t.search} value={query} onChange={(text) => setQuery(text ?? '')} />
        {mayAdminister && prices !== undefined ? (
          <Button onClick={() => setOpened('')}>{t.add}</Button>
        ) : null}
      </div>
      <Waiting answer={answer} />
      {prices === undefined ? null : (
        <p className="gw-flat gw-small gw-dimmed">{t.order(dayText(prices.list_date))}</p>
      )}
      {prices === undefined ? null : (
        <div className="gw-card">
          {matches.length === 0 ? (
            <Empty title={texts.ui.noMatch} />
          ) : (
            <DataTable
              caption={t.title}
              rows={matches}
              rowKey={({ model }) => model}
              rowTestId="price-row"
              columns={[...COLUMNS, ...(mayAdminister ? [actions(setOpened)] : [])]}
            />
          )}
        </div>
      )}
      {opened === null || prices === undefined ? null : (
        <PriceDialog prices={prices} model={opened} onClosed={() => setOpened(null)} />
      )}
    </Page>
  );
}

/** Returns the organization's prices, then the list prices. */
function priceRows(list: readonly ListPrice[], overrides: PricesAnswer['overrides']): PriceRow[] {
  const own = Object.entries(overrides).map(([model, cost]) => ({
    ...{ model, cost, isOverride: true },
    vendor: list.find((price) => price.model === model)?.vendor ?? null,
  }));
  const listed = list
    .filter(({ model }) => !Object.hasOwn(overrides, model))
    .map(({ model, vendor, ...cost }) => ({ model, vendor, cost, isOverride: false }));
  return [...own.toSorted((a, b) => a.model.localeCompare(b.model)), ...listed];
}

const price = (key: keyof ModelCost, header: string): Column<PriceRow> => ({
  key,
  header,
  align: 'end',
  render: ({ cost }) => <span className="gw-num">{t.usd(cost[key] ?? null)}</span>,
});

const COLUMNS: readonly Column<PriceRow>[] = [
  { key: 'model', header: t.model, weight: 2, render: (row) => <Name value={row.model} clamp /> },
  { key: 'vendor', header: t.vendor, render: ({ vendor }) => vendor ?? '–' },
  price('input_per_1m', t.input),
  price('output_per_1m', t.output),
  price('cache_per_1m', t.cached),
  {
    key: 'source',
    header: t.source,
    render: ({ isOverride }) => (
      <Badge tone={isOverride ? 'info' : 'plain'}>{isOverride ? t.override : t.list}</Badge>
    ),
  },
];

const actions = (open: (model: string) => void): Column<PriceRow> => ({
  key: 'actions',
  header: texts.ui.actions,
  hiddenHeader: true,
  align: 'end',
  render: ({ model }) => (
    <Button size="xs" variant="default" onClick={() => open(model)}>
      {t.edit}
    </Button>
  ),
});
