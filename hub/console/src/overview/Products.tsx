// Products on Home: the products on most devices, and new products of this week with Approve and Block.
import type { OverviewAnswer } from '@gatewarden/shared/wire/console/overview.ts';
import type { ProductRow, ProductsAnswer } from '@gatewarden/shared/wire/console/products.ts';
import type { ApprovalStatus } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useMayDecide, useResource, useTenant } from '../api/tenant.ts';
import { ProductName } from '../policies/PolicySubject.tsx';
import { policyTexts } from '../policies/policy-texts.ts';
import { listOfCategory } from '../products/lists.ts';
import { StatusCell } from '../products/ProductCells.tsx';
import { productTexts } from '../products/texts.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { visible } from '../ui/visible.ts';
import { Waiting } from '../ui/Waiting.tsx';
import { productListTexts as t } from './texts.ts';

/** The policy control is loaded with the first click, because Home shows numbers first. */
const PolicyDialog = lazy(async () => ({
  default: (await import('../products/ProductPolicyForm.tsx')).ProductPolicyDialog,
}));

const TOP_MOST = 10;

const USERS: Column<ProductRow> = {
  key: 'users',
  weight: 0.8,
  header: productTexts.users,
  align: 'end',
  render: (row) => <span className="gw-num">{row.user_count.toLocaleString('en-US')}</span>,
};
const DEVICES: Column<ProductRow> = {
  key: 'devices',
  weight: 0.9,
  header: productTexts.devices,
  align: 'end',
  render: (row) => <span className="gw-num">{row.device_count.toLocaleString('en-US')}</span>,
};
const FIRST_SEEN: Column<ProductRow> = {
  key: 'first_seen',
  weight: 1.4,
  header: productTexts.firstSeen,
  render: (row) => <Time at={row.first_seen_at} />,
};

/** The ten products of a category on most devices. */
export function TopProducts({ category }: { category: 'ai_tool' | 'mcp_server' }) {
  const { tenantId } = useTenant();
  const answer = useResource<ProductsAnswer>('applications', '/products', {
    ...{ category, sort: '-device_count', limit: TOP_MOST },
  });
  const products = (answer.data?.items ?? []).filter((row) => row.device_count > 0);
  const title = t.top[category];
  return (
    <Section
      title={title}
      aside={
        <Link
          to="/t/$tenantId/inventory/$list"
          params={{ tenantId, list: listOfCategory(category).list }}
          search={{ sort: '-device_count' }}
          className="gw-link gw-small"
          aria-label={t.allOf[category]}
        >
          {t.all}
        </Link>
      }
    >
      <Waiting answer={answer} />
      {answer.data === undefined ? null : products.length === 0 ? (
        <Empty title={t.none[category]} />
      ) : (
        <TopTable title={title} products={products} />
      )}
    </Section>
  );
}

/** A table of single lines, so that ten products fit beside ten others. */
function TopTable({ title, products }: { title: string; products: readonly ProductRow[] }) {
  return (
    <table className="gw-table gw-top-products">
      <caption className="gw-vh">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{productTexts.name}</th>
          <th scope="col">{productTexts.users}</th>
          <th scope="col">{productTexts.devices}</th>
          <th scope="col">{productTexts.firstSeen}</th>
        </tr>
      </thead>
      <tbody>
        {products.map((row) => (
          <tr key={row.product_id} data-testid="top-product-row">
            <td>
              <ProductName product={{ ...row, platform: null }} />
            </td>
            <td>{row.user_count.toLocaleString('en-US')}</td>
            <td>{row.device_count.toLocaleString('en-US')}</td>
            <td>
              <Time at={row.first_seen_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface OpenDialog {
  product: ProductRow;
  approval: ApprovalStatus;
}

/** The products of the last seven days, newest first, with buttons that open the policy control. */
export function NewProducts({ newest }: Pick<OverviewAnswer, 'newest'>) {
  const mayDecide = useMayDecide();
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const columns = mayDecide ? [...NEW_COLUMNS, actionColumn(setOpened)] : NEW_COLUMNS;
  return (
    <>
      <DataTable
        caption={t.newest}
        rows={newest}
        rowKey={(row) => row.product_id}
        rowTestId="new-product-row"
        dense
        columns={columns}
      />
      {opened === null ? null : (
        <Suspense>
          <PolicyDialog
            products={[opened.product]}
            preset={{ approval: opened.approval }}
            onDone={() => setOpened(null)}
          />
        </Suspense>
      )}
    </>
  );
}

const NEW_COLUMNS: readonly Column<ProductRow>[] = [
  {
    key: 'name',
    weight: 2.2,
    header: productTexts.name,
    render: (row) => <ProductName product={{ ...row, platform: null }} />,
  },
  {
    key: 'category',
    weight: 1.1,
    header: t.category,
    render: (row) => listOfCategory(row.category).title,
  },
  {
    key: 'status',
    weight: 1.3,
    header: productTexts.status,
    render: (row) => <StatusCell row={row} />,
  },
  ...[USERS, DEVICES, FIRST_SEEN],
];

const actionColumn = (onOpen: (opened: OpenDialog) => void): Column<ProductRow> => ({
  key: 'actions',
  weight: 1.7,
  header: texts.ui.actions,
  hiddenHeader: true,
  align: 'end',
  render: (product) => (
    <div className="gw-row-actions">
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t.approve(visible(product.name))}
        onClick={() => onOpen({ product, approval: 'approved' })}
      >
        {policyTexts.approve}
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t.block(visible(product.name))}
        onClick={() => onOpen({ product, approval: 'blocked' })}
      >
        {policyTexts.block}
      </Button>
    </div>
  ),
});
