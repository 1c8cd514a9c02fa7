// Metrics as charts, each with its numbers as a table.
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useResource } from '../api/tenant.ts';
import { Bars } from '../ui/Bars.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page, Section } from '../ui/Page.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { logTexts } from './texts.ts';

const t = logTexts.metrics;
const route = getRouteApi('/t/$tenantId/gateway/usage/metrics');
const DAY_MS = 86_400_000;

interface Counted {
  [name: string]: unknown;
}
interface MetricsDocument {
  security_metrics: Record<keyof typeof t.figures, number> & {
    pii_phi_pci_violations: Record<keyof typeof t.sensitiveKinds, number>;
  };
  risk_metrics: {
    top_applications_by_violations: Counted[];
    users_with_repeated_violations: Counted[];
    top_violation_categories: Counted[];
    client_data_exposure_attempts: number;
  };
  executive_kpis: Record<keyof typeof t.prevents, number>;
  governance_metrics: {
    total_requests: number;
    traffic_share_by_app: { name: string; requests: number; percent: number }[];
    applications_without_traffic_in_window: string[];
    integrated_applications: { count: number; active_in_window: number };
    guardrail_effectiveness: {
      detections_total: number;
      blocked: number;
      anonymized: number;
      monitored_only: number;
      prevented_percent: number | null;
    };
  };
  coverage: { scanned_requests: number; complete: boolean };
}

export function MetricsPage() {
  const { days = '7' } = route.useSearch();
  const navigate = route.useNavigate();
  // The end of the period is fixed while the page is open, so that each render has the same query key.
  const [now] = useState(() => Date.now());
  const answer = useResource<{ metrics: MetricsDocument }>('gateway', '/llm/metrics', {
    start_time: new Date(now - Number(days) * DAY_MS).toISOString(),
  });
  const metrics = shownOf(answer)?.metrics;
  return (
    <Page title={t.title} lead={t.lead}>
      <div className="gw-filters">
        <Filter
          label={t.days}
          all={null}
          values={['1', '7', '14'] as const}
          names={t.lastDays}
          value={days}
          onChange={(next) => void navigate({ search: { days: next }, replace: true })}
        />
      </div>
      <Waiting answer={answer} />
      {metrics === undefined ? null : <Shown metrics={metrics} />}
    </Page>
  );
}

function Shown({ metrics }: { metrics: MetricsDocument }) {
  const { governance_metrics: governance, risk_metrics: risk } = metrics;
  const done = governance.guardrail_effectiveness;
  const sensitive = metrics.security_metrics.pii_phi_pci_violations;
  if (governance.total_requests === 0) {
    return (
      <div className="gw-card">
        <Empty title={t.empty} />
      </div>
    );
  }
  return (
    <div className="gw-stack">
      {metrics.coverage.complete ? null : (
        <p role="status">{t.incomplete(metrics.coverage.scanned_requests)}</p>
      )}
      <Section title={t.security}>
        <Facts>
          <Fact name={t.requests}>{formatCount(governance.total_requests)}</Fact>
          <Fact name={t.detections}>{formatCount(done.detections_total)}</Fact>
          <Fact name={t.blocked}>{formatCount(done.blocked)}</Fact>
          <Fact name={t.anonymized}>{formatCount(done.anonymized)}</Fact>
          <Fact name={t.monitored}>{formatCount(done.monitored_only)}</Fact>
          <Fact name={t.prevented}>
            {done.prevented_percent === null ? '–' : `${done.prevented_percent} %`}
          </Fact>
          {Object.entries(t.figures).map(([key, name]) => (
            <Fact key={key} name={name}>
              {formatCount(metrics.security_metrics[key as keyof typeof t.figures])}
            </Fact>
          ))}
          <Fact name={t.clientData}>{formatCount(risk.client_data_exposure_attempts)}</Fact>
          <Fact name={t.active}>
            {formatCount(governance.integrated_applications.active_in_window)} /{' '}
            {formatCount(governance.integrated_applications.count)}
          </Fact>
        </Facts>
      </Section>
      <Section title={t.prevention}>
        <Facts>
          {Object.entries(t.prevents).map(([key, name]) => (
            <Fact key={key} name={name}>
              {formatCount(metrics.executive_kpis[key as keyof typeof t.prevents])}
            </Fact>
          ))}
        </Facts>
      </Section>
      <Counts
        title={t.sensitive}
        counts={Object.entries(t.sensitiveKinds)
          .map(([key, name]) => ({ name, value: sensitive[key as keyof typeof t.sensitiveKinds] }))
          .filter(({ value }) => value > 0)}
      />
      <Counts
        title={t.share}
        counts={governance.traffic_share_by_app.map(({ name, requests, percent }) => ({
          name,
          value: requests,
          text: `${formatCount(requests)} (${percent} %)`,
        }))}
      />
      <Ranking title={t.categories} items={risk.top_violation_categories} />
      <Ranking title={t.violatingApps} items={risk.top_applications_by_violations} />
      <Ranking title={t.people} items={risk.users_with_repeated_violations} none={t.noPeople} />
      {governance.applications_without_traffic_in_window.length === 0 ? null : (
        <Section title={t.quiet}>
          <Name value={governance.applications_without_traffic_in_window.join(', ')} />
        </Section>
      )}
    </div>
  );
}

interface RankingProps {
  title: string;
  items: readonly Counted[];
  none?: string;
}

function Ranking({ title, items, none = t.none }: RankingProps) {
  const counts = items.map((item) => {
    const texts = Object.values(item).filter((value) => typeof value === 'string');
    const numbers = Object.values(item).filter((value) => typeof value === 'number');
    return { name: texts.join(' '), value: numbers[0] ?? 0 };
  });
  return <Counts title={title} counts={counts} none={none} />;
}

interface Count {
  name: string;
  value: number;
  text?: string;
}

interface CountsProps {
  title: string;
  counts: readonly Count[];
  none?: string;
}

/** A chart, and its numbers as a table. */
function Counts({ title, counts, none = t.none }: CountsProps) {
  if (counts.length === 0) {
    return (
      <Section title={title}>
        <Empty title={none} />
      </Section>
    );
  }
  return (
    <Section title={title}>
      <Bars label={title} bars={counts} />
      <DataTable
        caption={title}
        columns={COLUMNS}
        rows={counts}
        rowKey={(count) => count.name}
        rowTestId="metric-row"
      />
    </Section>
  );
}

const COLUMNS: readonly Column<Count>[] = [
  { key: 'name', header: t.name, weight: 3, render: ({ name }) => <Name value={name} clamp /> },
  {
    key: 'count',
    header: t.count,
    align: 'end',
    render: ({ value, text }) => <span className="gw-num">{text ?? formatCount(value)}</span>,
  },
];

const formatCount = (count: number) => count.toLocaleString('en-GB');
