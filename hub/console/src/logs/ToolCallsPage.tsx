// The list of MCP tool calls, each with its details on demand.
import type { ToolCallItem } from '@gatewarden/shared/wire/console/logs.ts';
import { LOG_ROWS_COUNTED_MAX } from '@gatewarden/shared/wire/console/time-sorts.ts';
import { getRouteApi } from '@tanstack/react-router';
import { useList } from '../api/tenant.ts';
import { Badge } from '../ui/Badges.tsx';
import { BY_TIME, type Column, timeSort } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Downloads } from '../ui/Downloads.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Json } from '../ui/Json.tsx';
import { ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { TextFilter } from '../ui/TextFilter.tsx';
import { Time } from '../ui/Time.tsx';
import { said } from '../ui/visible.ts';
import { UserLink } from '../users/UserLink.tsx';
import { WhyButton } from '../why/WhyButton.tsx';
import { NoRows, SharedFilters } from './LogFilters.tsx';
import { Named, OneRow, showColumn } from './log-rows.tsx';
import { logTexts as t } from './texts.ts';

const mcpRoute = getRouteApi('/t/$tenantId/activity/tool-calls');

export function ToolCallsPage() {
  const { row: shown, why: _opened, ...search } = mcpRoute.useSearch();
  const navigate = mcpRoute.useNavigate();
  const list = useList<ToolCallItem>('tool-calls', '/mcp/tool-calls', search);
  const set = (part: Partial<typeof search>) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true });
  const open = (row: string | undefined) =>
    void navigate({ search: (former) => ({ ...former, row }), replace: row === undefined });
  return (
    <Page
      title={t.mcp.title}
      lead={t.mcp.lead}
      actions={<Downloads path="/mcp/tool-calls/download" filter={search} />}
    >
      <div className="gw-filters">
        <TextFilter label={t.user} value={search.user} onChange={(user) => set({ user })} />
        <TextFilter
          label={t.backend}
          value={search.backend}
          onChange={(backend) => set({ backend })}
        />
        <TextFilter label={t.tool} value={search.tool} onChange={(tool) => set({ tool })} />
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
      <ListView
        list={list}
        caption={t.mcp.title}
        rowKey={(row) => String(row.log_id)}
        rowTestId="tool-call-row"
        dense
        countMax={LOG_ROWS_COUNTED_MAX}
        sort={timeSort(search.sort, (sort) => set({ sort }))}
        empty={<NoRows search={search} title={t.mcp.empty} text={t.mcp.emptyText} />}
        columns={[
          ...MCP_COLUMNS,
          showColumn<ToolCallItem>((row) => open(String(row.log_id)), whyOfCall),
        ]}
      />
      {shown === undefined ? null : (
        <Dialog wide title={t.row} onClosed={() => open(undefined)}>
          {() => (
            <OneRow<ToolCallItem> path="/mcp/tool-calls" params={{ log_id: shown }}>
              {(item) => <Call item={item} />}
            </OneRow>
          )}
        </Dialog>
      )}
    </Page>
  );
}

const MCP_COLUMNS: readonly Column<ToolCallItem>[] = [
  { key: 'when', header: t.when, sort: BY_TIME, render: (row) => <Time at={row.started_at} /> },
  {
    key: 'backend',
    header: t.backend,
    weight: 1.4,
    render: (row) => <Named thing={row.backend} />,
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

const whyOfCall = (row: ToolCallItem) => (
  <WhyButton
    of={`call.${row.log_id}`}
    name={said`${row.backend.name}: ${row.tool ?? row.method ?? ''}`}
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
          <Named thing={item.backend} />
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
      <div>{whyOfCall(item)}</div>
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
