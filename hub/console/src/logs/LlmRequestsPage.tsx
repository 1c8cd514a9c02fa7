// LLM requests. The address contains the filters and the opened request.
import type { LlmRequestItem } from '@gatewarden/shared/wire/console/logs.ts';
import { getRouteApi } from '@tanstack/react-router';
import { closedFacet, type FacetView } from '../activity-shell/facet-view.ts';
import { requestsSearch } from '../app/search.ts';
import { BY_TIME, type Column } from '../ui/DataTable.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Json } from '../ui/Json.tsx';
import { Name } from '../ui/Name.tsx';
import { TextFilter } from '../ui/TextFilter.tsx';
import { Time } from '../ui/Time.tsx';
import { visible } from '../ui/visible.ts';
import { WhyButton } from '../why/WhyButton.tsx';
import { SharedFilters } from './LogFilters.tsx';
import { CLOSED_ROW, LogPage } from './LogPage.tsx';
import { RequestOutcome, reasonText } from './RequestOutcome.tsx';
import { logTexts as t } from './texts.ts';
import { usd } from './usd.ts';
import '../gateway/gateway.css';
import { UserLink } from '../users/UserLink.tsx';
import { ThingName } from './log-rows.tsx';
import { LLM_STATUSES, STATUS_COLORS } from './log-states.ts';

const llmRoute = getRouteApi('/t/$tenantId/activity/llm-requests');

type Search = ReturnType<typeof llmRoute.useSearch>;

export function LlmRequestsPage() {
  const search = llmRoute.useSearch();
  const navigate = llmRoute.useNavigate();
  const change = (part: Partial<Search>, replace: boolean) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace });
  const set = (part: Partial<Search>) => change(part, true);
  return (
    <LogPage<LlmRequestItem>
      texts={t.llm}
      topic="llm-requests"
      path="/llm/requests"
      viewList="llm_requests"
      rowTestId="llm-request-row"
      search={{ ...search }}
      onChange={change}
      parseView={parseView}
      onView={(view) => void navigate({ search: parseView(view) })}
      facets={requestFacets(search, set)}
      series="status"
      filters={
        <SharedFilters search={search} set={set} idLabel={t.requestId}>
          <TextFilter
            label={t.provider}
            value={search.provider}
            onChange={(provider) => set({ provider })}
          />
        </SharedFilters>
      }
      columns={LLM_COLUMNS}
      keyOf={(item) => item.request_id}
      keyParameter="request_id"
      why={(item) => <WhyRequest item={item} compact />}
      details={(item) => <Request item={item} />}
    />
  );
}

const parseView = (view: Readonly<Record<string, string>>) => ({
  ...requestsSearch(view),
  ...CLOSED_ROW,
});

type SetSearch = (part: Partial<Search>) => void;

const requestFacets = (search: Search, set: SetSearch): readonly FacetView[] => [
  closedFacet({
    ...{ name: 'status', label: t.outcome, chosen: search.status },
    ...{ values: LLM_STATUSES, labels: t.verdicts, colors: STATUS_COLORS },
    onChoose: (status) => set({ status }),
  }),
  {
    ...{ name: 'app', label: t.app, chosen: search.app },
    onChoose: (app) => set({ app }),
  },
  {
    ...{ name: 'model', label: t.model, chosen: search.model },
    onChoose: (model) => set({ model }),
  },
  {
    ...{ name: 'guardrail', label: t.filterBlocked, chosen: search.guardrail },
    onChoose: (guardrail) => set({ guardrail }),
  },
];

const LLM_COLUMNS: readonly Column<LlmRequestItem>[] = [
  { key: 'when', header: t.when, sort: BY_TIME, render: (row) => <Time at={row.timestamp} /> },
  { key: 'app', header: t.app, weight: 1.4, render: (row) => <ThingName thing={row.app} /> },
  {
    key: 'user',
    header: t.user,
    weight: 1.6,
    isEmail: true,
    render: (row) => <UserLink value={row.user_email} isIdentity />,
  },
  { key: 'model', header: t.model, weight: 1.4, render: (row) => <Name value={row.model} clamp /> },
  {
    key: 'outcome',
    header: t.outcome,
    weight: 1.6,
    render: (row) => <RequestOutcome item={row} />,
  },
  {
    key: 'cost',
    header: t.cost,
    align: 'end',
    render: (row) => <span className="gw-num">{usd(row.cost_usd)}</span>,
  },
];

function WhyRequest({ item, compact = false }: { item: LlmRequestItem; compact?: boolean }) {
  return (
    <WhyButton
      of={`request.${item.request_id}`}
      name={visible(item.request_id)}
      compact={compact}
    />
  );
}

function Request({ item }: { item: LlmRequestItem }) {
  return (
    <div className="gw-form">
      <Facts>
        <Fact name={t.when}>
          <Time at={item.timestamp} full />
        </Fact>
        <Fact name={t.received}>
          <Time at={item.received_at} full />
        </Fact>
        <Fact name={t.app}>
          <ThingName thing={item.app} />
        </Fact>
        <Fact name={t.user}>
          <UserLink value={item.user_email} isIdentity clamp={false} />
        </Fact>
        <Fact name={t.model}>
          <Name value={[item.provider, item.model].filter(Boolean).join(' · ')} />
        </Fact>
        <Fact name={t.outcome}>
          <RequestOutcome item={item} />
        </Fact>
        <Fact name={t.requestId} wide>
          <Name value={item.request_id} mono />
        </Fact>
        {item.reasons.length === 0 ? null : (
          <Fact name={t.reasons} wide>
            <ul>
              {item.reasons.map((entry) => (
                <li key={`${entry.action}/${entry.category}`}>
                  <Name value={reasonText(entry)} />
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
      <div>
        <WhyRequest item={item} />
      </div>
      <h3>{t.whole}</h3>
      <Json value={item.event} label={t.whole} />
    </div>
  );
}
