// LLM requests. The address contains the filters and the opened request.
import type { LlmRequestItem } from '@gatewarden/shared/wire/console/logs.ts';
import { LOG_ROWS_COUNTED_MAX } from '@gatewarden/shared/wire/console/time-sorts.ts';
import { getRouteApi } from '@tanstack/react-router';
import { ActivityShell } from '../activity-shell/ActivityShell.tsx';
import { closedFacet, type FacetView } from '../activity-shell/facet-view.ts';
import { RowDrawer } from '../activity-shell/RowDrawer.tsx';
import { usePeriod } from '../activity-shell/use-period.ts';
import { rowsOf, useList } from '../api/tenant.ts';
import { requestsSearch } from '../app/search.ts';
import { BY_TIME, type Column, timeSort } from '../ui/DataTable.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Json } from '../ui/Json.tsx';
import { ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { TextFilter } from '../ui/TextFilter.tsx';
import { Time } from '../ui/Time.tsx';
import { visible } from '../ui/visible.ts';
import { WhyButton } from '../why/WhyButton.tsx';
import { NoRows, SharedFilters } from './LogFilters.tsx';
import { RequestOutcome, reasonText } from './RequestOutcome.tsx';
import { logTexts as t } from './texts.ts';
import { usd } from './usd.ts';
import '../gateway/gateway.css';
import { UserLink } from '../users/UserLink.tsx';
import { OpenedRow, showColumn, ThingName } from './log-rows.tsx';
import { LLM_STATUSES, STATUS_COLORS } from './log-states.ts';

const llmRoute = getRouteApi('/t/$tenantId/activity/llm-requests');

type Search = ReturnType<typeof llmRoute.useSearch>;

export function LlmRequestsPage() {
  const { row, why: _why, ...search } = llmRoute.useSearch();
  const navigate = llmRoute.useNavigate();
  const { range, from, to, ...filters } = search;
  const filter = { ...filters, ...usePeriod({ range, from, to }) };
  const list = useList<LlmRequestItem>('llm-requests', '/llm/requests', filter);
  const set = (part: Partial<Search>) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true });
  const open = (opened: string | undefined) =>
    void navigate({ search: (former) => ({ ...former, row: opened }), replace: row !== undefined });
  return (
    <ActivityShell
      title={t.llm.title}
      lead={t.llm.lead}
      path="/llm/requests"
      list={list}
      filter={filter}
      facets={requestFacets(search, set)}
      series="status"
      range={{ range, from, to }}
      onRange={(next) => void navigate({ search: (former) => ({ ...former, ...next }) })}
      otherChosen={countOtherFilters(search)}
      filters={<OtherFilters search={search} set={set} />}
      views={{
        list: 'llm_requests',
        search,
        parse: parseView,
        onView: (view) => void navigate({ search: parseView(view) }),
      }}
    >
      <ListView
        list={list}
        caption={t.llm.title}
        rowKey={(item) => item.request_id}
        rowTestId="llm-request-row"
        dense
        countMax={LOG_ROWS_COUNTED_MAX}
        isCurrent={(item) => item.request_id === row}
        sort={timeSort(search.sort, (sort) => set({ sort }))}
        empty={<NoRows search={search} title={t.llm.empty} text={t.llm.emptyText} />}
        columns={[
          ...LLM_COLUMNS,
          showColumn<LlmRequestItem>((item) => open(item.request_id), requestWhyButton),
        ]}
      />
      {row === undefined ? null : (
        <RowDrawer
          title={t.row}
          rows={rowsOf(list).map((item) => item.request_id)}
          row={row}
          onOpen={open}
        >
          <OpenedRow<LlmRequestItem> path="/llm/requests" params={{ request_id: row }}>
            {(item) => <Request item={item} />}
          </OpenedRow>
        </RowDrawer>
      )}
    </ActivityShell>
  );
}

/** Returns the filters of a saved view: no opened row, and no chain. */
const parseView = (view: Readonly<Record<string, string>>) => {
  const { row: _row, why: _why, ...search } = requestsSearch(view);
  return search;
};

type Filters = Omit<Search, 'row' | 'why'>;
type SetSearch = (part: Partial<Search>) => void;

const requestFacets = (search: Filters, set: SetSearch): readonly FacetView[] => [
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

const countOtherFilters = (search: Filters) =>
  [
    ...[search.user, search.request_id, search.provider, search.conversation_id],
    ...[search.blocked, search.failed],
  ].filter(Boolean).length;

function OtherFilters({ search, set }: { search: Filters; set: SetSearch }) {
  return (
    <div className="gw-filters">
      <TextFilter label={t.user} value={search.user} onChange={(user) => set({ user })} />
      <SharedFilters search={search} set={set}>
        <TextFilter
          label={t.requestId}
          value={search.request_id}
          onChange={(request_id) => set({ request_id })}
        />
        <TextFilter
          label={t.provider}
          value={search.provider}
          onChange={(provider) => set({ provider })}
        />
        <TextFilter
          label={t.conversation}
          value={search.conversation_id}
          onChange={(conversation_id) => set({ conversation_id })}
        />
      </SharedFilters>
    </div>
  );
}

const LLM_COLUMNS: readonly Column<LlmRequestItem>[] = [
  { key: 'when', header: t.when, sort: BY_TIME, render: (row) => <Time at={row.timestamp} /> },
  { key: 'app', header: t.app, weight: 1.4, render: (row) => <ThingName thing={row.app} /> },
  {
    key: 'user',
    header: t.user,
    weight: 1.6,
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
const requestWhyButton = (row: LlmRequestItem) => (
  <WhyButton of={`request.${row.request_id}`} name={visible(row.request_id)} />
);

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
      <div>{requestWhyButton(item)}</div>
      <h3>{t.whole}</h3>
      <Json value={item.event} label={t.whole} />
    </div>
  );
}
