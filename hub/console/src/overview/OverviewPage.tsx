// The start page: open decisions and the state of the fleet. Each number links to its list.
import { OVERVIEW_MOST, type OverviewAnswer } from '@gatewarden/shared/wire/console/overview.ts';
import type { ProductCategory } from '@gatewarden/shared/wire/console/products.ts';
import { SEVERITIES } from '@gatewarden/shared/wire/vocabulary.ts';
import { Link } from '@tanstack/react-router';
import { useResource, useTenant } from '../api/tenant.ts';
import type { productsSearch } from '../app/search.ts';
import { listOfCategory } from '../products/lists.ts';
import { texts } from '../texts.ts';
import { Empty } from '../ui/ListView.tsx';
import { Page, Section } from '../ui/Page.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { PolicySteps } from './PolicySteps.tsx';
import { NewProducts, TopProducts } from './Products.tsx';
import { SampleData } from './SampleData.tsx';
import { SetupChecklist } from './SetupChecklist.tsx';
import { TrendTiles } from './TrendTiles.tsx';
import { overviewTexts as t } from './texts.ts';
import './overview.css';
import { Devices, type PartProps, Row } from './DeviceSummary.tsx';

export function OverviewPage() {
  const answer = useResource<OverviewAnswer>('overview', '/overview');
  const overview = shownOf(answer);
  return (
    <Page title={t.title} lead={t.lead}>
      <Waiting answer={answer} />
      <div className="gw-stack">
        <SetupChecklist />
        <TrendTiles live={overview === undefined ? {} : liveCounts(overview)} />
      </div>
      {overview === undefined ? null : (
        <div className="gw-stack">
          <PolicySteps overview={overview} />
          <div className="gw-overview">
            <Review overview={overview} />
            <Alerts overview={overview} />
            <Devices overview={overview} />
          </div>
          <Fresh overview={overview} />
          <div className="gw-overview gw-overview-wide">
            <TopProducts category="ai_tool" />
            <TopProducts category="mcp_server" />
          </div>
          <SampleData />
        </div>
      )}
    </Page>
  );
}

function Review({ overview: { review } }: PartProps) {
  const { tenantId } = useTenant();
  const rows = review.pending.map(({ category, count }) => (
    <ProductsRow
      key={category}
      category={category}
      count={count}
      search={{ approval_status: 'pending', drifted: 'false' }}
    />
  ));
  rows.push(
    ...review.drifted.map(({ category, count }) => (
      <ProductsRow
        key={`drifted ${category}`}
        category={category}
        name={t.drifted}
        count={count}
        search={{ drifted: 'true' }}
      />
    )),
  );
  if (review.access_requests > 0) {
    rows.push(
      <Row
        key="requests"
        name={t.requests}
        count={review.access_requests}
        most={OVERVIEW_MOST}
        tone="high"
      >
        {(content) => (
          <Link
            to="/t/$tenantId/policies/access-requests"
            params={{ tenantId }}
            search={{ state: 'open' }}
            className="gw-overview-link"
          >
            {content}
          </Link>
        )}
      </Row>,
    );
  }
  if (review.rollouts_stopped > 0) {
    rows.push(
      <Row
        key="rollouts"
        name={t.stoppedRollouts}
        count={review.rollouts_stopped}
        most={OVERVIEW_MOST}
        tone="high"
      >
        {(content) => (
          <Link
            to="/t/$tenantId/policies"
            params={{ tenantId }}
            search={{ rollout: 'stopped' }}
            className="gw-overview-link"
          >
            {content}
          </Link>
        )}
      </Row>,
    );
  }
  if (review.unknown_processes > 0) {
    rows.push(
      <Row
        key="processes"
        name={t.unknownProcesses}
        count={review.unknown_processes}
        most={OVERVIEW_MOST}
      >
        {(content) => (
          <Link
            to="/t/$tenantId/inventory/unidentified-processes"
            params={{ tenantId }}
            className="gw-overview-link"
          >
            {content}
          </Link>
        )}
      </Row>,
    );
  }
  return (
    <Section title={t.review}>
      {rows.length === 0 ? (
        <Empty title={t.nothing} />
      ) : (
        <ul className="gw-overview-rows">{rows}</ul>
      )}
    </Section>
  );
}

const liveCounts = (overview: OverviewAnswer) => ({
  devices_online: overview.devices.seen_today,
  open_alerts: openAlertCount(overview),
});

/** Returns the open alerts of all severities now; undefined if the overview stopped counting. */
function openAlertCount({ alerts }: OverviewAnswer): number | undefined {
  if (alerts.some(({ count }) => count >= OVERVIEW_MOST)) return undefined;
  return alerts.reduce((sum, { count }) => sum + count, 0);
}

function Alerts({ overview: { alerts } }: PartProps) {
  const { tenantId } = useTenant();
  const open = SEVERITIES.flatMap((severity) =>
    alerts.filter((item) => item.severity === severity),
  );
  return (
    <Section title={t.alerts}>
      {open.length === 0 ? (
        <Empty title={t.noAlerts} />
      ) : (
        <ul className="gw-overview-rows">
          {open.map(({ severity, count }) => (
            <Row
              key={severity}
              name={texts.severities[severity]}
              count={count}
              most={OVERVIEW_MOST}
              tone={severity}
            >
              {(content) => (
                <Link
                  to="/t/$tenantId/activity/alerts"
                  params={{ tenantId }}
                  search={{ state: 'open', severity }}
                  className="gw-overview-link"
                >
                  {content}
                </Link>
              )}
            </Row>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Fresh({ overview: { fresh, newest } }: PartProps) {
  return (
    <Section title={t.fresh}>
      {fresh.length === 0 ? (
        <Empty title={t.nothingNew} />
      ) : (
        <>
          <NewProducts newest={newest} />
          <ul className="gw-overview-rows gw-step-rows">
            {fresh.map(({ category, count }) => (
              <ProductsRow key={category} category={category} count={count} search={FRESH} />
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

const FRESH = { fresh: 'week', sort: '-first_seen_at' } as const;

interface ProductsRowProps {
  category: ProductCategory;
  /** Text before the category's name. */
  name?: string;
  count: number;
  /** The filter of the number's list. */
  search: ReturnType<typeof productsSearch>;
}

function ProductsRow({ category, name, count, search }: ProductsRowProps) {
  const { tenantId } = useTenant();
  const { list, title } = listOfCategory(category);
  return (
    <Row name={name === undefined ? title : t.row(name, title)} count={count}>
      {(content) => (
        <Link
          to="/t/$tenantId/inventory/$list"
          params={{ tenantId, list }}
          search={search}
          className="gw-overview-link"
        >
          {content}
        </Link>
      )}
    </Row>
  );
}
