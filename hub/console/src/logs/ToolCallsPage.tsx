// MCP tool calls. The address contains the filters and the opened call.
import type { ToolCallItem } from '@gatewarden/shared/wire/console/logs.ts';
import { LOG_ROWS_COUNTED_MAX } from '@gatewarden/shared/wire/console/time-sorts.ts';
import { getRouteApi } from '@tanstack/react-router';
import { ActivityShell } from '../activity-shell/ActivityShell.tsx';
import { closedFacet, type FacetView } from '../activity-shell/facet-view.ts';
import { RowDrawer } from '../activity-shell/RowDrawer.tsx';
import { usePeriod } from '../activity-shell/use-period.ts';
import { rowsOf, useList } from '../api/tenant.ts';
import { toolCallsSearch } from '../app/search.ts';
import { Badge } from '../ui/Badges.tsx';
import { BY_TIME, type Column, timeSort } from '../ui/DataTable.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Json } from '../ui/Json.tsx';
import { ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { TextFilter } from '../ui/TextFilter.tsx';
import { Time } from '../ui/Time.tsx';
import { visibleText } from '../ui/visible.ts';
import { UserLink } from '../users/UserLink.tsx';
import { WhyButton } from '../why/WhyButton.tsx';
import { NoRows, SharedFilters } from './LogFilters.tsx';
import { OpenedRow, showColumn, ThingName } from './log-rows.tsx';
import { CALL_VERDICTS, STATUS_COLORS } from './log-states.ts';
import { logTexts as t } from './texts.ts';

const mcpRoute = getRouteApi('/t/$tenantId/activity/tool-calls');

type Search = ReturnType<typeof mcpRoute.useSearch>;

export function ToolCallsPage() {
  const { row, why: _why, ...search } = mcpRoute.useSearch();
  const navigate = mcpRoute.useNavigate();
  const { range, from, to, ...filters } = search;
  const filter = { ...filters, ...usePeriod({ range, from, to }) };
  const list = useList<ToolCallItem>('tool-calls', '/mcp/tool-calls', filter);
  const set = (part: Partial<Search>) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true });
  const open = (opened: string | undefined) =>
    void navigate({ search: (former) => ({ ...former, row: opened }), replace: row !== undefined });
  return (
    <ActivityShell
      title={t.mcp.title}
      lead={t.mcp.lead}
      path="/mcp/tool-calls"
      list={list}
      filter={filter}
      facets={callFacets(search, set)}
      series="verdict"
      range={{ range, from, to }}
      onRange={(next) => void navigate({ search: (former) => ({ ...former, ...next }) })}
      otherChosen={countOtherFilters(search)}
      filters={<OtherFilters search={search} set={set} />}
      views={{
        list: 'tool_calls',
        search,
        parse: parseView,
        onView: (view) => void navigate({ search: parseView(view) }),
      }}
    >
      <ListView
        list={list}
        caption={t.mcp.title}
        rowKey={(item) => String(item.log_id)}
        rowTestId="tool-call-row"
        dense
        countMax={LOG_ROWS_COUNTED_MAX}
        isCurrent={(item) => String(item.log_id) === row}
        sort={timeSort(search.sort, (sort) => set({ sort }))}
        empty={<NoRows search={search} title={t.mcp.empty} text={t.mcp.emptyText} />}
        columns={[
          ...MCP_COLUMNS,
          showColumn<ToolCallItem>((item) => open(String(item.log_id)), callWhyButton),
        ]}
      />
      {row === undefined ? null : (
        <RowDrawer
          title={t.row}
          rows={rowsOf(list).map((item) => String(item.log_id))}
          row={row}
          onOpen={open}
        >
          <OpenedRow<ToolCallItem> path="/mcp/tool-calls" params={{ log_id: row }}>
            {(item) => <Call item={item} />}
          </OpenedRow>
        </RowDrawer>
      )}
    </ActivityShell>
  );
}

/** Returns the filters of a saved view: no opened row, and no chain. */
const parseView = (view: Readonly<Record<string, string>>) => {
  const { row: _row, why: _why, ...search } = toolCallsSearch(view);
  return search;
};

type Filters = Omit<Search, 'row' | 'why'>;
type SetSearch = (part: Partial<Search>) => void;

const callFacets = (search: Filters, set: SetSearch): readonly FacetView[] => [
  closedFacet({
    ...{ name: 'verdict', label: t.outcome, chosen: search.verdict },
    ...{ values: CALL_VERDICTS, labels: t.verdicts, colors: STATUS_COLORS },
    onChoose: (verdict) => set({ verdict }),
  }),
  {
    ...{ name: 'backend', label: t.backend, chosen: search.backend },
    onChoose: (backend) => set({ backend }),
  },
  {
    ...{ name: 'tool', label: t.tool, chosen: search.tool },
    onChoose: (tool) => set({ tool }),
  },
];

const countOtherFilters = (search: Filters) =>
  [
    ...[search.user, search.request_id, search.conversation_id],
    ...[search.blocked, search.failed],
  ].filter(Boolean).length;

function OtherFilters({ search, set }: { search: Filters; set: SetSearch }) {
  return (
    <div className="gw-filters">
      <TextFilter label={t.user} value={search.user} onChange={(user) => set({ user })} />
      <SharedFilters search={search} set={set}>
        <TextFilter
          label={t.callId}
          value={search.request_id}
          onChange={(request_id) => set({ request_id })}
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

const MCP_COLUMNS: readonly Column<ToolCallItem>[] = [
  { key: 'when', header: t.when, sort: BY_TIME, render: (row) => <Time at={row.started_at} /> },
  {
    key: 'backend',
    header: t.backend,
    weight: 1.4,
    render: (row) => <ThingName thing={row.backend} />,
  },
  {
    key: 'tool',
    header: t.tool,
    weight: 1.6,
    render: (row) => <Name value={row.tool ?? row.method} clamp mono />,
  },
  {
    key: 'user',
    header: t.user,
    weight: 1.6,
    render: (row) => <UserLink value={row.user_email} isIdentity />,
  },
  { key: 'outcome', header: t.outcome, render: (row) => <CallOutcome item={row} /> },
];

const callWhyButton = (row: ToolCallItem) => (
  <WhyButton
    of={`call.${row.log_id}`}
    name={visibleText`${row.backend.name}: ${row.tool ?? row.method ?? ''}`}
  />
);

function Call({ item }: { item: ToolCallItem }) {
  return (
    <div className="gw-form">
      <Facts>
        <Fact name={t.when}>
          <Time at={item.started_at} full />
        </Fact>
        <Fact name={t.backend}>
          <ThingName thing={item.backend} />
        </Fact>
        <Fact name={t.tool}>
          <Name value={item.tool ?? item.method} mono />
        </Fact>
        <Fact name={t.user}>
          <UserLink value={item.user_email} isIdentity clamp={false} />
        </Fact>
        <Fact name={t.callId}>
          <Name value={item.request_id} mono />
        </Fact>
        <Fact name={t.outcome}>
          <CallOutcome item={item} />
        </Fact>
      </Facts>
      <div>{callWhyButton(item)}</div>
      <h3>{t.whole}</h3>
      <Json value={item.event} label={t.whole} />
    </div>
  );
}

function CallOutcome({ item }: { item: ToolCallItem }) {
  if (item.is_blocked) return <Badge tone="bad">{t.blocked}</Badge>;
  if (item.success === false) return <Badge tone="warn">{t.failed}</Badge>;
  // The call may still run, or its node reported no end.
  if (item.success === null) return <Badge tone="plain">{t.endUnknown}</Badge>;
  return <Badge tone="good">{t.passed}</Badge>;
}
