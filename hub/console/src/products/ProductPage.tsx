// A product: where it is, its policies in force with their origin, its apps, and the form that sets its policy.
import type { ProductPolicyAnswer } from '@gatewarden/shared/wire/console/product-policies.ts';
import type {
  ProductAnswer,
  ProductApplication,
} from '@gatewarden/shared/wire/console/products.ts';
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useMayDecide, useResource, useTenantRead, useTenantWrite } from '../api/tenant.ts';
import { ApplicationLink } from '../applications/ApplicationLink.tsx';
import { useAfterDecision } from '../decisions/after-decision.ts';
import { distinctPolicies } from '../decisions/distinct-policies.ts';
import { ScopeText } from '../decisions/MatchText.tsx';
import { PolicyStepBadge } from '../decisions/PolicyStepBadge.tsx';
import { policyTexts } from '../decisions/policy-texts.ts';
import { sourceLabel } from '../labels.ts';
import { texts } from '../texts.ts';
import { ApprovalBadge } from '../ui/Badges.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Name } from '../ui/Name.tsx';
import { Page, Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { PlatformChips, RiskChips, StatusCell } from './ProductCells.tsx';
import { ProductPolicyDialog } from './ProductPolicyForm.tsx';
import { productTexts as t } from './texts.ts';

const route = getRouteApi('/t/$tenantId/inventory/products/$productId');

type Product = ProductAnswer['product'];
type Policy = Product['policies']['items'][number];

export function ProductPage() {
  const { productId } = route.useParams();
  const answer = useResource<ProductAnswer>('applications', `/products/${productId}`);
  const product = answer.data?.product;
  const mayDecide = useMayDecide();
  const [isSetting, setSetting] = useState(false);
  return (
    <Page
      title={product?.name ?? t.name}
      badges={product === undefined ? undefined : <StatusCell row={product} />}
      actions={
        mayDecide && product !== undefined ? (
          <Button size="sm" onClick={() => setSetting(true)}>
            {policyTexts.set}
          </Button>
        ) : undefined
      }
    >
      <Waiting answer={answer} />
      {product === undefined ? null : <ProductDetails product={product} />}
      {isSetting && product !== undefined ? (
        <ProductPolicyDialog products={[product]} onDone={() => setSetting(false)} />
      ) : null}
    </Page>
  );
}

function ProductDetails({ product }: { product: Product }) {
  const items = distinctPolicies(product.policies.items);
  return (
    <div className="gw-stack">
      <Facts>
        <Fact name={texts.applications.publisher}>
          <Name value={product.vendor} />
        </Fact>
        <Fact name={t.platforms}>
          <PlatformChips platforms={product.platforms} />
        </Fact>
        <Fact name={t.sources}>{product.sources.map(sourceLabel).join(', ')}</Fact>
        <Fact name={t.devices}>{product.device_count.toLocaleString()}</Fact>
        <Fact name={t.users}>{product.user_count.toLocaleString()}</Fact>
        <Fact name={t.running}>{product.running_device_count.toLocaleString()}</Fact>
        <Fact name={t.firstSeen}>
          <Time at={product.first_seen_at} />
        </Fact>
        <Fact name={t.lastSeen}>
          <Time at={product.last_seen_at} />
        </Fact>
        {product.risk_hints.length === 0 ? null : (
          <Fact name={t.risks}>
            <RiskChips risk_hints={product.risk_hints} />
          </Fact>
        )}
      </Facts>
      <Section title={t.policies}>
        {items.length === 0 ? (
          <p className="gw-dimmed">{t.policiesEmpty}</p>
        ) : (
          <DataTable
            caption={t.policies}
            rows={items}
            rowKey={(row) => row.override_id}
            rowTestId="product-policy-row"
            columns={POLICY_COLUMNS}
          />
        )}
      </Section>
      <Section title={t.apps}>
        <DataTable
          caption={t.apps}
          rows={product.applications}
          rowKey={(row) => row.entity_id}
          rowTestId="product-app-row"
          columns={APP_COLUMNS}
        />
      </Section>
    </div>
  );
}

const POLICY_COLUMNS: readonly Column<Policy>[] = [
  {
    key: 'policy',
    header: texts.decisions.policy,
    render: (row) => (
      <span className="gw-badges">
        <PolicyStepBadge policy={row} />
      </span>
    ),
  },
  {
    key: 'origin',
    header: texts.decisions.match,
    render: (row) => policyTexts.origins[row.origin],
  },
  { key: 'scope', header: texts.decisions.scope, render: (row) => <ScopeText scope={row.scope} /> },
  { key: 'covers', header: t.apps, render: (row) => t.covers(row.entity_ids.length) },
  { key: 'by', header: texts.decisions.by, render: (row) => <UserLink value={row.updated_by} /> },
  {
    key: 'remove',
    header: texts.ui.actions,
    hiddenHeader: true,
    render: (row) =>
      row.product_policy_id === null ? null : <RemovePolicy policyId={row.product_policy_id} />,
  },
];

function RemovePolicy({ policyId }: { policyId: string }) {
  const read = useTenantRead();
  const write = useTenantWrite();
  const afterDecision = useAfterDecision();
  const mayDecide = useMayDecide();
  if (!mayDecide) return null;
  const remove = async () => {
    const path = `/product-policies/${policyId}`;
    const { policy } = await read<ProductPolicyAnswer>(path);
    await write('DELETE', path, { ifMatch: policy.version });
    await afterDecision();
  };
  return (
    <ConfirmButton
      title={t.removeTitle}
      text={t.removeText}
      action={t.remove}
      run={remove}
      done={t.removed}
    />
  );
}

const APP_COLUMNS: readonly Column<ProductApplication>[] = [
  {
    key: 'name',
    weight: 2,
    header: texts.applications.name,
    render: (row) => <ApplicationLink entityId={row.entity_id} name={row.name} />,
  },
  {
    key: 'source',
    weight: 1.5,
    header: t.sources,
    render: (row) => `${sourceLabel(row.source)} · ${t.platformNames[row.platform]}`,
  },
  {
    key: 'devices',
    header: t.devices,
    align: 'end',
    render: (row) => <span className="gw-num">{row.device_count.toLocaleString()}</span>,
  },
  {
    key: 'status',
    header: t.status,
    render: (row) => <ApprovalBadge status={row.approval_status} />,
  },
  { key: 'last', header: t.lastSeen, render: (row) => <Time at={row.last_seen_at} /> },
];
