// A product: where it is, its policies in force with their origin, its apps, and the form that sets its policy.
import type { PolicyProduct } from '@gatewarden/shared/wire/console/overrides.ts';
import type {
  ProductAnswer,
  ProductApplication,
} from '@gatewarden/shared/wire/console/products.ts';
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useMayDecide, useResource } from '../api/tenant.ts';
import { ApplicationLink } from '../applications/ApplicationLink.tsx';
import { sourceLabel } from '../labels.ts';
import { distinctPolicies } from '../policies/distinct-policies.ts';
import { ScopeText } from '../policies/MatchText.tsx';
import { PolicyStepBadge } from '../policies/PolicyStepBadge.tsx';
import { platformLabel, productLabel } from '../policies/PolicySubject.tsx';
import { policyTexts } from '../policies/policy-texts.ts';
import { useProductPolicies } from '../policies/use-product-policies.ts';
import { texts } from '../texts.ts';
import { ApprovalBadge, Badge } from '../ui/Badges.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Name } from '../ui/Name.tsx';
import { Page, Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { PlatformChips, RiskChips, StatusCell } from './ProductCells.tsx';
import { PRODUCT_DEVICES, ProductDevices } from './ProductDevices.tsx';
import { EditProductPolicy, RemoveProductPolicy } from './ProductPolicyActions.tsx';
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
  const policies = useProductPolicies(product.product_id);
  const items = distinctPolicies(product.policies.items).map((policy): PolicyRow => {
    const { product_policy_id: id } = policy;
    const platform = policies.get(id ?? '')?.platform;
    return { ...policy, subject: platform === undefined ? null : { ...product, platform } };
  });
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
        <Fact name={t.devices}>
          <ToDevices>{product.device_count}</ToDevices>
        </Fact>
        <Fact name={t.users}>
          <ToDevices>{product.user_count}</ToDevices>
        </Fact>
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
      <ProductDevices applications={product.applications} />
    </div>
  );
}

/** The figure as a link to the list of devices and users on this page. */
function ToDevices({ children }: { children: number }) {
  return (
    <a href={`#${PRODUCT_DEVICES}`} className="gw-link gw-num">
      {children.toLocaleString('en-GB')}
    </a>
  );
}

/** A policy in force for the product, and, of a product policy, the platform that it is limited to. */
interface PolicyRow extends Policy {
  subject: Pick<PolicyProduct, 'product_id' | 'name' | 'platform'> | null;
}

const POLICY_COLUMNS: readonly Column<PolicyRow>[] = [
  {
    key: 'policy',
    weight: 1.2,
    header: policyTexts.label,
    render: (row) => (
      <span className="gw-inline-badges">
        <PolicyStepBadge policy={row} />
      </span>
    ),
  },
  {
    key: 'subject',
    weight: 2,
    header: texts.decisions.match,
    render: (row) =>
      row.subject === null ? policyTexts.origins[row.origin] : <Subject subject={row.subject} />,
  },
  { key: 'scope', header: texts.decisions.scope, render: (row) => <ScopeText scope={row.scope} /> },
  {
    key: 'covers',
    weight: 0.7,
    header: t.covered,
    align: 'end',
    render: (row) => <span className="gw-num">{t.covers(row.entity_ids.length)}</span>,
  },
  {
    key: 'by',
    weight: 1.6,
    header: texts.decisions.by,
    render: (row) => <UserLink value={row.updated_by} />,
  },
  {
    key: 'actions',
    weight: 1.4,
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (row) => <PolicyButtons row={row} />,
  },
];

function Subject({ subject }: { subject: NonNullable<PolicyRow['subject']> }) {
  return (
    <span className="gw-inline-badges">
      <Name value={subject.name} clamp />
      <Badge tone="plain">{platformLabel(subject.platform)}</Badge>
    </span>
  );
}

function PolicyButtons({ row: { product_policy_id: policyId, subject } }: { row: PolicyRow }) {
  const mayDecide = useMayDecide();
  const [opened, setOpened] = useState<'edit' | 'remove' | null>(null);
  if (!mayDecide || policyId === null || subject === null) return null;
  const close = () => setOpened(null);
  return (
    <div className="gw-row-actions">
      <Button size="xs" variant="default" aria-label={t.edit} onClick={() => setOpened('edit')}>
        {texts.decisions.edit}
      </Button>
      <Button size="xs" variant="default" aria-label={t.remove} onClick={() => setOpened('remove')}>
        {texts.decisions.withdraw}
      </Button>
      {opened === 'edit' ? (
        <EditProductPolicy policyId={policyId} productId={subject.product_id} onClosed={close} />
      ) : null}
      {opened === 'remove' ? (
        <RemoveProductPolicy policyId={policyId} name={productLabel(subject)} onClosed={close} />
      ) : null}
    </div>
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
