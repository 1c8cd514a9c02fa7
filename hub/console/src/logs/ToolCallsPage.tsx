// MCP tool calls. The address contains the filters and the opened call.
import type { ToolCallItem } from '@gatewarden/shared/wire/console/logs.ts';
import { getRouteApi } from '@tanstack/react-router';
import { closedFacet, type FacetView } from '../activity-shell/facet-view.ts';
import { toolCallsSearch } from '../app/search.ts';
import { Badge } from '../ui/Badges.tsx';
import { BY_TIME, type Column } from '../ui/DataTable.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Json } from '../ui/Json.tsx';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import { visibleText } from '../ui/visible.ts';
import { UserLink } from '../users/UserLink.tsx';
import { WhyButton } from '../why/WhyButton.tsx';
import { SharedFilters } from './LogFilters.tsx';
import { CLOSED_ROW, LogPage } from './LogPage.tsx';
import { ThingName } from './log-rows.tsx';
import { CALL_VERDICTS, STATUS_COLORS } from './log-states.ts';
import { logTexts as t } from './texts.ts';

const mcpRoute = getRouteApi('/t/$tenantId/activity/tool-calls');

type Search = ReturnType<typeof mcpRoute.useSearch>;

export function ToolCallsPage() {
  const search = mcpRoute.useSearch();
  const navigate = mcpRoute.useNavigate();
  const change = (part: Partial<Search>, replace: boolean) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace });
  const set = (part: Partial<Search>) => change(part, true);
  return (
    <LogPage<ToolCallItem>
      texts={t.mcp}
      topic="tool-calls"
      path="/mcp/tool-calls"
      viewList="tool_calls"
      rowTestId="tool-call-row"
      search={{ ...search }}
      onChange={change}
      parseView={parseView}
      onView={(view) => void navigate({ search: parseView(view) })}
      facets={callFacets(search, set)}
      series="verdict"
      filters={<SharedFilters search={search} set={set} idLabel={t.callId} />}
      columns={MCP_COLUMNS}
      keyOf={(item) => String(item.log_id)}
      keyParameter="log_id"
      why={(item) => <WhyCall item={item} compact />}
      details={(item) => <Call item={item} />}
    />
  );
}

const parseView = (view: Readonly<Record<string, string>>) => ({
  ...toolCallsSearch(view),
  ...CLOSED_ROW,
});

type SetSearch = (part: Partial<Search>) => void;

const callFacets = (search: Search, set: SetSearch): readonly FacetView[] => [
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
    isEmail: true,
    render: (row) => <UserLink value={row.user_email} isIdentity />,
  },
  { key: 'outcome', header: t.outcome, render: (row) => <CallOutcome item={row} /> },
];

function WhyCall({ item, compact = false }: { item: ToolCallItem; compact?: boolean }) {
  return (
    <WhyButton
      of={`call.${item.log_id}`}
      name={visibleText`${item.backend.name}: ${item.tool ?? item.method ?? ''}`}
      compact={compact}
    />
  );
}

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
      <div>
        <WhyCall item={item} />
      </div>
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
