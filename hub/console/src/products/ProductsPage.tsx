// The inventory by product: a row for each product over platforms and sources. Search, filters and order are in the URL.
import type { ProductRow } from '@gatewarden/shared/wire/console/products.ts';
import {
  APPROVAL_STATUSES,
  type ApprovalStatus,
  PLATFORMS,
} from '@gatewarden/shared/wire/vocabulary.ts';
import { Checkbox } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { rowsOf, useList, useMayDecide, useTenant } from '../api/tenant.ts';
import { PageNotFound } from '../app/Fallbacks.tsx';
import { BULK_MAX } from '../applications/bulk-max.ts';
import { reviewTexts } from '../applications/review-texts.ts';
import { PolicyMenu } from '../policies/PolicyActions.tsx';
import { SelectionBar } from '../policies/SelectionBar.tsx';
import { texts } from '../texts.ts';
import type { Column } from '../ui/DataTable.tsx';
import { Downloads } from '../ui/Downloads.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { Time } from '../ui/Time.tsx';
import { visible } from '../ui/visible.ts';
import { type ProductList, productList } from './lists.ts';
import { PlatformChips, RiskChips, StatusCell } from './ProductCells.tsx';
import { ProductPolicyDialog, useProductsPreview } from './ProductPolicyForm.tsx';
import { PRODUCT_SORTS } from './sorts.ts';
import { productTexts as t } from './texts.ts';

const route = getRouteApi('/t/$tenantId/inventory/$list');

export function ProductsPage() {
  const { list } = route.useParams();
  const inventory = productList(list);
  // The selection belongs to its list.
  return inventory === undefined ? <PageNotFound /> : <Products key={list} {...inventory} />;
}

interface Opened {
  products: readonly ProductRow[];
  approval?: ApprovalStatus | undefined;
}

function Products({ title, category }: ProductList) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { tenantId } = useTenant();
  const mayDecide = useMayDecide();
  const list = useList<ProductRow>('applications', '/products', { ...search, category });
  const [selected, setSelected] = useState<ReadonlyMap<string, ProductRow>>(new Map());
  const [opened, setOpened] = useState<Opened | null>(null);
  const narrow = (change: Partial<typeof search>) =>
    void navigate({ search: (former) => ({ ...former, ...change }), replace: true });
  const toggle = (row: ProductRow) => {
    setSelected((before) => {
      const after = new Map(before);
      if (!after.delete(row.product_id) && after.size < BULK_MAX) after.set(row.product_id, row);
      return after;
    });
  };
  const hasRisks = rowsOf(list).some((row) => row.risk_hints.length > 0);
  const shown = hasRisks ? COLUMNS : COLUMNS.filter(({ key }) => key !== 'risks');
  const columns = mayDecide
    ? [selectColumn(selected, toggle), ...shown, actionColumn(setOpened)]
    : shown;
  return (
    <Page
      title={title}
      lead={t.lead}
      actions={
        <div className="gw-row-actions">
          <Link to="/t/$tenantId/inventory/all" params={{ tenantId }} className="gw-link">
            {t.showApps}
          </Link>
          <Downloads path="/products/download" filter={{ ...search, category }} />
        </div>
      }
    >
      <Filters search={search} narrow={narrow} />
      <ListView
        list={list}
        caption={title}
        columns={columns}
        rowKey={(row) => row.product_id}
        rowTestId="product-row"
        dense
        sort={{
          value: search.sort ?? 'unreviewed',
          onSort: (value) => {
            const sort = PRODUCT_SORTS.find((known) => known === value);
            narrow({ sort: sort === 'unreviewed' ? undefined : sort });
          },
        }}
        empty={<Empty title={t.empty} text={t.emptyText} />}
      />
      <Selection
        selected={selected}
        onClear={() => {
          setSelected(new Map());
        }}
        onOpen={setOpened}
      />
      {opened === null ? null : (
        <ProductPolicyDialog
          products={opened.products}
          preset={{ approval: opened.approval }}
          onDone={() => {
            setOpened(null);
            setSelected(new Map());
          }}
        />
      )}
    </Page>
  );
}

type Search = ReturnType<typeof route.useSearch>;

function Filters({
  search,
  narrow,
}: {
  search: Search;
  narrow: (change: Partial<Search>) => void;
}) {
  return (
    <div className="gw-filters">
      <SearchBox
        label={t.search}
        placeholder={t.searchPlaceholder}
        value={search.query}
        onChange={(query) => {
          narrow({ query });
        }}
      />
      <Filter
        label={t.status}
        values={APPROVAL_STATUSES}
        names={t.statuses}
        value={search.approval_status}
        onChange={(approval_status) => {
          narrow({ approval_status });
        }}
      />
      <Filter
        label={t.platform}
        values={PLATFORMS}
        names={t.platformNames}
        value={search.platform}
        onChange={(platform) => {
          narrow({ platform });
        }}
      />
      <Filter
        label={t.drifted}
        values={['true', 'false'] as const}
        names={reviewTexts.changedNames}
        value={search.drifted}
        onChange={(drifted) => {
          narrow({ drifted });
        }}
      />
      <Filter
        label={reviewTexts.fresh}
        values={['week'] as const}
        names={reviewTexts.freshNames}
        value={search.fresh}
        onChange={(fresh) => {
          narrow({ fresh });
        }}
      />
    </div>
  );
}

interface SelectionProps {
  selected: ReadonlyMap<string, ProductRow>;
  onClear: () => void;
  onOpen: (opened: Opened) => void;
}

/** The devices and users that have the selected products count once each. */
function Selection({ selected, onClear, onOpen }: SelectionProps) {
  const products = [...selected.values()];
  const { data } = useProductsPreview(products, {
    ...{ approval_status: 'pending', execution_policy: 'monitor' },
    scope: { kind: 'tenant' },
  });
  if (selected.size === 0) return null;
  return (
    <SelectionBar
      selected={t.selected(selected.size)}
      reach={data && { devices: data.devices.count, users: data.people.count }}
      onOpen={(approval) => onOpen({ products, approval })}
      onClear={onClear}
    />
  );
}

const selectColumn = (
  selected: ReadonlyMap<string, ProductRow>,
  toggle: (row: ProductRow) => void,
): Column<ProductRow> => ({
  key: 'select',
  weight: 0.42,
  header: texts.ui.selection,
  hiddenHeader: true,
  render: (row) => (
    <Checkbox
      aria-label={t.select(visible(row.name))}
      checked={selected.has(row.product_id)}
      onChange={() => {
        toggle(row);
      }}
    />
  ),
});

const actionColumn = (open: (opened: Opened) => void): Column<ProductRow> => ({
  key: 'actions',
  weight: 0.55,
  header: t.actions,
  hiddenHeader: true,
  render: (row) => (
    <PolicyMenu name={row.name} onOpen={(approval) => open({ products: [row], approval })} />
  ),
});

function ProductLink({ row }: { row: ProductRow }) {
  const { tenantId } = useTenant();
  return (
    <Link
      to="/t/$tenantId/inventory/products/$productId"
      params={{ tenantId, productId: row.product_id }}
      className="gw-link"
    >
      <Name value={row.name} clamp />
    </Link>
  );
}

const COLUMNS: readonly Column<ProductRow>[] = [
  {
    key: 'name',
    weight: 2.0,
    least: 190,
    header: t.name,
    sort: { value: 'name', direction: 'ascending' },
    render: (row) => <ProductLink row={row} />,
  },
  {
    key: 'vendor',
    weight: 1.05,
    least: 90,
    wideOnly: true,
    header: texts.applications.publisher,
    render: (row) => <Name value={row.vendor} clamp />,
  },
  {
    key: 'platforms',
    weight: 2.7,
    least: 290,
    header: t.platforms,
    render: (row) => <PlatformChips platforms={row.platforms} />,
  },
  {
    key: 'status',
    weight: 1.4,
    header: t.status,
    sort: { value: 'unreviewed', direction: 'ascending' },
    render: (row) => <StatusCell row={row} />,
  },
  {
    key: 'risks',
    weight: 2.4,
    least: 230,
    header: t.risks,
    render: (row) => <RiskChips risk_hints={row.risk_hints} />,
  },
  {
    key: 'users',
    weight: 0.95,
    header: t.users,
    align: 'end',
    sort: { value: '-user_count', direction: 'descending' },
    render: (row) => <span className="gw-num">{row.user_count.toLocaleString()}</span>,
  },
  {
    key: 'devices',
    weight: 1.0,
    header: t.devices,
    align: 'end',
    sort: { value: '-device_count', direction: 'descending' },
    render: (row) => <span className="gw-num">{row.device_count.toLocaleString()}</span>,
  },
  {
    key: 'first_seen',
    weight: 1.35,
    header: t.firstSeen,
    sort: { value: '-first_seen_at', direction: 'descending' },
    render: (row) => <Time at={row.first_seen_at} />,
  },
];
